"""Studies of a game: how long, how fair, how lucky, and what every rule does, as one report."""
