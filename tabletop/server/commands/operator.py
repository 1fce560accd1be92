"""Commands that watch and control a running server through the socket in its folder."""

import json
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.table import Column
from rich.table import Table as Grid
from rich.text import Text

from tabletop.commands.arguments import AsJson, Folder, UsageError, flag, refuse, value_option
from tabletop.commands.help_format import HeadedCommand
from tabletop.server.commands.server import ROOMS_REMOVED, NoRoom, existing_folder, server

GIB = 2**30
Guest = Annotated[str, typer.Argument(metavar="GUEST", help="A guest's number or address.")]
TableName = Annotated[str, typer.Argument(metavar="TABLE", help="A table's name or code.")]


def status(data: Folder = None, as_json: AsJson = False) -> int:
    """Show the server's state."""
    answer = _ask_server(data, "/status")
    if answer is None or as_json:
        return _as_json(answer)
    lines = (
        ("state", answer["trouble"] or ("draining" if answer["draining"] else "well")),
        ("version", answer["program"]),
        ("port", answer["port"]),
        ("fingerprint", answer["fingerprint"]),
        ("since", _moment(answer["since"])),
        (
            "tables",
            f"{answer['tables']}, {answer['playing']} in a match, {answer['asleep']} asleep",
        ),
        ("guests", answer["guests"]),
        ("moves", answer["moves"]),
        ("bots' queue", answer["bots_waiting"]),
        ("free on the disk", f"{answer['disk_free'] / GIB:.1f} GiB"),
        ("turned away", answer["turned_away"]),
        ("errors of the program", answer["faults"]),
        *((f"can't be read, {table}", why) for table, why in answer["unreadable"].items()),
        *((f"refused, {reason}", count) for reason, count in answer["refusals"].items()),
        *((f"cut, {reason}", count) for reason, count in answer["cut"].items()),
        *((f"banned, {address}", _moment(since)) for address, since in answer["banned"].items()),
    )
    width = max(len(name) for name, _ in lines)
    for name, value in lines:  # never wrapped: people copy the fingerprint
        print(f"{name:<{width}}  {value}")
    return 0


def tables(data: Folder = None, as_json: AsJson = False) -> int:
    """List the server's tables."""
    answer = _ask_server(data, "/tables")
    if answer is None or as_json:
        return _as_json(answer)
    keys = ("table", "game", "name", "phase", "players", "moves", "watching", "opener")
    for each in answer:
        each["players"] = [name or "-" for name in each["players"]]
    _print(answer, keys, {"opener": "opened from"})
    return 0


def guests(data: Folder = None, as_json: AsJson = False) -> int:
    """List the connected guests."""
    answer = _ask_server(data, "/guests")
    if answer is None or as_json:
        return _as_json(answer)
    for each in answer:
        each["since"] = _moment(each["since"])
    _print(answer, ("guest", "address", "table", "players", "since"))
    return 0


def kick(guest: Guest, data: Folder = None, as_json: AsJson = False) -> int:
    """Disconnect a guest, or everyone from an address."""
    return _send_order(data, "kick", {"who": guest}, as_json)


def ban(
    guest: Guest,
    lift: Annotated[bool, flag("--lift", "Lift the ban.")] = False,
    yes: Annotated[bool, flag("--yes", "Also ban others at the address.")] = False,
    data: Folder = None,
    as_json: AsJson = False,
) -> int:
    """Ban a guest's address, across restarts."""
    order = {"who": guest, "lift": lift}
    return _send_order(data, "ban", order if yes else order | {"alone": True}, as_json)


def close(table: TableName, data: Folder = None, as_json: AsJson = False) -> int:
    """Close a table and notify everyone at it."""
    return _send_order(data, "close", {"table": table}, as_json)


def announce(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="One line of text.")],
    table: Annotated[str, value_option("TABLE", "Only at this table.")] = "",
    data: Folder = None,
    as_json: AsJson = False,
) -> int:
    """Send a message to everyone."""
    return _send_order(data, "announce", {"text": text, "table": table}, as_json)


def drain(data: Folder = None, as_json: AsJson = False) -> int:
    """Open no new tables, and stop once nobody is playing."""
    return _send_order(data, "drain", {}, as_json)


def rotate_key(room: NoRoom = None, data: Folder = None, as_json: AsJson = False) -> int:
    """Replace the key that opens tables, and print the new one."""
    if room:
        raise UsageError(ROOMS_REMOVED)
    return _send_order(data, "rotate-key", {}, as_json)


def _send_order(data: Path | None, name: str, order: dict[str, object], as_json: bool) -> int:
    answer = _ask_server(data, f"/{name}", order)
    if answer is None or as_json:
        return _as_json(answer)
    print(answer["told"])
    return 0


def _confirm(question: str) -> bool:
    """Ask the operator in the terminal. Without a terminal, print how to confirm."""
    if not (sys.stdin and sys.stdin.isatty()):
        refuse(f"{question} If that is right, say --yes.")
        return False
    print(question)
    if input("Ban them all? [y/N] ").strip().lower() in ("y", "yes"):
        return True
    refuse("Nobody was banned.")
    return False


def _ask_server(data: Path | None, question: str, order: dict[str, object] | None = None) -> Any:
    """Return the server's answer; None after printing the reason, if the server refuses or doesn't
    run.
    """
    from tabletop.server.operator.local_socket import NoServer, send_request

    try:
        answer = send_request(
            existing_folder(data), question, None if order is None else msgspec.json.encode(order)
        )
    except NoServer as error:
        refuse(str(error))
        return None
    message = msgspec.json.decode(answer.body)
    if order is not None and message.get("asks"):
        confirmed = _confirm(message["told"])
        return _ask_server(data, question, {**order, "alone": False}) if confirmed else None
    if answer.status != 200:
        refuse(message["told"])
        return None
    return message


def _as_json(answer: Any) -> int:
    if answer is None:
        return 1
    print(json.dumps(answer, ensure_ascii=False))
    return 0


def _print(
    rows: Sequence[Mapping[str, object]], keys: Sequence[str], heads: Mapping[str, str] = {}
) -> None:
    """Print `rows` as a table with the columns `keys`. `heads`: titles of columns that differ from
    their keys.
    """
    columns = (Column(heads.get(key, key), overflow="fold", no_wrap=key == "table") for key in keys)
    grid = Grid(*columns, box=None, pad_edge=False)
    for row in rows:
        cells = (", ".join(cell) if isinstance(cell := row[key], list) else cell for key in keys)
        grid.add_row(*(Text(str(cell)) for cell in cells))
    Console().print(grid)


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds):%Y-%m-%d %H:%M:%S}"


for command in (status, tables, guests, kick, ban, close, announce, drain, rotate_key):
    server.command(cls=HeadedCommand)(command)
