"""Doubles, taught by playing it."""

from ninefold.model.lessons import Lesson

STAY = ("0: stay", "1: stay")

LESSONS = (
    Lesson(
        "One total for all",
        "Two dice are rolled, and their sum is added to one total that everyone shares. After every roll "
        "all players decide at once, in secret: stay, or cash out and keep the total. Here 5 and 6 "
        "made 11.",
        "It is early, and nothing can be lost yet. Stay in.",
        "Everyone stayed, so the dice roll again.",
        ("stay",),
        ("roll 5 6", "1: stay"),
        clue="11 points are not much, and nothing can be lost before the third seven.",
    ),
    Lesson(
        "Doubles and sevens",
        "Doubles double the total; as the first roll of a round they score 100 times their face. A seven "
        "adds 75 and is counted. Here double threes made 300, then a seven made it 375.",
        "One seven has been rolled, and the fourth ends the round. Wait, or take 375 now? Stay once more.",
        "Right: after only one seven, nothing can happen to you yet.",
        ("stay",),
        ("roll 3 3", *STAY, "roll 3 4", "1: stay"),
        clue="Only the fourth seven ends the round, and this was the first.",
    ),
    Lesson(
        "The third seven",
        "Three sevens have been rolled, and the total is 525. The next seven, one roll in six, would be "
        "the fourth, and everyone still in would get nothing.",
        "Take the points: cash out.",
        "525 points are yours, whatever the dice do next. Anyone who stays may win more, or get nothing.",
        ("cash out",),
        ("roll 3 3", *STAY, "roll 3 4", *STAY, "roll 2 5", *STAY, "roll 1 6", "1: stay"),
        clue="Now you can lose it all.",
    ),
    Lesson(
        "Alone in the round",
        "The other player has cashed out 525. You stayed, and double fours made it 1,050. You are alone in "
        "the round now, so there is no race to win.",
        "Decide for yourself: stay, or cash out.",
        "That is the whole game: ten rounds, and the most points win.",
        steps=(
            *("roll 3 3", *STAY, "roll 3 4", *STAY, "roll 2 5", *STAY, "roll 1 6"),
            *("0: stay", "1: cash out", "roll 4 4"),
        ),
    ),
)
