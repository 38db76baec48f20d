"""`ninefold serve`: open the house on this machine."""

from __future__ import annotations

import gc
import os
import socket
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ninefold.kernel.errors import RuleError

GRACE = 4  # seconds for a graceful stop


@click.command(
    epilog="""\b
Examples:
  ninefold serve                      on this machine only
  ninefold serve --host 0.0.0.0       for phones on the same network, too
  ninefold serve --processes 4        for hundreds of tables at once
  ninefold serve --database postgresql://house@db/house --port 8001
"""
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65_535), default=9009, show_default=True)
@click.option(
    "--data", type=click.Path(file_okay=False), default=None, help="Where the house keeps its file."
)
@click.option("--database", default=None, help="A PostgreSQL database instead: postgresql://…")
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="So many that serve together, for a house with hundreds of tables and a machine with several cores.",
)
@click.option("--proxy", is_flag=True, help="Behind a reverse proxy on this machine: trust its headers.")
@click.option("--limit", "limits", multiple=True, metavar="NAME=NUMBER", help="Change a limit: sockets=5000.")
@click.option("--log-level", type=click.Choice(["debug", "info", "warning"]), default="warning")
def serve(
    host: str,
    port: int,
    data: str | None,
    database: str | None,
    processes: int,
    proxy: bool,
    limits: tuple[str, ...],
    log_level: str,
) -> None:
    """Open the house: people with a link play with friends and bots, in the browser."""
    import uvicorn

    from ninefold.server.doors import build
    from ninefold.server.limits import Limits
    from ninefold.server.logs import begin
    from ninefold.server.siblings import Siblings
    from ninefold.server.store import open_store

    chosen, siblings = Limits.given(limits), Siblings.given()
    begin(log_level)
    folder = Path(data) if data else data_folder()
    if processes > 1 and siblings is None:
        options = ["--host", host, "--data", str(folder), "--log-level", log_level]
        options += ["--database", database] if database else []
        options += ["--proxy"] if proxy else []
        options += [word for limit in limits for word in ("--limit", limit)]
        sys.exit(_serve_together(processes, host, port, folder, database, options))
    # The writer lets go of the interpreter when it stores something, and gets it back only after this time.
    sys.setswitchinterval(0.0005)
    gc.set_threshold(10_000, 100, 1_000)  # tables live long; looking through all of them often costs time
    listening = _door(host, port, together=siblings is not None)
    app = build(open_store(folder, database, siblings), chosen)
    config = configured(app, host, port, proxy)
    threading.Thread(target=_fetch_games, name="games", daemon=True).start()
    if siblings is None:
        _greet(host, listening.getsockname()[1])
    uvicorn.Server(config).run(sockets=[listening])


def _serve_together(
    count: int, host: str, port: int, folder: Path, database: str | None, options: Sequence[str]
) -> int:
    """Let several processes serve; the exit status."""
    from ninefold.server.siblings import Parent
    from ninefold.server.store import open_store

    if sys.platform == "win32":
        raise RuleError("on Windows the house is served by one process")
    with _door(host, port) as free:  # or somebody else is there
        port = free.getsockname()[1]
    open_store(folder, database).close()  # or nobody can use it, which is said once
    kept = []
    if database is None:
        from ninefold.server.sqlite import house_file, own

        kept.append(own(house_file(folder)))
    with _door(host, port, together=True):
        parent = Parent(count, [*options, "--port", str(port)], [one.fileno() for one in kept])
        parent.start()
        _greet(host, port)
        return parent.keep_alive()


def _door(host: str, port: int, together: bool = False) -> socket.socket:
    """Where the house can be reached, if need be by several processes; RuleError where somebody else is."""
    door = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if together:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        door.bind((host, port))
    except (OSError, UnicodeError) as error:
        door.close()
        why = str(getattr(error, "strerror", None) or error).lower()
        raise RuleError(
            f"the house cannot open at {host}, port {port}: {why}; --port 0 takes any that is free"
        ) from None
    return door


def _fetch_games() -> None:
    """Load the games while people still look at the first page, so that nobody waits for them later."""
    import ninefold as nf
    from ninefold.engine.players import Company

    for name in nf.games():
        state = nf.make(name).start(seed=9)
        company = Company(state.game, ["medium"] * state.game.players, 9)
        for _ in range(3):
            company.step(state)
        state.view(state.actors[0] if state.actors else None)
    gc.collect()
    gc.freeze()  # all that stays is never looked at again


def configured(app: Any, host: str, port: int, proxy: bool = False) -> Any:
    """How uvicorn serves the house."""
    import uvicorn

    from ninefold.server.messages import LARGEST

    return uvicorn.Config(
        app,
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=2 * LARGEST,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=GRACE,
        timeout_keep_alive=10,
        proxy_headers=proxy,
        server_header=False,
        h11_max_incomplete_event_size=16 * 1024,
    )


def data_folder() -> Path:
    """Where the house keeps its file: $NINEFOLD_DATA, or the user's data folder."""
    if chosen := os.environ.get("NINEFOLD_DATA"):
        return Path(chosen)
    home = os.environ.get("XDG_DATA_HOME")
    try:
        return (Path(home) if home else Path.home() / ".local" / "share") / "ninefold"
    except RuntimeError:
        raise RuleError("there is no home folder to keep the house in; use --data") from None


def _greet(host: str, port: int) -> None:
    """Say where the house is, with a picture of the address for phones where they can reach it."""
    here = host if host not in ("0.0.0.0", "::") else _own_address()
    address = f"http://{f'[{here}]' if ':' in here else here}:{port}"
    click.echo(f"The house is open at {address} (Ctrl-C closes it; nothing is lost)")
    if here not in ("127.0.0.1", "localhost", "::1"):
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
