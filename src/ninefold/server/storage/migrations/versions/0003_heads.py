"""Of every table its last event and how often it was found idle; old matches; a row to write for a check."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("tables", sa.Column("last", sa.Integer, nullable=True))
    op.add_column("tables", sa.Column("head", sa.String(64), nullable=True))
    op.add_column("tables", sa.Column("idle", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("checked", sa.Float, nullable=False, server_default="0"))
    op.execute("UPDATE tables SET last = (SELECT max(seq) FROM events WHERE table_id = tables.id)")
    op.execute(
        "UPDATE tables SET head = (SELECT hash FROM events WHERE table_id = tables.id AND seq = tables.last)"
    )
    op.create_table(
        "health",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "archive",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("match", sa.Integer, primary_key=True),
        sa.Column("what", sa.String(40), primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
