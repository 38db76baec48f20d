"""Matches: games made with their options, states, views, records and replay. Knows no game by name."""
