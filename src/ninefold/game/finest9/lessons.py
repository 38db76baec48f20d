"""Finest 9, taught by playing it."""

from ninefold.kernel.lessons import Lesson, deal

# Seat 0 rolls higher and begins; cards go to it and to seat 1 in turn.
FIRST = ("roll 5 6", "roll 1 2")
OTHERS = ["2H", "3H", "4H", "JH", "QH", "KH", "AH", "2D", "4D"]


def table(own: str) -> tuple[str, ...]:
    """The deal after which seat 0 has these nine cards before it."""
    return (
        *FIRST,
        *deal(" ".join(f"{mine} {other}" for mine, other in zip(own.split(), OTHERS, strict=True))),
    )


LESSONS = (
    Lesson(
        "A set",
        "Nine cards lie before you, face up. You have rolled 3 and 4, a seven, and you hold two of them. A "
        "match is at least two cards, and one of them must have the value of the dice.",
        "Capture the sevens.",
        "They are yours: 14 points. What still lies before you at the end counts against you.",
        "Type: capture 7 7",
        ("capture 7 7",),
        (*table("7S 7C 2S 2C 5S 10S JS KS AS"), "roll 3 4"),
    ),
    Lesson(
        "A sequence",
        "Three neighbouring ranks match as well, if one of them has the value of the dice. You rolled six, "
        "and hold one six only: alone it is no match, but 5 6 7 is one.",
        "Capture 5 6 7.",
        "18 points from one roll.",
        "Type: capture 5 6 7",
        ("capture 5 6 7",),
        (*table("5S 6S 7S 2S 2C 10S JS KS AS"), "roll 2 4"),
    ),
    Lesson(
        "Nines are wild",
        "A nine goes with any set, and stands for any card of a sequence. You rolled seven and hold one "
        "seven and two nines: you may take the seven with one nine, or with both. A nine kept helps later; "
        "a nine left on the table at the end costs nine points.",
        "Capture the seven with one nine, and keep the other.",
        "Which nines to spend, and when, is what good players are good at.",
        "Type: capture 7 9",
        ("capture 7 9",),
        (*table("7S 9S 9C 2S 2C 10S JS KS AS"), "roll 1 6"),
    ),
    Lesson(
        "Which one?",
        "Whoever has a match must take one, and only one. With 10, J, Q and K all worth ten, a ten offers "
        "you several here.",
        "Look at the moves and take the one that captures most points.",
        "31 points: the ace counts eleven. When the deck is empty everybody has one more turn, and the "
        "most points captured, less what still lies there, win.",
        "The sequence with the ace is worth most. Type: capture Q K A",
        ("capture Q K A",),
        (*table("QS KS AS QC 2S 3S 5S 6S 10S"), "roll 4 6"),
    ),
)
