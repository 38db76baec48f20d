"""Settings for all tests: a first call may have to compile, so there is no deadline; and nothing may hang."""

from __future__ import annotations

import faulthandler
import signal
import warnings
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key
from hypothesis import settings

pytest.register_assert_rewrite("support")
settings.register_profile("ninefold", deadline=None)
settings.load_profile("ninefold")

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # a shell that starts this in the background has it so
    signal.signal(signal.SIGINT, signal.default_int_handler)

GRACE = 120
"""Seconds that a test's clearing up may take after the test's own limit, before its process is ended."""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Ends a process that hangs although its test's time is over.

    A test's limit interrupts the test. What clears up after it (a browser to be closed, whose last call was
    interrupted) can then wait for ever, and the whole run with it. Here the process ends with its stacks
    printed; the run counts the test as failed, and another process goes on with the rest.
    """
    given = item.config.getoption("timeout", None)  # 0 in the soak: no limit
    limit = float(item.config.getini("timeout") or 0) if given is None else given
    if limit:
        output = item.config.stash[fault_handler_stderr_fd_key]
        faulthandler.dump_traceback_later(limit + GRACE, exit=True, file=output)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


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
