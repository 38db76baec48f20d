"""Baseball, taught by playing it."""

from ninefold.kernel.lessons import Lesson

LOOKS = (
    *("deal 9H", "0: look r1c1", "reveal QS", "0: look r2c1", "reveal QD", "0: turn up both"),
    *("1: look r1c1", "reveal 4S", "1: look r1c2", "reveal 10D", "1: turn up both"),
)
ROUND = (*LOOKS, "0: draw", "deal 8S", "0: discard", "1: draw", "deal QC", "1: discard")
LATE = (
    *("deal 9H", "0: look r1c1", "reveal 2S", "0: look r1c2", "reveal AD", "0: turn up both"),
    *("1: look r1c1", "reveal 4S", "1: look r1c2", "reveal 10D", "1: turn up both"),
    *("0: flip r1c3", "reveal 3C", "1: flip r1c3", "reveal JD"),
    *("0: flip r2c1", "reveal KS", "1: flip r2c1", "reveal 6D"),
    *("0: flip r2c2", "reveal 4C", "1: flip r2c2", "reveal 7D"),
    *("0: flip r2c3", "reveal 2D", "1: flip r2c3", "reveal 8D"),
    *("0: flip r3c1", "reveal AC", "1: flip r3c1", "reveal 5D"),
    *("0: flip r3c2", "reveal KH", "1: flip r3c2", "reveal 3D"),
)

LESSONS = (
    Lesson(
        "Two looks",
        "Nine cards lie before you, three by three, and you have seen none of them. The fewest points win: "
        "an ace counts 1, numbers what they say, a jack 15, a queen 25, a king nothing and a joker two "
        "less than nothing. Before the first turn you may look at two of your cards.",
        "Look at one: look r1c1 is the card in row 1, column 1.",
        "Only you have seen it.",
        steps=("deal 9H",),
    ),
    Lesson(
        "Turn them up, or not",
        "You have looked at two queens in one column. Three of a kind in a column, all face up, leave your "
        "hand altogether, so two queens are less bad than they look.",
        "Turn up both. It costs no turn.",
        "Now one more queen in that column clears all three.",
        "Type: turn up both",
        ("turn up both",),
        ("deal 9H", "0: look r1c1", "reveal QS", "0: look r2c1", "reveal QD"),
    ),
    Lesson(
        "A column clears",
        "A turn is one of three things: flip a face-down card, take the top discard, or draw from the "
        "shoe. What you take or draw goes in place of any card of yours, which is discarded. The top "
        "discard is a queen.",
        "Take it into the third place of your first column.",
        "The three queens are gone: 75 points less, and three places that can never hurt you.",
        "The first column is r1c1, r2c1, r3c1. Type: take r3c1",
        ("take r3c1",),
        ROUND,
    ),
    Lesson(
        "Going out",
        "One card of yours is face down, and your others make 13. Whoever has no face-down card left has "
        "gone out; everybody else has one more turn, and then the cards are counted. The other player "
        "shows 58 points.",
        "Flip your last card.",
        "That is going out. Wait for too good a hand, and somebody else does it first.",
        "Type: flip r3c3",
        ("flip r3c3",),
        LATE,
    ),
)
