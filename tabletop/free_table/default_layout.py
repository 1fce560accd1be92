"""The default layout of a free table without a `table.toml`. Lengths are in card widths.

Opponents are at the top, shared zones in the middle, the player's own zones at the bottom. Wide
windows get more space at the sides. `tabletop/games/default_layout.py` explains why games with
rules in Python have another default layout.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from tabletop.free_table.components import (
    TAPPED,
    CounterEntry,
    DiceEntry,
    FreeTable,
    ZoneEntry,
    ZoneKind,
)
from tabletop.games.game_info import MAX_SEATS
from tabletop.games.layout import Gesture, Layout
from tabletop.text.phrases import phrase

DEFAULT_WIDTH, WIDE_WIDTH = 12.0, 16.0
"""The width of the table in most windows, and in low ones, which are relatively wide."""
MARGIN, GAP = 0.2, 0.15
OPPONENT_HEIGHT, SHARED_HEIGHT, OWN_HEIGHT = 2.5, 2.6, 2.75
NARROW_OPPONENT_WIDTH, WIDE_OPPONENT_WIDTH = 3.1, 3.78
"""The width of an opponent's area with few or with many zones. Narrow areas are scaled up more.

Opponents are beside a tall shared component, if there is one.
"""
MAX_SINGLE_OPPONENT_HEIGHT = 4.6
"""The maximum height of the area of the only opponent, beside a tall shared component."""
TWO_PLAYERS = {"seats": 2}
MANY_PLAYERS = 6
"""The number of players from which opponents get narrow areas, side by side."""
NARROWEST_OPPONENT_WIDTH = 2.2
"""The width of an opponent's area with `MANY_PLAYERS` or more."""
PLAQUE_WIDTH = 2.05
"""The width of opponents' plaques."""
OPPONENT_WIDTHS: Mapping[ZoneKind, float] = {"hand": 0.75, "row": 0.95, "deck": 1.2, "pile": 1.2}
"""The widths of opponents' zones, at which a caption of four Japanese letters fits in a small
window, beside the number of cards if that is shown.
"""
PICTURE = "common/picture.svg"
DIE = "common/die.svg"
PROMPT_WIDTH, PROMPT_HEIGHT = 6.8, 0.42
KEPT_LABEL = phrase("kept")
"""The label below a die that a player has set aside."""

GESTURES: Mapping[str, Gesture] = {
    "draw": Gesture(carries=True, quiet=True),
    "turn_down": Gesture(stays=True, menu=True),
    "tap": Gesture(stays=True, menu=True),
    "show": Gesture(stays=True, menu=True),
    **dict.fromkeys(
        (
            *("turn_up", "look", "shuffle", "return", "deal", "roll", "throw", "hold", "count"),
            *("draw_several", "take_all", "take_random", "gather"),
        ),
        Gesture(quiet=True),
    ),
}
"""The gestures for moves at a free table, by verb. A `table.toml` can override them."""


class LayoutBlock(Struct, frozen=True):
    """A component to lay out: its preferred size, and its share of the remaining space."""

    name: str
    thing: ZoneEntry | DiceEntry | CounterEntry
    width: float
    height: float
    share: float = 0.0


TomlEntries = dict[str, list[dict[str, Any]]]
"""The entries of a `table.toml` that is being built, by kind."""


def default_layouts(table: FreeTable) -> tuple[Layout, ...]:
    """Return a free table's layouts for any number of players, the default one first."""
    return tuple(
        msgspec.structs.replace(
            msgspec.convert(_build_layout(table, width), Layout), verbs=dict(GESTURES)
        )
        for width in (DEFAULT_WIDTH, WIDE_WIDTH)
    )


