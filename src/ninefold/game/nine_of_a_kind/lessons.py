"""9 of a Kind, taught by playing it."""

from itertools import chain

from ninefold.kernel.lessons import Lesson, deal

PLAYERS = 5
# What the other four hold; no lesson deals these to seat 0.
OTHERS = (
    "AP 2X 3W 4L 5P 6R 7R 8X 9R",
    "AX 2W 3L 4R 5X 6P 7P 8W 9P",
    "AW 2L 3R 4P 5W 6X 7X 8L 9X",
    "AL 2R 3P 4X 6L 6W 7W 8R 9W",
)
SPADES = "AS 2S 3S 4S 5S 6S 7H 7D 9C"


def table(own: str) -> tuple[str, ...]:
    """The deal after which seat 0 holds these nine cards."""
    hands = [own.split(), *(hand.split() for hand in OTHERS)]
    return deal(" ".join(chain.from_iterable(zip(*hands, strict=True))))


LESSONS = (
    Lesson(
        "An offer",
        "Nine suits, nine ranks, nine cards in your hand, and everybody trades at once. You want all nine "
        "cards of one suit or of one rank. Six of yours are spades (S), so the two sevens can go. Two or "
        "three cards go together if they are of one suit or of one rank; the others see how many you hold "
        "out, never which.",
        "Hold out the two sevens.",
        "Whoever has two cards to spare may now give them to you, and gets yours, all at once.",
        "Type: offer 7H 7D",
        ("offer 7H 7D",),
        table(SPADES),
        players=PLAYERS,
    ),
    Lesson(
        "An answer",
        "Player 2 holds out one card. You answer with as many cards of your own; nobody knows what comes.",
        "Give Player 2 (seat 1) the nine of clubs.",
        "Both cards changed hands at the same moment. Only the two of you have seen them.",
        "Type: answer 1 9C",
        ("answer 1 9C",),
        (*table(SPADES), "1: offer AP"),
        players=PLAYERS,
    ),
    Lesson(
        "The centre",
        "The cards that were not dealt lie in the centre. After a trade with a player you may put one to "
        "three cards there and draw as many of those that lay there before; then you must trade with a "
        "player again.",
        "Trade the two sevens with the centre.",
        "Cards that nobody wants end up here, and some that somebody wants badly.",
        "Type: centre 7H 7D",
        ("centre 7H 7D",),
        (*table(SPADES), "1: offer AP", "0: answer 1 9C"),
        players=PLAYERS,
    ),
    Lesson(
        "9 of a Kind!",
        "All nine hearts are in your hand. Claim them before somebody else claims something. Whoever claims "
        "falsely puts the hand into the centre and is out of the round, so count first.",
        "Claim 9 of a Kind.",
        "All others now say whether they hold nine, too. Then everybody names a suit or rank, and you score "
        "the pips of all their other cards.",
        "Type: claim nine",
        ("claim nine",),
        table("AH 2H 3H 4H 5H 6H 7H 8H 9H"),
        players=PLAYERS,
    ),
    Lesson(
        "Blocked!",
        "There is another way to win: one card of every rank and one of every suit. It blocks everybody, for "
        "nobody can then have nine of a kind. Look at the ranks, then at the suits.",
        "Claim that you have blocked them all.",
        "It wins the round just as nine of a kind does. First to 300 points wins the game.",
        "Type: claim blocked",
        ("claim blocked",),
        table("AR 2P 3X 4W 5L 6S 7H 8D 9C"),
        players=PLAYERS,
    ),
)
