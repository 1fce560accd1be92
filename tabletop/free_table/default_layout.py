"""The layout of a free table without a table.toml: the others above, shared zones in the middle,
the player's own below, with more room at the sides in a wide window. Lengths are card widths.

`tabletop/games/default_layout.py` explains why a game with rules in Python has another one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from tabletop.free_table.components import CounterEntry, DiceEntry, FreeTable, ZoneEntry
from tabletop.games.game_info import MAX_SEATS
from tabletop.games.layout import Gesture, Layout
from tabletop.text.phrases import phrase

USUAL, WIDE = 12.0, 16.0
"""The width of the table, in most windows and in low ones."""
EDGE, GAP = 0.2, 0.15
PANEL, SHARED, OWN = 2.5, 2.6, 2.75
"""Heights of the others' areas, of the shared one, and of the player's own."""
NARROW, SIDE = 3.1, 3.78
"""The width of another player's area, with few or many zones: a narrower one is larger among many
players. They are beside a high shared component."""
ALONE = 4.6
"""The greatest height of the only other player's area beside a high component."""
TWO = {"seats": 2}
MANY = 6
"""Where as many or more players are side by side, each other has a narrow area as high as the
room."""
NARROWEST = 2.2
"""The width of such an area."""
PLAQUE = 2.05
"""The width of the others' plaques."""
PICTURE = "common/picture.svg"
DIE = "common/die.svg"
PROMPT_WIDTH, PROMPT = 6.8, 0.42
KEPT = phrase("kept")
"""The label below a die that is set aside."""

GESTURES: Mapping[str, Gesture] = {
    "draw": Gesture(carries=True, quiet=True),
    "turn_down": Gesture(stays=True, menu=True),
    "show": Gesture(stays=True, menu=True),
    **dict.fromkeys(
        ("turn_up", "look", "shuffle", "return", "deal", "roll", "throw", "hold", "count"),
        Gesture(quiet=True),
    ),
}
"""The gestures for the moves of every free table; a table.toml may differ."""


class Block(Struct, frozen=True):
    """A component to be placed: its preferred width, and its share of the remaining room."""

    name: str
    thing: ZoneEntry | DiceEntry | CounterEntry
    width: float
    height: float
    share: float = 0.0


Entries = dict[str, list[dict[str, Any]]]
"""The entries of a table.toml so far, by their kind."""


def arrangements(table: FreeTable) -> tuple[Layout, ...]:
    """The layouts of a free table, for any number of seats, the ordinary one first."""
    return tuple(
        msgspec.structs.replace(
            msgspec.convert(_arrange(table, width), Layout), verbs=dict(GESTURES)
        )
        for width in (USUAL, WIDE)
    )


def layout_text(table: FreeTable, most: int) -> str:
    """The text of a table.toml for a free table that has none, to edit further; `most` is its
    greatest number of players."""
    usual, wide = (_arrange(table, width, most) for width in (USUAL, WIDE))
    lines = ["# The layout that the program makes of free.toml, to start from: docs/layout.md.", ""]
    for key in ("size", "prompt"):
        usual["table"]["wide"] = usual["table"].get("wide", {}) | {key: wide["table"][key]}
    _join(usual, wide)
    return "\n".join([*lines, *_section("table", usual.pop("table"))]) + "\n" + _tables(usual, "")


def _join(usual: dict[str, Any], wide: dict[str, Any]) -> None:
    """Add to each entry its differences in the wide arrangement."""
    for key, entries in usual.items():
        if key == "table" or not isinstance(entries, list):
            continue
        for one, other in zip(entries, wide[key], strict=True):
            nested = [each for each in one if isinstance(one[each], list) and _is_tables(one[each])]
            own = {
                name: other[name] for name in one if name not in nested and one[name] != other[name]
            }
            _join({name: one[name] for name in nested}, other)
            if own:
                one["wide"] = own


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _tables(written: Mapping[str, Any], above: str) -> str:
    """Arrays of tables as TOML writes them, each with those inside of it."""
    lines: list[str] = []
    for key, entries in written.items():
        for entry in entries:
            inner = {name: each for name, each in entry.items() if _is_tables(each)}
            own = {name: each for name, each in entry.items() if name not in inner and each != []}
            lines += ["", *_section(f"[{above}{key}]", own)]
            if inner:
                lines.append(_tables(inner, f"{above}{key}.").rstrip("\n"))
    return "\n".join(lines) + "\n"