def layout_text(table: FreeTable, most: int) -> str:
    """Return the default layout as a `table.toml` that designers can edit.

    `most` is the maximum number of players.
    """
    usual, wide = (_build_layout(table, width, most) for width in (DEFAULT_WIDTH, WIDE_WIDTH))
    lines = ["# The layout that the program makes of free.toml, to start from: docs/layout.md.", ""]
    for key in ("size", "prompt"):
        usual["table"]["wide"] = usual["table"].get("wide", {}) | {key: wide["table"][key]}
    _add_wide_differences(usual, wide)
    return (
        "\n".join([*lines, *_format_section("table", usual.pop("table"))])
        + "\n"
        + _format_tables(usual, "")
    )


def _add_wide_differences(usual: dict[str, Any], wide: dict[str, Any]) -> None:
    """Add to each entry in `usual` a table `wide` with what is different in `wide`."""
    for key, entries in usual.items():
        if key == "table" or not isinstance(entries, list):
            continue
        for one, other in zip(entries, wide[key], strict=True):
            nested = [each for each in one if isinstance(one[each], list) and _is_tables(one[each])]
            own = {
                name: other[name] for name in one if name not in nested and one[name] != other[name]
            }
            _add_wide_differences({name: one[name] for name in nested}, other)
            if own:
                one["wide"] = own


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _format_tables(written: Mapping[str, Any], above: str) -> str:
    """Return `written` as TOML, with its arrays of tables. `above` is the prefix of their names."""
    lines: list[str] = []
    for key, entries in written.items():
        for entry in entries:
            inner = {name: each for name, each in entry.items() if _is_tables(each)}
            own = {name: each for name, each in entry.items() if name not in inner and each != []}
            lines += ["", *_format_section(f"[{above}{key}]", own)]
            if inner:
                lines.append(_format_tables(inner, f"{above}{key}.").rstrip("\n"))
    return "\n".join(lines) + "\n"


def _format_section(name: str, entries: Mapping[str, Any]) -> list[str]:
    return [f"[{name}]", *(f"{key} = {_format_value(value)}" for key, value in entries.items())]


def _format_value(value: object) -> str:
    if isinstance(value, Mapping):
        pairs = (f"{_format_key(key)} = {_format_value(each)}" for key, each in value.items())
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_format_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _format_key(key: str) -> str:
    return key if key.isascii() and key.isidentifier() else json.dumps(key, ensure_ascii=False)


def _build_layout(table: FreeTable, width: float, most: int = MAX_SEATS) -> dict[str, Any]:
    shared, own = list(_layout_blocks(table, "table")), list(_layout_blocks(table, "seat"))
    entries, panel, alone, many = (
        TomlEntries({"place": [], "drawing": [], "label": []}) for _ in range(4)
    )
    side = (
        NARROW_OPPONENT_WIDTH
        if len(own) <= 3 and len(_split_counters(own)[0]) <= 1
        else WIDE_OPPONENT_WIDTH
    )
    beside = any(block.height > SHARED_HEIGHT for block in shared)
    if beside:
        side *= width / DEFAULT_WIDTH
    left = MARGIN + side + GAP if beside else MARGIN
    top = MARGIN / 2 if beside else MARGIN / 2 + OPPONENT_HEIGHT + GAP
    top += _lay_shared(entries, shared, left, top, width - MARGIN - left) + GAP
    room = (side, top - GAP) if beside else (width - 2 * MARGIN, OPPONENT_HEIGHT)
    others = [MARGIN, MARGIN / 2, *room]
    prompt = [_round((width - PROMPT_WIDTH) / 2), top, PROMPT_WIDTH, PROMPT_HEIGHT]
    top += PROMPT_HEIGHT + GAP
    plaque = {"seat": "{me}", "at": [MARGIN, top, 2.3, 0.72], "figures": _figures(table)}
    _lay_own(entries, own, top, width)
    _lay_others(panel, own, side)
    _lay_many(many, own)
    single_height = min(room[1], MAX_SINGLE_OPPONENT_HEIGHT) if beside else OPPONENT_HEIGHT
    if beside:
        _lay_others(alone, own, side, single_height)
    else:
        _lay_own(alone, own, 0.0, room[0] + 2 * MARGIN, single_height, "/{seat}")
    seat = {"seat": "{seat}", "at": [0, 0, PLAQUE_WIDTH, 0.66], "figures": _figures(table)}
    table_height = _round(top + OWN_HEIGHT + GAP)
    for part in (entries, panel, alone, many):
        part["drawing"].sort(key=lambda each: each["drawing"] == DIE)  # draw pictures below dice
    if table.table.picture:
        whole = _picture(table.table.picture, [0, 0, width, table_height])
        entries["drawing"].insert(0, whole | {"level": "under"})
    crowd = () if beside else tuple(range(MANY_PLAYERS, most + 1))
    few = {"seats": (2, *crowd)} if crowd else TWO_PLAYERS
    when = {"seats": crowd}
    narrow = {
        "at": others,
        "size": [NARROWEST_OPPONENT_WIDTH, OPPONENT_HEIGHT],
        "when": when,
        "plaque": [seat],
        **many,
    }
    return {
        "table": {"size": [width, table_height], "prompt": prompt},
        "plaque": [plaque],
        "panel": [
            {
                "at": others,
                "size": [side, OPPONENT_HEIGHT],
                "unless": few,
                "plaque": [seat],
                **panel,
            },
            *([narrow] if crowd else []),
            {
                "at": others,
                "size": [_round(room[0]), single_height],
                "when": TWO_PLAYERS,
                "plaque": [seat],
                **alone,
            },
        ],
        **entries,
    }


