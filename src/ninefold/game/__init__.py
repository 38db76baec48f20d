"""The games: one package each, complete in itself. Nothing here imports a game."""
