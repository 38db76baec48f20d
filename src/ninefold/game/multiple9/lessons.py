"""Multiple 9, taught by playing it."""

from ninefold.model.lessons import Lesson, deal

OTHER = ["K", "7", "2", "J", "4"]  # nothing to go out with


def dealt(own: str, *more: str) -> tuple[str, ...]:
    """The deal that gives seat 0 these five cards, and the steps after it."""
    pairs = zip(own.split(), OTHER, strict=True)
    return (*deal(" ".join(f"{mine} {other}" for mine, other in pairs)), *more)


LESSONS = (
    Lesson(
        "A group",
        "Be the first without cards. Cards go down in groups: one or two ranks, up to four cards of each, "
        "that total a multiple of nine. An ace counts 1, a jack 11, a queen 12, a king 13. On each turn "
        "you draw a card, and may then put down groups.",
        "You have drawn a queen. Find the two cards that make 18, and put them down.",
        "Choose done when you have put down all you want.",
        ("lay 10 8",),
        dealt("10 8 K 7 3", "deal Q"),
        clue="10 and 8 make 18.",
    ),
    Lesson(
        "A nine needs company",
        "A group that totals exactly nine may not go down alone, unless it is your last cards. With another "
        "group it may. Here 6 and 3 make nine, and K and 5 make 18.",
        "Put down the 6 and the 3 first.",
        "Now you must put down another group: K 5, or 5 4, a second nine.",
        ("lay 6 3",),
        dealt("6 3 K 2 4", "deal 5"),
    ),
    Lesson(
        "Two ranks at most",
        "8, 4, 4 and 2 make 18, but they have three ranks, so they are not a group. Cards of one rank may be "
        "in different groups, though: 8 4 4 A A is 8 A and 4 4 A.",
        "Put down 8 A, or 4 4 A.",
        "You can put down the other one next, and keep just one card.",
        ("lay 8 A", "lay 4 4 A"),
        dealt("8 4 4 A K", "deal A"),
    ),
    Lesson(
        "At the deal",
        "You were dealt Q Q 3 and 10 8, which make 27 and 18. Before the first turn, a player who can put "
        "down all five cards may go out.",
        "Go out.",
        "You have won before anyone has drawn a card. It happens once in forty deals.",
        ("go out",),
        dealt("Q Q 3 8 10"),
    ),
    Lesson(
        "To keep or to put down",
        "10 and 8 could go down now. But whatever you put down totals a multiple of nine, so the same cards "
        "would complete the rest, and cards you keep can still be grouped in other ways. Keeping everything "
        "until all of it can go down wins most games. If everyone does that, the cards run out and nobody "
        "wins.",
        "Put down 10 8, or keep everything and choose done.",
        "When the stock is empty, the cards put down become the new stock. If there are none, and nobody "
        "puts any down for a whole round, the game ends undecided.",
        steps=dealt("10 8 8 K 6", "deal 3"),
    ),
)