def _layout_blocks(table: FreeTable, owner: str) -> Iterator[LayoutBlock]:
    """Yield the components that belong to `owner` ("table" or "seat"),
    with the space that they need.
    """
    for name, area in table.zone.items():
        if (area.owner == "seat") == (owner == "seat"):
            yield _zone_block(name, area)
    for name, dice in table.dice.items():
        if dice.owner == owner:
            yield LayoutBlock(name, dice, max(2.6, 0.85 * min(dice.count, 6) + 0.3), 1.6)
    for name, counter in table.counter.items():
        if counter.owner == owner:
            yield LayoutBlock(name, counter, 1.5, 1.15)


def _zone_block(name: str, area: ZoneEntry) -> LayoutBlock:
    match area.kind:
        case "deck" | "pile":
            return LayoutBlock(name, area, 1.9, SHARED_HEIGHT - GAP)
        case "grid":
            height = min(5.4, max(SHARED_HEIGHT - GAP, 1.35 * area.rows))
            return LayoutBlock(
                name, area, max(2.0, area.columns * height / area.rows / 1.32), height
            )
        case "hand":
            return LayoutBlock(name, area, 4.0, SHARED_HEIGHT - GAP, 2.0)
        case _:
            return LayoutBlock(name, area, 3.0, SHARED_HEIGHT - GAP, 1.0)


def _break_into_lines(blocks: Sequence[LayoutBlock], width: float) -> list[list[LayoutBlock]]:
    """Distribute blocks over lines that are at most `width` wide."""
    lines: list[list[LayoutBlock]] = [[]]
    for block in blocks:
        if lines[-1] and _line_width(lines[-1]) + GAP + block.width > width:
            lines.append([])
        lines[-1].append(block)
    return lines


def _line_width(line: Sequence[LayoutBlock]) -> float:
    return sum(block.width for block in line) + GAP * (len(line) - 1)


def _place_in_row(
    line: Sequence[LayoutBlock], left: float, top: float, width: float, height: float
) -> Iterator[tuple[LayoutBlock, list[float]]]:
    """Place blocks side by side; yield each with its rectangle.

    Blocks with a share get the remaining space; if there are none, the blocks are centred. If space
    is short, all blocks shrink by the same factor.
    """
    spare = width - _line_width(line)
    shares = sum(block.share for block in line)
    scale = min(1.0, (width - GAP * (len(line) - 1)) / max(sum(b.width for b in line), 0.1))
    if not shares and spare > 0:
        left += spare / 2
    for block in line:
        block_width = block.width * scale
        if shares and spare > 0:
            block_width += spare * block.share / shares
        block_height = min(height, block.height)
        block_top = top + (height - block_height) / 2
        yield block, [*map(_round, (left, block_top, block_width, block_height))]
        left += block_width + GAP


