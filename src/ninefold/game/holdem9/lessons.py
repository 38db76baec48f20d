"""Multiple 9 Hold'em, taught by playing it."""

from ninefold.model.lessons import Lesson, deal

# Two players: seat 0 has the button and the small blind, and the first card goes to seat 1.

LESSONS = (
    Lesson(
        "Nines",
        "Your two cards are K and 5: together 18, which is two nines. At the end all seven cards count: "
        "yours and the five on the board. Cards of one or two ranks that total a multiple of nine are a "
        "group, and the most nines win. It costs 5 more to see the flop.",
        "Call.",
        "K 5 is the best starting hand: 18 in two cards, and they combine well with others.",
        ("call",),
        deal("2H KS 4H 5S"),
    ),
    Lesson(
        "No bet, no fold",
        "The other player only called, so you have nothing to pay. Your cards are poor, but a check is free.",
        "Check.",
        "You can never fold when checking is free.",
        ("check",),
        (*deal("2H KS 4H 5S"), "0: call"),
        seat=1,
    ),
    Lesson(
        "Raise",
        "A raise names the new bet, not the difference: raise to 40 means that your bet becomes 40. You must "
        "raise by at least the last bet or raise, and by at most all your chips.",
        "Raise to 40.",
        "The other player now needs 30 to call, and can only raise to 70 or more.",
        ("raise to 40",),
        deal("2H KS 4H KD"),
    ),
    Lesson(
        "What have I got?",
        "The board is J 7 9 2 10, and you hold K K. J and 7 are two nines, the 9 is one, and K K 10 is 36, "
        "four more. That makes seven nines, with only the 2 unused. The other player bets 50.",
        "Do not fold this one: call or raise.",
        "Between equal nines, the unused cards decide: fewer ranks are better, then higher ranks.",
        ("call", *(f"raise to {amount}" for amount in range(100, 991))),
        (
            *(*deal("8H KS 7S KD"), "0: call", "1: check", *deal("JS 7H 9D"), "1: check", "0: check"),
            *("deal 2C", "1: check", "0: check", "deal 10C", "1: bet 50"),
        ),
    ),
    Lesson(
        "Fold",
        "The other player raises to all 1000 chips, and you hold 4 and 2, the worst starting hand. Your ten "
        "chips in the pot are gone, but you need not add more.",
        "Fold.",
        "Nobody will ever see the cards you fold. Uncalled chips go back to the player who bet them.",
        ("fold",),
        (*deal("2H KS 4H 5S"), "0: raise to 1000"),
        seat=1,
    ),
)
