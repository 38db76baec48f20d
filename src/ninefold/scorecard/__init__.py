"""Score keeping for a real table: people roll real dice, the card counts. Knows no bots and no server."""

GAME = "doubles"  # the game whose score it keeps
