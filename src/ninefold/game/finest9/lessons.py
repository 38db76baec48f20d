"""Finest 9, taught by playing it."""

from ninefold.model.lessons import Lesson, deal

# Seat 0 rolls higher and begins; cards go to it and to seat 1 in turn.
FIRST = ("roll 5 6", "roll 1 2")
OTHERS = ["2H", "3H", "4H", "JH", "QH", "KH", "AH", "2D", "4D"]


def table(own: str) -> tuple[str, ...]:
    """The deal that gives seat 0 these nine cards."""
    return (
        *FIRST,
        *deal(" ".join(f"{mine} {other}" for mine, other in zip(own.split(), OTHERS, strict=True))),
    )


LESSONS = (
    Lesson(
        "A set",
        "You have nine cards, face up. You rolled 3 and 4, which makes seven, and you have two sevens. A "
        "match is at least two cards, and one of them must have the value of the dice.",
        "Capture the sevens.",
        "They are yours: 14 points. Cards still on your table at the end count against you.",
        ("capture 7 7",),
        (*table("7S 7C 2S 2C 5S 10S JS KS AS"), "roll 3 4"),
    ),
    Lesson(
        "A sequence",
        "Three ranks in sequence match as well, if one of them has the value of the dice. You rolled six "
        "and have only one six: alone it is not a match, but 5 6 7 is one.",
        "Capture 5 6 7.",
        "18 points from one roll.",
        ("capture 5 6 7",),
        (*table("5S 6S 7S 2S 2C 10S JS KS AS"), "roll 2 4"),
    ),
    Lesson(
        "Nines are wild",
        "A nine goes with any set, and can replace any card of a sequence. You rolled seven and have one "
        "seven and two nines: you may take the seven with one nine, or with both. A nine you keep helps "
        "later; a nine left on the table at the end costs nine points.",
        "Capture the seven with one nine, and keep the other.",
        "Knowing which nines to spend, and when, makes a good player.",
        ("capture 7 9",),
        (*table("7S 9S 9C 2S 2C 10S JS KS AS"), "roll 1 6"),
    ),
    Lesson(
        "Which one?",
        "If you have a match you must take one, and only one. 10, J, Q and K are all worth ten, so rolling "
        "a ten gives you several here.",
        "Look at the moves, and take the one that captures the most points.",
        "31 points: the ace counts eleven. When the deck is empty, everyone has one more turn. Then your "
        "score is the points you captured minus those still on your table. The highest score wins.",
        ("capture Q K A",),
        (*table("QS KS AS QC 2S 3S 5S 6S 10S"), "roll 4 6"),
        clue="The sequence with the ace is worth the most.",
    ),
)