def _section(name: str, entries: Mapping[str, Any]) -> list[str]:
    return [f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in entries.items())]


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        pairs = (f"{_key(key)} = {_toml(each)}" for key, each in value.items())
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _key(key: str) -> str:
    return key if key.isascii() and key.isidentifier() else json.dumps(key, ensure_ascii=False)


def _arrange(table: FreeTable, width: float, most: int = MAX_SEATS) -> dict[str, Any]:
    shared, own = list(_blocks(table, "table")), list(_blocks(table, "seat"))
    entries, panel, alone, many = (
        Entries({"place": [], "drawing": [], "label": []}) for _ in range(4)
    )
    side = NARROW if len(own) <= 3 and len(_part(own)[0]) <= 1 else SIDE
    beside = any(block.height > SHARED for block in shared)
    if beside:
        side *= width / USUAL
    left = EDGE + side + GAP if beside else EDGE
    top = EDGE / 2 if beside else EDGE / 2 + PANEL + GAP
    top += _lay_shared(entries, shared, left, top, width - EDGE - left) + GAP
    room = (side, top - GAP) if beside else (width - 2 * EDGE, PANEL)
    others = [EDGE, EDGE / 2, *room]
    prompt = [_round((width - PROMPT_WIDTH) / 2), top, PROMPT_WIDTH, PROMPT]
    top += PROMPT + GAP
    plaque = {"seat": "{me}", "at": [EDGE, top, 2.3, 0.72], "figures": _figures(table)}
    _lay_own(entries, own, top, width)
    _lay_others(panel, own, side)
    _lay_many(many, own)
    high = min(room[1], ALONE) if beside else PANEL
    if beside:
        _lay_others(alone, own, side, high)
    else:
        _lay_own(alone, own, 0.0, room[0] + 2 * EDGE, high, "/{seat}")
    seat = {"seat": "{seat}", "at": [0, 0, PLAQUE, 0.66], "figures": _figures(table)}
    height = _round(top + OWN + GAP)
    for part in (entries, panel, alone, many):
        part["drawing"].sort(key=lambda each: each["drawing"] == DIE)  # pictures are under dice
    if table.table.picture:
        whole = _picture(table.table.picture, [0, 0, width, height])
        entries["drawing"].insert(0, whole | {"level": "under"})
    crowd = () if beside else tuple(range(MANY, most + 1))
    few = {"seats": (2, *crowd)} if crowd else TWO
    when = {"seats": crowd}
    narrow = {"at": others, "size": [NARROWEST, PANEL], "when": when, "plaque": [seat], **many}
    return {
        "table": {"size": [width, height], "prompt": prompt},
        "plaque": [plaque],
        "panel": [
            {"at": others, "size": [side, PANEL], "unless": few, "plaque": [seat], **panel},
            *([narrow] if crowd else []),
            {
                "at": others,
                "size": [_round(room[0]), high],
                "when": TWO,
                "plaque": [seat],
                **alone,
            },
        ],
        **entries,
    }


def _blocks(table: FreeTable, owner: str) -> Iterator[Block]:
    """Yield the components of the table, or of each seat, with the room that they need."""
    for name, area in table.zone.items():
        if area.owner == owner:
            yield _block_of(name, area)
    for name, dice in table.dice.items():
        if dice.owner == owner:
            yield Block(name, dice, max(2.6, 0.85 * min(dice.count, 6) + 0.3), 1.6)
    for name, counter in table.counter.items():
        if counter.owner == owner:
            yield Block(name, counter, 1.5, 1.15)


def _block_of(name: str, area: ZoneEntry) -> Block:
    match area.kind:
        case "deck" | "pile":
            return Block(name, area, 1.9, SHARED - GAP)
        case "grid":
            high = min(5.4, max(SHARED - GAP, 1.35 * area.rows))
            return Block(name, area, max(2.0, area.columns * high / area.rows / 1.32), high)
        case "hand":
            return Block(name, area, 4.0, SHARED - GAP, 2.0)
        case _:
            return Block(name, area, 3.0, SHARED - GAP, 1.0)


def _lines(blocks: Sequence[Block], width: float) -> list[list[Block]]:
    """The blocks in lines that are not wider than this."""
    lines: list[list[Block]] = [[]]
    for block in blocks:
        if lines[-1] and _width(lines[-1]) + GAP + block.width > width:
            lines.append([])
        lines[-1].append(block)
    return lines


def _width(line: Sequence[Block]) -> float:
    return sum(block.width for block in line) + GAP * (len(line) - 1)


