"""The database's tables. A table's order is a primary key (table, seq): two servers cannot both write it."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("code", sa.String(16), nullable=False, unique=True),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("public", sa.Integer, nullable=False),
    sa.Column("made", sa.Float, nullable=False),
    sa.Column("touched", sa.Float, nullable=False),
    # The number and hash of its last event, so that a lost end is noticed; empty in databases of before.
    sa.Column("last", sa.Integer, nullable=True),
    sa.Column("head", sa.String(64), nullable=True),
    sa.Column("idle", sa.Integer, nullable=False, server_default="0"),  # how often it was found idle
    sa.Column("checked", sa.Float, nullable=False, server_default="0"),  # and when last
    sa.Index("tables_touched", "touched"),
)

events = sa.Table(
    "events",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("who", sa.String(80), nullable=True),  # whose command it answers
    sa.Column("command", sa.String(80), nullable=True),  # the id that their program gave it
    sa.Column(
        "digest", sa.String(64), nullable=True
    ),  # of the command's content: the same id must mean the same
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("hash", sa.String(64), nullable=False),  # of this event and the hash before it
    sa.UniqueConstraint("table_id", "who", "command", name="events_command"),
)

tokens = sa.Table(
    "tokens",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(32), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("tenant", sa.Integer, nullable=False),
    sa.Column("purpose", sa.String(10), nullable=False),  # seat or recovery
    sa.Index("tokens_table", "table_id"),
)

secrets = sa.Table(
    "secrets",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("match", sa.Integer, primary_key=True),
    sa.Column("secret", sa.LargeBinary(32), nullable=False),
)

seasons = sa.Table(
    "seasons",
    metadata,
    sa.Column("code", sa.String(16), primary_key=True),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("made", sa.Float, nullable=False),
)

results = sa.Table(
    "results",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("match", sa.Integer, primary_key=True),
    sa.Column("season", sa.String(16), nullable=False),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("body", sa.Text, nullable=False),  # who played, what they scored and who won
    sa.Index("results_season", "season", "at"),
)

health = sa.Table(
    "health",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),  # when a server last wrote only to see whether it can
)

# What must stay readable after the rules have changed, as it was sent when the match ended.
archive = sa.Table(
    "archive",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("match", sa.Integer, primary_key=True),
    sa.Column("what", sa.String(40), primary_key=True),
    sa.Column("body", sa.LargeBinary, nullable=False),  # packed with gzip
)

presence = sa.Table(
    "presence",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),  # when this seat's player was last connected to a server
)
