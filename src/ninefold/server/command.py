"""`ninefold serve`: run the server on this machine."""

from __future__ import annotations

import gc
import socket
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import click

from ninefold.files.paths import data_folder
from ninefold.kernel.errors import RuleError


@click.command(
    epilog="""\b
Examples:
  ninefold serve                      on this machine only
  ninefold serve --host 0.0.0.0       for phones on the same network, too
  ninefold serve --processes 4        for hundreds of tables at once
  ninefold serve --database postgresql://ninefold@db/ninefold --port 8001
"""
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65_535), default=9009, show_default=True)
@click.option("--data", type=click.Path(file_okay=False), default=None, help="The folder for the database.")
@click.option("--database", default=None, help="A PostgreSQL database instead: postgresql://…")
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="How many processes to run: for hundreds of tables on several cores.",
)
@click.option(
    "--proxy",
    "proxies",
    is_flag=False,
    flag_value="127.0.0.1,::1",
    default=None,
    metavar="[ADDRESSES]",
    help="Behind a reverse proxy: trust the headers of those on this machine, or at these addresses.",
)
@click.option("--limit", "limits", multiple=True, metavar="NAME=NUMBER", help="Change a limit: sockets=5000.")
@click.option("--log-level", type=click.Choice(["debug", "info", "warning"]), default="warning")
def serve(
    host: str,
    port: int,
    data: str | None,
    database: str | None,
    processes: int,
    proxies: str | None,
    limits: tuple[str, ...],
    log_level: str,
) -> None:
    """Play in the browser, with friends and bots: anyone with a table's link can join."""
    from ninefold.server.cluster.processes import ServerProcesses
    from ninefold.server.http.limits import Limits
    from ninefold.server.http.logs import begin
    from ninefold.server.http.protocols import raise_file_limit
    from ninefold.server.http.routes import build
    from ninefold.server.http.running import Running, configured
    from ninefold.server.storage.store import open_store

    chosen, peers = Limits.given(limits), ServerProcesses.given()
    begin(log_level)
    raise_file_limit(chosen.everyone)
    folder = Path(data) if data else data_folder()
    if processes > 1 and peers is None:
        options = ["--host", host, "--data", str(folder), "--log-level", log_level]
        options += ["--database", database] if database else []
        options += ["--proxy", proxies] if proxies else []
        options += [word for limit in limits for word in ("--limit", limit)]
        sys.exit(_serve_together(processes, host, port, folder, database, options))
    # The writer releases the interpreter lock when it stores something, and gets it back only after this
    # time.
    sys.setswitchinterval(0.0005)
    gc.set_threshold(10_000, 100, 1_000)  # tables live long, and scanning all of them often costs time
    listening = _listen(host, port, together=peers is not None)
    store = open_store(folder, database, peers)
    app = build(store, chosen)
    config = configured(app, host, port, proxies)
    threading.Thread(target=_fetch_games, name="games", daemon=True).start()
    if peers is None:
        _greet(host, listening.getsockname()[1], *store.found())
    running = Running(config)
    store.on_broken = running.stop_soon
    running.run(sockets=[listening])
    if store.broken:
        raise RuleError("the database could no longer be written, so the server has stopped")


def _serve_together(
    count: int, host: str, port: int, folder: Path, database: str | None, options: Sequence[str]
) -> int:
    """Serve with several processes; returns the exit status."""
    from ninefold.server.cluster.processes import Parent
    from ninefold.server.storage.store import open_store

    if sys.platform == "win32":
        raise RuleError("on Windows only one process can serve")
    with _listen(host, port) as free:  # fails if another program has the port
        port = free.getsockname()[1]
    store = open_store(folder, database)  # so that an error is reported once
    found = store.found()
    store.close()
    kept = []
    if database is None:
        from ninefold.server.storage.sqlite import DATABASE_FILE, own

        kept.append(own(folder / DATABASE_FILE))
    with _listen(host, port, together=True):
        parent = Parent(count, [*options, "--port", str(port)], [one.fileno() for one in kept])
        parent.start()
        _greet(host, port, *found)
        return parent.keep_alive()


def _listen(host: str, port: int, together: bool = False) -> socket.socket:
    """A socket to listen on, shared if there are several processes; RuleError if the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY only if the protocol is named
    listener = socket.socket(family, proto=socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if together:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        listener.bind((host, port))
    except (OSError, UnicodeError) as error:
        listener.close()
        why = str(getattr(error, "strerror", None) or error).lower()
        raise RuleError(f"cannot listen on {host}, port {port}: {why}; --port 0 picks a free one") from None
    return listener


def _fetch_games() -> None:
    """Load the games in the background, so that nobody waits for them later."""
    import ninefold as nf
    from ninefold.engine.bots import SeatedBots

    for name in nf.games():
        state = nf.make(name).start(seed=9)
        bots = SeatedBots(state.game, ["medium"] * state.game.players, 9)
        for _ in range(3):
            bots.step(state)
        state.view(state.actors[0] if state.actors else None)
    gc.collect()
    gc.freeze()  # never scan what stays anyway


def _greet(host: str, port: int, tables: int, events: int) -> None:
    """Print the address, with a QR code if phones can reach it, and what the database holds."""
    here = host if host not in ("0.0.0.0", "::") else _own_address()
    address = f"http://{f'[{here}]' if ':' in here else here}:{port}"
    alone = here in ("127.0.0.1", "localhost", "::1")
    where = "in your browser" if alone else "in a browser here, or on any phone in this network,"
    click.echo(f"Open {address} {where} to play. Ctrl-C stops Ninefold; games are saved.")
    if tables:
        click.echo(f"Saved here: {tables:,} table{'s' * (tables != 1)} with {events:,} events.")
    if not alone:
        import segno

        segno.make(address, error="m").terminal(compact=True)


def _own_address() -> str:
    """This machine's address on its network, without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