def _lay_shared(
    entries: TomlEntries, shared: Sequence[LayoutBlock], left: float, top: float, width: float
) -> float:
    """Lay out the shared components in lines, tall ones first; return their total height."""
    tall = [block for block in shared if block.height > SHARED_HEIGHT]
    rest = [block for block in shared if block not in tall]
    least = max((block.width for block in rest), default=0.0)
    beside = bool(tall) and _line_width(tall) + GAP + least <= width
    lines = _break_into_lines(rest, width - _line_width(tall) - GAP if beside else width)
    heights = [max((block.height for block in line), default=0.0) for line in lines]
    whole = sum(heights) + GAP * (len(lines) - 1)
    tallest = max((block.height for block in tall), default=0.0)
    for block, at in _place_in_row(
        tall, left, top, _line_width(tall) if beside else width, tallest
    ):
        _add_component(entries, block, at, "", 1.3)
    if beside:
        left, width = left + _line_width(tall) + GAP, width - _line_width(tall) - GAP
        at_y = top + max(0.0, (tallest - whole) / 2)
    else:
        at_y = top + (tallest + GAP if tall else 0.0)
    for line, height in zip(lines, heights, strict=True):
        for block, at in _place_in_row(line, left, at_y, width, height):
            _add_component(entries, block, at, "", 1.3)
        at_y += height + GAP
    return max(tallest, at_y - GAP - top)


def _lay_own(
    entries: TomlEntries,
    own: Sequence[LayoutBlock],
    top: float,
    width: float,
    height: float = OWN_HEIGHT,
    whose: str = "/{me}",
) -> None:
    """Lay out the area of the viewer, or of the only opponent.

    Counters are below the plaque, other components beside it.
    """
    me = whose == "/{me}"
    edge, card = (MARGIN, 1.6) if me else (0.0, 1.2)
    counters, others = _split_counters(own)
    for block, at in _place_in_row(counters, edge, top + 0.85, 2.3, height - 0.95):
        _add_component(entries, block, at, whose, 1.0)
    left = edge + 2.3 + GAP
    others.sort(key=lambda block: isinstance(block.thing, ZoneEntry) and block.thing.kind == "hand")
    for block, at in _place_in_row(others, left, top, width - 2 * MARGIN + edge - left, height):
        at[1], at[3] = _round(top), height
        _add_component(entries, block, at, whose, card)


def _lay_others(
    entries: TomlEntries, own: Sequence[LayoutBlock], side: float, height: float | None = None
) -> None:
    """Lay out the area of each opponent: counters beside the plaque, other components below.

    If `height` is given, there is only one opponent, beside a tall component. Other components are
    then one below another instead of side by side.
    """
    counters, others = _split_counters(own)
    for block, at in _place_in_row(
        counters, PLAQUE_WIDTH + 0.08, 0.0, side - PLAQUE_WIDTH - 0.08, 0.68
    ):
        at[1], at[3] = 0.0, 0.68
        _add_component(entries, block, at, "/{seat}", 0.6)
    if height is None:
        narrow = [_narrow_block(block) for block in others]
        for block, at in _place_in_row(narrow, 0.0, 0.76, side, OPPONENT_HEIGHT - 0.8):
            at[1], at[3] = 0.76, OPPONENT_HEIGHT - 0.8
            _add_component(entries, block, at, "/{seat}", 0.7)
        return
    each = (height - 0.76 - GAP * (len(others) - 1)) / max(len(others), 1)
    for number, block in enumerate(others):
        at = [0.0, _round(0.76 + number * (each + GAP)), _round(side), _round(each)]
        _add_component(entries, block, at, "/{seat}", min(1.2, each / 1.5))


