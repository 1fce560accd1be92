"""Replaces header values that this version doesn't know.

A record may come from anywhere, or have a damaged header. Its values are checked like user input,
so that unknown values never reach the table.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from tabletop.catalogue.catalogue import BrokenGame, UnknownGame
from tabletop.engine.model import Reason, Value
from tabletop.match.match import SYMBOLS, Player
from tabletop.storage.record_lines import Header

KNOWN_KINDS = ("person", "bot", "far")
KNOWN_LEVELS = ("", "easy", "normal", "hard", "random")
"""The levels of bots: "" is for people, and "random" was used by older versions."""


def replace_unknown_values(head: Header, name: str) -> tuple[Header, Reason | None]:
    """Return `head` with unknown values replaced by defaults, and a notice about them for the user.

    The notice is None if all values are known. `name`: the file name for the notice.
    """
    unknown: list[str] = []
    known = replace(
        head, players=_known_players(head.players, unknown), options=_known_options(head, unknown)
    )
    if not unknown:
        return head, None
    args: dict[str, Value] = {"file": name, "names": ", ".join(map(_printable, unknown))}
    return known, Reason('"{file}" uses unknown values: {names}. Defaults are used instead.', args)


def _known_players(players: Sequence[Player], unknown: list[str]) -> tuple[Player, ...]:
    taken = {player.symbol for player in players}
    left = [symbol for symbol in SYMBOLS if symbol not in taken]
    known = []
    for player in players:
        symbol, kind, level = player.symbol, player.kind, player.level
        if symbol and symbol not in SYMBOLS:
            unknown.append(symbol)
            symbol = left.pop(0) if left else ""
        if kind not in KNOWN_KINDS:
            unknown.append(kind)
            kind = "bot" if level else "person"
        if level not in KNOWN_LEVELS:
            unknown.append(level)
            level = "easy" if kind == "bot" else ""
        known.append(replace(player, symbol=symbol, kind=kind, level=level))
    return tuple(known)


def _known_options(head: Header, unknown: list[str]) -> dict[str, Value]:
    """Return the known options; all options if the game isn't installed or its rules differ."""
    try:
        kit = head.load_kit()
    except (UnknownGame, BrokenGame):
        return head.options
    if not head.is_compatible_with(kit):
        return head.options
    choices = {o.key: [choice.value for choice in o.choices] for o in kit.box.options}
    known = {key: value for key, value in head.options.items() if value in choices.get(key, ())}
    unknown += [f"{key} = {value}" for key, value in head.options.items() if key not in known]
    return known


def _printable(text: str) -> str:
    """Return `text` with control characters replaced, because they would garble the notice."""
    return "".join(sign if sign.isprintable() else "?" for sign in text) or "?"