def _row(
    line: Sequence[Block], left: float, top: float, width: float, height: float
) -> Iterator[tuple[Block, list[float]]]:
    """Blocks side by side: growing ones share the remaining room, else all are centred; without
    enough room, all shrink alike."""
    spare = width - _width(line)
    shares = sum(block.share for block in line)
    scale = min(1.0, (width - GAP * (len(line) - 1)) / max(sum(b.width for b in line), 0.1))
    if not shares and spare > 0:
        left += spare / 2
    for block in line:
        wide = block.width * scale
        if shares and spare > 0:
            wide += spare * block.share / shares
        high = min(height, block.height)
        yield block, [_round(left), _round(top + (height - high) / 2), _round(wide), _round(high)]
        left += wide + GAP


def _lay_shared(
    entries: Entries, shared: Sequence[Block], left: float, top: float, width: float
) -> float:
    """Lay out the shared components in lines, beside a high one in lines of their own; return the
    height."""
    high = [block for block in shared if block.height > SHARED]
    rest = [block for block in shared if block not in high]
    least = max((block.width for block in rest), default=0.0)
    beside = bool(high) and _width(high) + GAP + least <= width
    lines = _lines(rest, width - _width(high) - GAP if beside else width)
    heights = [max((block.height for block in line), default=0.0) for line in lines]
    whole = sum(heights) + GAP * (len(lines) - 1)
    tallest = max((block.height for block in high), default=0.0)
    for block, at in _row(high, left, top, _width(high) if beside else width, tallest):
        _lay(entries, block, at, "", 1.3)
    if beside:
        left, width = left + _width(high) + GAP, width - _width(high) - GAP
        at_y = top + max(0.0, (tallest - whole) / 2)
    else:
        at_y = top + (tallest + GAP if high else 0.0)
    for line, height in zip(lines, heights, strict=True):
        for block, at in _row(line, left, at_y, width, height):
            _lay(entries, block, at, "", 1.3)
        at_y += height + GAP
    return max(tallest, at_y - GAP - top)


def _lay_own(
    entries: Entries,
    own: Sequence[Block],
    top: float,
    width: float,
    high: float = OWN,
    whose: str = "/{me}",
) -> None:
    """The viewer's, or those of the only other player: counters under the plaque, the rest beside
    it."""
    me = whose == "/{me}"
    edge, card = (EDGE, 1.6) if me else (0.0, 1.2)
    counters, others = _part(own)
    for block, at in _row(counters, edge, top + 0.85, 2.3, high - 0.95):
        _lay(entries, block, at, whose, 1.0)
    left = edge + 2.3 + GAP
    others.sort(key=lambda block: isinstance(block.thing, ZoneEntry) and block.thing.kind == "hand")
    for block, at in _row(others, left, top, width - 2 * EDGE + edge - left, high):
        at[1], at[3] = _round(top), high
        _lay(entries, block, at, whose, card)


def _lay_others(
    entries: Entries, own: Sequence[Block], side: float, high: float | None = None
) -> None:
    """Lay out the other players' areas: counters beside the plaque, the rest below side by side;
    with a height, that of the only other player beside a high component, below each other."""
    counters, others = _part(own)
    for block, at in _row(counters, PLAQUE + 0.08, 0.0, side - PLAQUE - 0.08, 0.68):
        at[1], at[3] = 0.0, 0.68
        _lay(entries, block, at, "/{seat}", 0.6)
    if high is None:
        for block, at in _row(others, 0.0, 0.76, side, PANEL - 0.8):
            at[1], at[3] = 0.76, PANEL - 0.8
            _lay(entries, block, at, "/{seat}", 0.7)
        return
    each = (high - 0.76 - GAP * (len(others) - 1)) / max(len(others), 1)
    for number, block in enumerate(others):
        at = [0.0, _round(0.76 + number * (each + GAP)), _round(side), _round(each)]
        _lay(entries, block, at, "/{seat}", min(1.2, each / 1.5))


def _lay_many(entries: Entries, own: Sequence[Block]) -> None:
    """Lay out the areas of many others: counters below the plaque, the rest below them."""
    counters, others = _part(own)
    top = 0.76
    for block, at in _row(counters, 0.0, 0.0, NARROWEST, 0.5):
        at[1], at[3] = top, 0.5
        _lay(entries, block, at, "/{seat}", 0.6)
    top += 0.56 if counters else 0.0
    for block, at in _row(others, 0.0, 0.0, NARROWEST, PANEL - top - 0.04):
        at[1], at[3] = _round(top), _round(PANEL - top - 0.04)
        _lay(entries, block, at, "/{seat}", 0.7)


def _part(own: Sequence[Block]) -> tuple[list[Block], list[Block]]:
    """The counters, and all others."""
    counters = [block for block in own if isinstance(block.thing, CounterEntry)]
    return counters, [block for block in own if block not in counters]