def _lay_many(entries: TomlEntries, own: Sequence[LayoutBlock]) -> None:
    """Lay out the narrow areas of many opponents: plaque,
    counters and other components from top to bottom.
    """
    counters, others = _split_counters(own)
    top = 0.76
    for block, at in _place_in_row(counters, 0.0, 0.0, NARROWEST_OPPONENT_WIDTH, 0.5):
        at[1], at[3] = top, 0.5
        _add_component(entries, block, at, "/{seat}", 0.6)
    top += 0.56 if counters else 0.0
    narrow = [_narrow_block(block) for block in others]
    for block, at in _place_in_row(
        narrow, 0.0, 0.0, NARROWEST_OPPONENT_WIDTH, OPPONENT_HEIGHT - top - 0.04
    ):
        at[1], at[3] = _round(top), _round(OPPONENT_HEIGHT - top - 0.04)
        _add_component(entries, block, at, "/{seat}", 0.7)


def _narrow_block(block: LayoutBlock) -> LayoutBlock:
    """Return `block` with the width that it has in an opponent's area."""
    kind = block.thing.kind if isinstance(block.thing, ZoneEntry) else None
    width = OPPONENT_WIDTHS.get(kind, block.width) if kind is not None else block.width
    return msgspec.structs.replace(block, width=width)


def _split_counters(own: Sequence[LayoutBlock]) -> tuple[list[LayoutBlock], list[LayoutBlock]]:
    """Return the counters and the other components, separately."""
    counters = [block for block in own if isinstance(block.thing, CounterEntry)]
    return counters, [block for block in own if block not in counters]


def _add_component(
    entries: TomlEntries, block: LayoutBlock, at: list[float], whose: str, card: float
) -> None:
    """Add the entries for a component in the rectangle `at`."""
    zone, thing = block.name + whose, block.thing
    me = whose == "/{me}"
    if isinstance(thing, ZoneEntry | DiceEntry) and thing.picture:
        captioned = not (isinstance(thing, ZoneEntry) and thing.kind == "hand")
        picture = _picture(thing.picture, _inside_mat(at))
        entries["drawing"].append(picture | ({"below_caption": True} if captioned else {}))
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
            entries["label"] += _kept_labels(block.name + whose, thing, at)
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
    if isinstance(thing, ZoneEntry):
        place["card"] = _round(place["card"] * thing.scale)
        place |= {"staggered": True} if thing.hexes else {}
        place |= {"card_turn": f"{TAPPED}/{{card}}"} if thing.tap != "nobody" else {}
    entries["place"].append(place)


def _picture(file: str | Sequence[str], at: list[float]) -> dict[str, Any]:
    return {"drawing": PICTURE, "at": at, "with": {"file": file, "fill": True}}


def _inside_mat(at: list[float]) -> list[float]:
    """Return the part of a rectangle that a picture fills, inside the sides and bottom of a mat."""
    x, y, w, h = at
    return [_round(x + 0.06), y, _round(w - 0.12), _round(h - 0.06)]


def _die_squares(dice: DiceEntry, at: list[float]) -> Iterator[list[float]]:
    """Yield the square of each die below the caption."""
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
        for number, spot in enumerate(_die_squares(dice, at), start=1)
    ]


def _kept_labels(name: str, dice: DiceEntry, at: list[float]) -> list[dict[str, Any]]:
    return [
        {
            "text": KEPT_LABEL,
            "at": [spot[0], _round(spot[1] + spot[3]), spot[2], 0.16],
            "align": "centre",
            "when": {f"{name}/held{number}": 1},
        }
        for number, spot in enumerate(_die_squares(dice, at), start=1)
    ]


def _figures(table: FreeTable) -> list[dict[str, Any]]:
    """Return the numbers on a plaque: the number of cards in the hand, and the score."""
    hands = [
        name for name, area in table.zone.items() if (area.kind, area.owner) == ("hand", "seat")
    ]
    figures = [{"text": phrase("hand {n}"), "zone": hands[0] + "/{seat}"}] if hands else []
    if table.score:
        figures.append({"text": phrase("score {n}"), "value": "score/{seat}"})
    return figures


def _round(length: float) -> float:
    return round(length, 3)
