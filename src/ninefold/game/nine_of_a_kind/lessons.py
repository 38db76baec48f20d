"""9 of a Kind, taught by playing it."""

from itertools import chain

from ninefold.model.lessons import Lesson, deal

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
    """The deal that gives seat 0 these nine cards."""
    hands = [own.split(), *(hand.split() for hand in OTHERS)]
    return deal(" ".join(chain.from_iterable(zip(*hands, strict=True))))


LESSONS = (
    Lesson(
        "An offer",
        "Nine suits, nine ranks, nine cards in your hand, and everyone trades at once. You want all nine "
        "cards of one suit or one rank. Six of yours are spades (S), so the two sevens can go. You may "
        "offer two or three cards together if they share a suit or a rank. The others see how many you "
        "offer, but not which.",
        "Offer the two sevens.",
        "Anyone with two cards to spare may now trade them for yours.",
        ("offer 7H 7D",),
        table(SPADES),
        players=PLAYERS,
    ),
    Lesson(
        "An answer",
        "Player 2 offers one card. You answer with one card, too; neither of you knows what comes.",
        "Give Player 2 (seat 1) the nine of clubs.",
        "You have swapped cards. Only the two of you have seen them.",
        ("answer 1 9C",),
        (*table(SPADES), "1: offer AP"),
        players=PLAYERS,
    ),
    Lesson(
        "The centre",
        "The cards that were not dealt are in the centre. After a trade with a player you may put one to "
        "three cards there and draw the same number from those already there; then you must trade with a "
        "player again.",
        "Trade the two sevens with the centre.",
        "Unwanted cards end up in the centre, and sometimes a card that another player badly needs.",
        ("centre 7H 7D",),
        (*table(SPADES), "1: offer AP", "0: answer 1 9C"),
        players=PLAYERS,
    ),
    Lesson(
        "9 of a Kind!",
        "You have all nine hearts. Claim before another player does. After a false claim your hand goes to "
        "the centre and you are out of the round, so count first.",
        "Claim 9 of a Kind.",
        "The others now say whether they have nine, too. Then each of them names a suit or rank, and you "
        "score the pips of all their other cards.",
        ("claim nine",),
        table("AH 2H 3H 4H 5H 6H 7H 8H 9H"),
        players=PLAYERS,
    ),
    Lesson(
        "Blocked!",
        "There is another way to win: one card of every rank and of every suit. It blocks everyone, because "
        "nobody else can have nine of a kind. Look at the ranks, then at the suits.",
        "Claim that you have blocked everyone.",
        "It wins the round, just like nine of a kind. The first to 300 points wins the game.",
        ("claim blocked",),
        table("AR 2P 3X 4W 5L 6S 7H 8D 9C"),
        players=PLAYERS,
    ),
)
