"""Settings for all tests: a first call may have to compile, so Hypothesis sets no deadline."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("ninefold", deadline=None)
settings.load_profile("ninefold")


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real PostgreSQL, started once."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the folders that it looks for
            import pgserver

            server = pgserver.get_server(tmp_path_factory.mktemp("postgres"), cleanup_mode="stop")
    except Exception as error:
        pytest.skip(f"no PostgreSQL can be started here: {type(error).__name__}: {error}")
    yield server.get_uri()
    server.cleanup()
