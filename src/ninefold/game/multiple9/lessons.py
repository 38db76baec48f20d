"""Multiple 9, taught by playing it."""

from ninefold.kernel.lessons import Lesson, deal

OTHER = ["K", "7", "2", "J", "4"]  # nothing to go out with


def dealt(own: str, *more: str) -> tuple[str, ...]:
    """The deal after which seat 0 has these five cards, and what happens then."""
    pairs = zip(own.split(), OTHER, strict=True)
    return (*deal(" ".join(f"{mine} {other}" for mine, other in pairs)), *more)


LESSONS = (
    Lesson(
        "A group",
        "You want to be the first without cards. Cards go down in groups: one or two ranks, up to four cards "
        "of each, that total a multiple of nine. An ace counts 1, a jack 11, a queen 12, a king 13. Every "
        "turn you draw a card and may then put groups down.",
        "You have drawn a queen. Find the two cards that make 18, and put them down.",
        "Say done when you have put down all you want.",
        "10 and 8 make 18. Type: lay 10 8",
        ("lay 10 8",),
        dealt("10 8 K 7 3", "deal Q"),
    ),
    Lesson(
        "A nine needs company",
        "A group of exactly nine may not go down alone, unless it is the last you have. With another group "
        "beside it, it may. Here 6 and 3 make nine, and K and 5 make 18.",
        "Put down the 6 and the 3 first.",
        "Now another group has to follow: K 5, or 5 4, a second nine.",
        "Type: lay 6 3",
        ("lay 6 3",),
        dealt("6 3 K 2 4", "deal 5"),
    ),
    Lesson(
        "Two ranks at most",
        "8 and 4 and 4 and 2 make 18, but of three ranks, so they are no group. The cards of one rank may be "
        "in several groups, though: 8 4 4 A A is 8 A and 4 4 A.",
        "Put down 8 A, or 4 4 A.",
        "The other one follows, and you are left with one card.",
        "Type: lay 8 A",
        ("lay 8 A", "lay 4 4 A"),
        dealt("8 4 4 A K", "deal A"),
    ),
    Lesson(
        "At the deal",
        "You have been dealt Q Q 3 and 10 8: 27 and 18. Before the first turn, whoever can put down all five "
        "cards is asked.",
        "Go out.",
        "You have won, before anybody has drawn a card. It happens once in forty deals.",
        "Type: go out",
        ("go out",),
        dealt("Q Q 3 8 10"),
    ),
    Lesson(
        "To keep or to put down",
        "10 and 8 could go down now. But groups total multiples of nine, so whatever you put down, the same "
        "cards would complete the rest; and cards that you keep can still be grouped in other ways. Holding "
        "everything back until all of it can go down wins most games. Where all do so, the cards run out "
        "and nobody wins.",
        "Put down 10 8, or keep everything and say done.",
        "When the stock is empty, the cards put down become the stock. When there are none, and nobody puts "
        "any down for a whole round, the game ends undecided.",
        steps=dealt("10 8 8 K 6", "deal 3"),
    ),
)
