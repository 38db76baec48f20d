"""A server, started once for each file of tests that does not start one in its own way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.serving import Running, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("server"), failures=1e6) as running:
        yield running