def _lay(entries: Entries, block: Block, at: list[float], whose: str, card: float) -> None:
    """Give a block its place, and draw its content."""
    zone, thing = block.name + whose, block.thing
    me = whose == "/{me}"
    if isinstance(thing, ZoneEntry | DiceEntry) and thing.picture:
        entries["drawing"].append(_picture(thing.picture, _below_caption(at)))
    place: dict[str, Any] = {"zone": zone, "at": at, "card": card, "caption": thing.caption}
    match thing:
        case ZoneEntry(kind="grid"):
            place |= {"zone": zone + "/{row}/{column}", "rows": thing.rows, "form": "cell"}
            place |= {"columns": thing.columns, "outline": True, "mat": "whole"}
        case ZoneEntry(kind="deck" | "pile"):
            place |= {"form": "pile", "count": True, "tilt": 0 if thing.kind == "deck" else 4}
        case ZoneEntry(kind="hand"):
            place |= {"form": "fan", "across": not me, "caption": ""}
        case ZoneEntry(dice=dice) if dice:
            place |= {"form": "row", "lie": "square", "gap": 0.1, "card": _round(0.62 * card)}
        case ZoneEntry():
            place |= {"form": "row" if at[2] > 1.6 * card else "cascade", "align": "left"}
        case DiceEntry():
            place |= {"form": "pile"}
            entries["drawing"] += _dice(block.name + whose, thing, at)
            entries["label"] += _marks_of_kept_dice(block.name + whose, thing, at)
        case CounterEntry():
            place |= {"form": "pile"}
            low = at[3] <= 0.7  # the number is at the right below the caption, else in the middle
            below = [at[0], _round(at[1] + at[3] * 0.36), at[2], _round(at[3] * 0.6)]
            after = [_round(at[0] + 0.06), _round(at[1] + at[3] * 0.3), _round(at[2] - 0.12)]
            after.append(_round(at[3] * 0.66))
            entries["label"].append(
                {"text": "{n}", "values": {"n": zone}, "at": after if low else below,
                 "align": "right" if low else "centre",
                 "size": _round(at[3] * (0.46 if low else 0.5)), "bold": True}
            )  # fmt: skip
    entries["place"].append(place)


def _picture(file: str | Sequence[str], at: list[float]) -> dict[str, Any]:
    return {"drawing": PICTURE, "at": at, "with": {"file": file, "fill": True}}


def _below_caption(at: list[float]) -> list[float]:
    """Return the free part of a place below its caption."""
    x, y, w, h = at
    return [_round(x + 0.06), _round(y + 0.27), _round(w - 0.12), _round(h - 0.33)]


def _spots(dice: DiceEntry, at: list[float]) -> Iterator[list[float]]:
    """The square of each die, below the caption."""
    columns = min(dice.count, 6)
    rows = -(-dice.count // columns)
    side = min((at[2] - 0.2) / columns, (at[3] - 0.5) / rows, 0.85)
    left = at[0] + (at[2] - side * columns) / 2
    top = at[1] + 0.32 + (at[3] - 0.5 - side * rows) / 2
    for number in range(dice.count):
        x, y = left + number % columns * side, top + number // columns * side
        yield [_round(x + side * 0.07), _round(y), _round(side * 0.86), _round(side * 0.86)]


def _dice(name: str, dice: DiceEntry, at: list[float]) -> list[dict[str, Any]]:
    return [
        {"drawing": DIE, "at": spot, "values": {"face": f"{name}/die{number}"}}
        for number, spot in enumerate(_spots(dice, at), start=1)
    ]


def _marks_of_kept_dice(name: str, dice: DiceEntry, at: list[float]) -> list[dict[str, Any]]:
    return [
        {
            "text": KEPT,
            "at": [spot[0], _round(spot[1] + spot[3]), spot[2], 0.16],
            "align": "centre",
            "when": {f"{name}/held{number}": 1},
        }
        for number, spot in enumerate(_spots(dice, at), start=1)
    ]


def _figures(table: FreeTable) -> list[dict[str, Any]]:
    """Return the figures of a plaque: cards in the hand, and points."""
    hands = [name for name, area in table.zone.items() if area.kind == "hand"]
    figures = [{"text": phrase("hand {n}"), "zone": hands[0] + "/{seat}"}] if hands else []
    if table.score:
        figures.append({"text": phrase("score {n}"), "value": "score/{seat}"})
    return figures


def _round(length: float) -> float:
    return round(length, 3)
