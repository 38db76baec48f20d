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
        "Nine face down",
        "Nobody has seen your nine cards, not even you. The lowest total wins. A jack counts 15, a queen 25, "
        "a king 0, a joker −2, and all others what they say.",
        "You may peek at two before you start. Choose one.",
        "A queen: 25 points! Only you have seen it.",
        steps=("deal 9H",),
        then=("reveal QS",),
    ),
    Lesson(
        "Three in a column",
        "You peeked at two queens in one column. But three cards of one rank in a column, all face up, are "
        "gone, and cost nothing.",
        "Reveal both queens. It costs no turn.",
        "Now one more queen, and the whole column is gone.",
        ("turn up both",),
        ("deal 9H", "0: look r1c1", "reveal QS", "0: look r2c1", "reveal QD"),
        clue="You may keep a secret, but a column only counts face up. Reveal both.",
    ),
    Lesson(
        "Your turn",
        "On your turn, turn up one of your cards, or swap one for the top discard or a card from the deck.",
        "Ada threw away a queen! Take it, in place of the third card in your queens’ column.",
        "Three queens, gone: 75 points less.",
        ("take r3c1",),
        ROUND,
        shown=2,
        then=("reveal 6H",),
        clue="Look at the discards: there’s the queen you need.",
        wrong={"take *": "The right card in the wrong place. Put it under your two queens."},
    ),
    Lesson(
        "Going out",
        "Turn up your last card and you’ve gone out. The others get one more turn, then everyone counts.",
        "You show 13, Ada 58. Turn up your last card.",
        "A five: 18 in all. Ada can’t make up for that in one turn.",
        ("flip r3c3",),
        LATE,
        shown=1,
        then=("reveal 5H",),
        clue="You could still swap cards, but you’re far ahead. Turn up your last one.",
    ),
)
