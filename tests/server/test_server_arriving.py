"""How long something may take to arrive."""

from __future__ import annotations

import asyncio
import inspect
import time

import pytest

from ninefold.server.http.arriving import within


async def after(seconds: float) -> str:
    await asyncio.sleep(seconds)
    return "here"


def test_what_comes_in_time_is_taken_and_what_does_not_is_let_go() -> None:
    async def run() -> None:
        assert await within(60, after(0)) == "here"
        late = after(60)
        with pytest.raises(TimeoutError):
            await within(0.02, late)
        await asyncio.sleep(0)
        assert inspect.getcoroutinestate(late) == inspect.CORO_CLOSED, "it ends with the wait"

    asyncio.run(run())


def test_what_came_while_the_server_was_busy_is_in_time() -> None:
    """It could do nothing for longer than the time allowed, and finds the end of the time first."""

    async def run() -> str:
        loop = asyncio.get_running_loop()
        arrived: asyncio.Future[None] = loop.create_future()

        async def arriving() -> str:
            await arrived
            await asyncio.sleep(0)  # it takes a round of the loop or two to be read
            return "here"

        def busy() -> None:
            time.sleep(0.3)
            loop.call_soon(arrived.set_result, None)

        loop.call_soon(busy)
        return await within(0.2, arriving())

    assert asyncio.run(run()) == "here"


def test_an_error_is_passed_on() -> None:
    async def broken() -> str:
        raise KeyError("x")

    with pytest.raises(KeyError):
        asyncio.run(within(1, broken()))
