"""Ratings: one number for each bot, from the results of many line-ups. It knows no game.

Wins are explained by the model of Plackett and Luce: each seat wins with a probability in proportion to the
strength of its bot. Ratings are on Elo's scale: 400 points are strength ten to one. Where scores are what
counts, the rating is the score per game.

One bot is the anchor, and the intervals are those of the differences from it: an average would be as
uncertain as the rating of a bot that never wins.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

ELO = 400 / math.log(10)
ANCHOR = 1_500  # the rating of the bot that the others are compared with
STEPS = 200
PRIOR = 1.0  # games that everyone is taken to have drawn against nobody, so that ratings are finite


def elo(seats: Any, wins: Any, anchor: int) -> tuple[Any, Any]:
    """Ratings and the halves of their 95 % intervals.

    `seats` and `wins` have a row for each line-up and a column for each bot.
    """
    games = wins.sum(axis=1)
    bots = seats.shape[1]
    strength = np.zeros(bots)
    information = np.eye(bots)
    for _ in range(STEPS):
        weights = seats * np.exp(strength)
        likely = weights / weights.sum(axis=1, keepdims=True)
        slope = wins.sum(axis=0) - (games[:, None] * likely).sum(axis=0)
        information = np.diag((games[:, None] * likely).sum(axis=0)) - (likely * games[:, None]).T @ likely
        half = 1 / (1 + np.exp(-strength))
        slope += PRIOR * (0.5 - half)
        information += np.diag(PRIOR * half * (1 - half))
        step = np.linalg.solve(information, slope)
        strength += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    away = from_anchor(bots, anchor)
    return ANCHOR + ELO * (away @ strength), ELO * _margins(away, np.linalg.inv(information))


def from_anchor(bots: int, anchor: int) -> Any:
    """The matrix that makes differences from one bot."""
    return np.eye(bots) - np.eye(bots)[anchor]


def _margins(away: Any, covariance: Any) -> Any:
    return 1.96 * np.sqrt(np.diag(away @ covariance @ away.T).clip(0))


def by_score(seats: Any, scores: Any, margins: Any, anchor: int) -> tuple[Any, Any]:
    """Scores per game more than the anchor gets, and the halves of their 95 % intervals.

    Least squares over the differences from the mean of each table; where a bot did not sit, its score is
    ignored.
    """
    bots = seats.shape[1]
    present = seats > 0
    parts = seats / seats.sum(axis=1, keepdims=True)
    means = (parts * np.where(present, scores, 0)).sum(axis=1)
    rows, values, weights = [], [], []
    for at, bot in zip(*np.nonzero(present), strict=True):
        kinds = present[at].sum()
        if kinds > 1:
            rows.append(np.eye(bots)[bot] - parts[at])
            values.append(scores[at, bot] - means[at])
            weights.append((kinds - 1) / kinds / max(margins[at, bot] / 1.96, 1e-9) ** 2)
    design, weight = np.array(rows).reshape(-1, bots), np.array(weights)
    information = design.T @ (weight[:, None] * design)
    inverse = np.linalg.pinv(information)
    away = from_anchor(bots, anchor)
    return away @ inverse @ design.T @ (weight * np.array(values)), _margins(away, inverse)
