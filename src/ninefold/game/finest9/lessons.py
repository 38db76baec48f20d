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
        "Roll and take",
        "Your nine cards lie open. On your turn you roll, and take cards that match the dice: two or more of "
        "the same rank will do.",
        "3 and 4 make seven. Take your two sevens.",
        "14 points! Cards you take are points. Cards you’re left with at the end cost points.",
        ("capture 7 7",),
        (*table("7S 7C 2S 2C 5S 10S JS KS AS"), "roll 3 4"),
        shown=1,
        clue="The dice show seven, so look for sevens.",
    ),
    Lesson(
        "Three in a row",
        "You rolled six and have only one. A card alone is no match. But three in a row match as well, if "
        "one of them is what you rolled.",
        "Take 5 6 7.",
        "18 points with one roll.",
        ("capture 5 6 7",),
        (*table("5S 6S 7S 2S 2C 10S JS KS AS"), "roll 2 4"),
        shown=1,
        clue="Look for three in a row around the six.",
    ),
    Lesson(
        "Nines are wild",
        "A nine goes with any match, or fills any gap in a row. You rolled seven, and have just one: a nine "
        "helps out. Any nine you keep can help again.",
        "Take the seven with one nine, and keep the other.",
        "16 points, and a nine for later. Use it in time: left over, it costs you nine.",
        ("capture 7 9",),
        (*table("7S 9S 9C 2S 2C 10S JS KS AS"), "roll 1 6"),
        shown=1,
        clue="More points now, that’s true. But one nine is enough here: keep the other for later.",
    ),
    Lesson(
        "Only one",
        "You may take only one match in a turn. 10, J, Q and K all count ten and an ace eleven, so a ten "
        "often gives you a choice.",
        "You rolled ten. Take the match with the most points.",
        "31 points! Without a match you’d draw a card. When the deck is empty, all have one more turn.",
        ("capture Q K A",),
        (*table("QS KS AS QC 2S 3S 5S 6S 10S"), "roll 4 6"),
        shown=1,
        clue="That’s 20 points. There’s a better one, with the ace.",
    ),
)
