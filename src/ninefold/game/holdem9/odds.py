"""Odds."""


def odds() -> None:
    """Later."""
