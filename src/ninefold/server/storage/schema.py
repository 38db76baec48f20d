"""The database's tables. A table's order is a primary key (table, seq): two servers cannot both write it."""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("code", String(16), nullable=False, unique=True),
    Column("game", String(40), nullable=False),
    Column("public", Integer, nullable=False),
    Column("made", Float, nullable=False),
    Column("touched", Float, nullable=False),
    Index("tables_touched", "touched"),
)

events = Table(
    "events",
    metadata,
    Column("table_id", String(32), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("who", String(80), nullable=True),  # whose command it answers
    Column("command", String(80), nullable=True),  # the id that their program gave it
    Column("digest", String(64), nullable=True),  # of the command's content: the same id must mean the same
    Column("body", Text, nullable=False),
    Column("at", Float, nullable=False),
    Column("hash", String(64), nullable=False),  # of this event and the hash before it
    UniqueConstraint("table_id", "who", "command", name="events_command"),
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("table_id", String(32), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("tenant", Integer, nullable=False),
    Column("purpose", String(10), nullable=False),  # seat or recovery
    Index("tokens_table", "table_id"),
)

secrets = Table(
    "secrets",
    metadata,
    Column("table_id", String(32), primary_key=True),
    Column("match", Integer, primary_key=True),
    Column("secret", LargeBinary(32), nullable=False),
)

seasons = Table(
    "seasons",
    metadata,
    Column("code", String(16), primary_key=True),
    Column("name", String(200), nullable=False),
    Column("made", Float, nullable=False),
)

results = Table(
    "results",
    metadata,
    Column("table_id", String(32), primary_key=True),
    Column("match", Integer, primary_key=True),
    Column("season", String(16), nullable=False),
    Column("game", String(40), nullable=False),
    Column("at", Float, nullable=False),
    Column("body", Text, nullable=False),  # who played, what they scored and who won
    Index("results_season", "season", "at"),
)

presence = Table(
    "presence",
    metadata,
    Column("table_id", String(32), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("at", Float, nullable=False),  # when this seat's player was last connected to a server
)
