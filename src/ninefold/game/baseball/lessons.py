"""Baseball, taught by playing it."""

from ninefold.model.lessons import Lesson

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
        "You have nine face-down cards, three by three, and have seen none of them. The fewest points win: "
        "an ace counts 1, a number its value, a jack 15, a queen 25, a king 0 and a joker minus 2. "
        "Before the first turn you may look at two of your cards.",
        "Look at one: look r1c1 is the card in row 1, column 1.",
        "Only you have seen it.",
        steps=("deal 9H",),
    ),
    Lesson(
        "Turn them up or not",
        "You have looked at two queens in one column. Three of a kind in a column, all face up, are removed "
        "from your hand, so two queens are not as bad as they look.",
        "Turn up both. It costs no turn.",
        "Now one more queen in that column clears all three.",
        ("turn up both",),
        ("deal 9H", "0: look r1c1", "reveal QS", "0: look r2c1", "reveal QD"),
    ),
    Lesson(
        "A column clears",
        "On your turn, do one of three things: flip a face-down card, take the top discard, or draw from "
        "the shoe. The card you take or draw replaces one of yours, which is discarded. The top discard "
        "is a queen.",
        "Take it, and put it in the third place of your first column.",
        "The three queens are gone: 75 points less, and three places that cost you nothing.",
        ("take r3c1",),
        ROUND,
        clue="The first column is r1c1, r2c1, r3c1.",
    ),
    Lesson(
        "Going out",
        "You have one face-down card left, and your others make 13. A player with no face-down cards has "
        "gone out: everyone else has one more turn, and then the cards are counted. The other player "
        "shows 58 points.",
        "Flip your last card.",
        "You have gone out. If you wait too long for a better hand, another player goes out first.",
        ("flip r3c3",),
        LATE,
    ),
)
