"""Settings for all tests: a first call may have to compile, so Hypothesis sets no deadline."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("support")
settings.register_profile("ninefold", deadline=None)
settings.load_profile("ninefold")


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real PostgreSQL, started once."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the folders that it looks for
        for _ in range(3):  # it gives up soon on a busy machine
            try:
                server: Any = import_module("pgserver").get_server(
                    tmp_path_factory.mktemp("postgres"), cleanup_mode="stop"
                )
                break
            except Exception as error:
                why = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        else:
            pytest.skip(f"no PostgreSQL can be started here: {why}")
    yield server.get_uri()
    server.cleanup()
