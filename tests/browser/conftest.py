"""A server and a browser, started once for each file of tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from support.browsing import chromium
from support.serving import Running, serving


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("house")) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found
