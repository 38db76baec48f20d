"""A TCP proxy in front of a server: it can delay what passes, freeze without closing anything, or be cut."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


class Proxy:
    """Between a browser and a server. Frozen, it accepts connections and passes nothing on."""

    def __init__(self, url: str) -> None:
        self.target = urlsplit(url)
        self.delay = 0.0  # seconds, each way
        self.url = ""
        self.ready = threading.Event()
        self.loop: asyncio.AbstractEventLoop
        self._flows: asyncio.Event
        self._end: asyncio.Event
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_cut = False

    async def run(self) -> None:
        self.loop, self._flows, self._end = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
        self._flows.set()
        server = await asyncio.start_server(self._open, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        self.ready.set()
        await self._end.wait()
        server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def freeze(self) -> None:
        self.loop.call_soon_threadsafe(self._flows.clear)

    def thaw(self) -> None:
        self.loop.call_soon_threadsafe(self._flows.set)

    def cut(self) -> None:
        """Close everything, and whatever is opened from now on."""
        self._is_cut = True
        self.loop.call_soon_threadsafe(lambda: [task.cancel() for task in self._tasks])

    def mend(self) -> None:
        self._is_cut = False

    def end(self) -> None:
        self.loop.call_soon_threadsafe(self._end.set)

    async def _open(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        ends = [writer]
        try:
            if self._is_cut:
                raise asyncio.CancelledError
            await self._flows.wait()
            there, back = await asyncio.open_connection(self.target.hostname, self.target.port)
            ends.append(back)
            await asyncio.gather(self._pass(reader, back), self._pass(there, writer))
        except asyncio.CancelledError:
            pass  # the end of the test
        finally:
            for end in ends:
                end.close()
                with suppress(OSError):
                    await end.wait_closed()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                await asyncio.sleep(self.delay)
                await self._flows.wait()
                writer.write(data)
                await writer.drain()
        writer.close()


@contextmanager
def proxied(url: str) -> Iterator[Proxy]:
    """A proxy in a thread of its own."""
    proxy = Proxy(url)
    thread = threading.Thread(target=lambda: asyncio.run(proxy.run()))
    thread.start()
    assert proxy.ready.wait(30)
    try:
        yield proxy
    finally:
        proxy.end()
        thread.join(30)
        assert not thread.is_alive()
