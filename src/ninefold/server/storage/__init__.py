"""The event store, on SQLite or PostgreSQL."""
