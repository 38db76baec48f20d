"""Multiple 9, taught by playing it."""

from ninefold.model.lessons import Lesson, deal

OTHER = ["K", "7", "2", "J", "4"]  # nothing to go out with


def dealt(own: str, *more: str) -> tuple[str, ...]:
    """The deal that gives seat 0 these five cards, and the steps after it."""
    pairs = zip(own.split(), OTHER, strict=True)
    return (*deal(" ".join(f"{mine} {other}" for mine, other in pairs)), *more)


LESSONS = (
    Lesson(
        "Groups",
        "Be the first to get rid of your cards. They go down in groups that add up to 9, 18, 27 and so on. "
        "An ace counts 1, a jack 11, a queen 12, a king 13.",
        "You drew a queen. Find two cards that make 18, and lay them.",
        "10 and 8 are gone. That’s a turn: draw a card, lay what you like.",
        ("lay 10 8",),
        dealt("10 8 K 7 3", "deal Q"),
        shown=1,
        clue="You may pass, but not yet: 10 and 8 make 18.",
    ),
    Lesson(
        "A nine needs company",
        "A group that makes exactly nine can’t go down alone, unless those are your last cards. With a "
        "second group it’s fine.",
        "Lay a nine. You have a second group to follow.",
        "Now a second group has to follow, and you have one.",
        ("lay 6 3", "lay 5 4"),
        dealt("6 3 K 2 4", "deal 5"),
        shown=1,
        clue="Look for two cards that make nine: 6 and 3, or 5 and 4.",
        wrong={"lay K 5": "K and 5 make 18 and could go alone. Start with a nine this time."},
    ),
    Lesson(
        "Two ranks, no more",
        "A group has one rank or two, never three. 8 4 4 2 make 18, but that’s three: no group. "
        "Cards of one rank can go into different groups, though.",
        "8 4 4 A A are two groups. Lay the first of them.",
        "And the other goes down next: five cards gone, one left.",
        ("lay 8 A", "lay 4 4 A"),
        dealt("8 4 4 A K", "deal A"),
        shown=1,
        clue="There are two nines in it: 8 A and 4 4 A.",
    ),
    Lesson(
        "Out at once",
        "If all five cards you’re dealt fit into groups, you may go out before the first turn, and win.",
        "Q Q 3 make 27, 10 and 8 make 18. Go out!",
        "You’ve won before anyone drew a card. That happens once in forty deals.",
        ("go out",),
        dealt("Q Q 3 8 10"),
        shown=2,
        clue="You could play on, but why? Go out, and you’ve won.",
    ),
    Lesson(
        "Patience",
        "Laying a group early doesn’t bring you closer: the cards you keep can form new groups when better "
        "ones come. Good players often wait, then go out in one go.",
        "Lay 10 and 8, or pass and keep everything. You decide.",
        "Waiting wins more often. But if everyone waits, the cards may run out and nobody wins.",
        steps=dealt("10 8 8 K 6", "deal 3"),
        shown=1,
    ),
)
