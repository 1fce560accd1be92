"""The default layout for games without a `table.toml`, derived from the game's zones.

Opponents are at the top, side by side; shared zones are in the middle; the viewer's own zones are
at the bottom. A game that needs another layout has its own file, which designers can start from
this one (`tabletop layout GAME`).

Free tables have a separate default layout (`tabletop/free_table/default_layout.py`), because more
is known about them: each component has a purpose (dice, counters, open cards), and the result is a
`Layout` in two widths. Here, only the names of zones, their texts and the first deal are known, and
the result is a text for a designer to edit. Both use the same table proportions.
"""

import json
import math
import re
import sys
from collections.abc import Collection, Iterator, Sequence

import msgspec
from msgspec import Struct

from tabletop.engine.model import Sight, State
from tabletop.engine.play import GameRules
from tabletop.engine.values import Number, PublicValue
from tabletop.games.wording import Wording
from tabletop.text.phrases import GAP as PLACEHOLDER
from tabletop.text.phrases import fill_gaps, phrase

TABLE_WIDTH, TABLE_HEIGHT = 12.0, 9.0
MARGIN, TOP_MARGIN, GAP = 0.2, 0.12, 0.2
NARROW_OPPONENT_WIDTH, WIDE_OPPONENT_WIDTH = 2.9, 3.78
"""An opponent's width with few zones, and with many. Narrow areas are scaled up more."""
OPPONENT_HEIGHT, OWN_HEIGHT = 2.5, 2.95
LOW_OPPONENT_HEIGHT, LOW_OWN_HEIGHT = 2.1, 2.45
"""The heights of an opponent's and the viewer's area if a shared board has many rows."""
PLAQUE_HEIGHT = 0.8
"""The height of a player's area that contains only the plaque."""
PROMPT_HEIGHT = 0.42
LARGE_BOARD_ROWS = 5
"""The number of rows from which a shared board makes the players' areas lower."""
HAND, SCORE = phrase("hand {n}"), phrase("score {n}")
SEAT = "{seat}"
ROW, COLUMN, CELL = "{row}", "{column}", "{cell}"
MAX_CELLS_IN_ROW = 8
"""The number of cells up to which a grid with a single index has one row."""
UNSHOWN_NUMBERS = ("score/{seat}", "team/{seat}")
"""Numbers of a seat that plaques show in other ways."""


class PlainZone(Struct, frozen=True):
    """A single zone, a zone that exists once per player, or a grid of zones."""

    pattern: str
    """The zone's name, with {seat}, {row}, {column} and {cell} as placeholders."""
    caption: str
    """The caption on the table."""
    hand: bool
    """Whether the cards are visible only to the owner, or only to the other players."""
    pile: bool
    """Whether the cards are hidden from all players."""
    rows: int = 1
    """The number of rows; 1 unless the zone is a grid."""
    columns: int = 1
    """The number of columns; 1 unless the zone is a grid."""
    first: int = 0
    """The number of the first row, column or cell."""

    @property
    def own(self) -> bool:
        """Whether each player has a zone of their own."""
        return SEAT in self.pattern

    @property
    def share(self) -> float:
        """The zone's weight when zones share the available width."""
        return 1.0 if self.pile else 1.0 + 0.5 * min(self.columns, 6) if self.grid else 2.0

    @property
    def grid(self) -> bool:
        return any(gap in self.pattern for gap in (ROW, COLUMN, CELL))


def seat_numbers(rules: GameRules, dealt: State) -> tuple[str, ...]:
    """Return the numbers that each player has, such as "coins/{seat}", except points and teams.

    They are the ones that the module of `rules` declares, and undeclared ones that `dealt`, a table
    after the first deal, has.
    """
    module = sys.modules.get(type(rules).__module__)
    declared = [each for each in vars(module or object).values() if isinstance(each, PublicValue)]
    numbers = [each.name for each in declared if isinstance(each, Number)]
    others = {each.name for each in declared} - {*numbers}
    set_names = (name.removesuffix("/0") + "/{seat}" for name in dealt.values if "/0" in name)
    numbers += [name for name in set_names if _is_number_of_seats(name, dealt)]
    return tuple(
        name
        for name in dict.fromkeys(numbers)
        if PLACEHOLDER.findall(name) == ["seat"]
        and name not in others
        and name not in UNSHOWN_NUMBERS
    )


def _is_number_of_seats(name: str, dealt: State) -> bool:
    """Return whether `dealt` has the number for exactly its players."""
    values = [dealt.values.get(fill_gaps(name, {"seat": n})) for n in range(dealt.seats + 1)]
    return values.pop() is None and all(isinstance(each, int) for each in values)


def layout_text(words: Wording, dealt: State, numbers: Collection[str] = ()) -> str:
    """Return a `table.toml` for the zones in `words`, with `numbers` on the players' plaques.

    `dealt` is a table after the first deal. It shows who sees which cards and how large grids are.
    """
    zones = tuple(_plain_zones(words, dealt))
    shared = [zone for zone in zones if not zone.own]
    own = [zone for zone in zones if zone.own]
    hands = [zone for zone in own if zone.hand]
    laid = [zone for zone in own if not zone.hand]
    figures = _figures(words, hands, "score/0" in dealt.values, numbers)
    is_narrow = len(own) <= 2 and not any(zone.grid for zone in own)
    side = NARROW_OPPONENT_WIDTH if is_narrow else WIDE_OPPONENT_WIDTH
    board = any(zone.rows >= LARGE_BOARD_ROWS for zone in shared)
    others = (LOW_OPPONENT_HEIGHT if board else OPPONENT_HEIGHT) if own else PLAQUE_HEIGHT
    mine = (LOW_OWN_HEIGHT if board else OWN_HEIGHT) if own else PLAQUE_HEIGHT
    top = round(TOP_MARGIN + others + 0.13, 2)
    below = round(TABLE_HEIGHT - 0.1 - mine, 2)
    prompt = round(below - 0.08 - PROMPT_HEIGHT, 2)
    height = round(prompt - 0.1 - top, 2)
    lines = [
        "[table]",
        f"size = [{TABLE_WIDTH}, {TABLE_HEIGHT}]",
        f"prompt = [2.6, {prompt}, 6.8, {PROMPT_HEIGHT}]",
        "",
        "# The others, side by side",
        "",
        "[[panel]]",
        f"at = [0.2, {TOP_MARGIN}, 11.6, {others}]",
        f"size = [{side}, {others}]",
        *_plaque("panel.plaque", "{seat}", (0.0, 0.0, 2.2, 0.66), figures),
    ]
    beside_plaque = round(others - PLAQUE_HEIGHT, 2)
    for zone, at in _side_by_side([*hands[:1], *laid, *hands[1:]], 0.0, 0.76, side, beside_plaque):
        lines += _place("panel.place", zone, zone.pattern, at, 0.7, across=True)
    lines += ["", "# Shared places"]
    for zone, at in _side_by_side(shared, MARGIN, top, TABLE_WIDTH - 2 * MARGIN, height):
        lines += _place("place", zone, zone.pattern, at, 1.3)
    lines += ["", "# The viewer's places"]
    beside = 2.4 + 1.3 * max(len(laid) - 1, 0)
    if laid and not hands:
        beside = TABLE_WIDTH - 2 * MARGIN
    lines += _plaque("plaque", "{me}", (MARGIN, below, 2.3, 0.72), figures)
    under = round(below + 0.85, 2)
    for zone, at in _side_by_side(laid, MARGIN, under, beside, round(mine - 0.85, 2)):
        lines += _place("place", zone, _viewer_pattern(zone), at, 0.9)
    left = MARGIN + beside + GAP
    rest = TABLE_WIDTH - MARGIN - left
    for zone, at in _side_by_side(hands, left, below + 0.1, rest, mine - 0.1):
        lines += _place("place", zone, _viewer_pattern(zone), at, 1.6)
    return "\n".join([*lines, ""])


def _plain_zones(words: Wording, dealt: State) -> Iterator[PlainZone]:
    for pattern, text in words.zones.items():
        is_single = not {*PLACEHOLDER.findall(pattern)} - {"seat"}
        caption = words.captions.get(pattern, text if is_single else "")
        for name, title, lying in _split_by_words(words, pattern, caption, dealt):
            sight = dealt.zones[lying[0][0]].sight if lying else Sight.ALL
            hand = sight in (Sight.OWNER, Sight.OTHERS)
            cells = [cell for _, cell in lying]
            yield _fit_grid(PlainZone(name, title, hand, sight == Sight.NONE), cells)


Cell = dict[str, int]
"""The numbers of a zone in a grid, by placeholder."""


def _split_by_words(
    words: Wording, pattern: str, caption: str, dealt: State
) -> Iterator[tuple[str, str, list[tuple[str, Cell]]]]:
    """Yield the pattern's name, caption and zones, each with its numbers besides the seat.

    If a placeholder stands for words, such as the colours in "pile/{colour}", or is a third number,
    yield a name for each of its contents instead.
    """
    found = [
        (name, gaps) for name in dealt.zones if (gaps := _match_name(name, pattern)) is not None
    ]
    placeholders = [gap for gap in PLACEHOLDER.findall(pattern) if gap != "seat"]
    numbers = [gap for gap in placeholders if all(gaps[gap].isdecimal() for _, gaps in found)][-2:]
    split: dict[str, tuple[str, list[tuple[str, Cell]]]] = {}
    for name, gaps in found:
        spelled = {gap: gaps[gap] for gap in placeholders if gap not in numbers}
        texts = [words.values.get(gap, {}).get(word, word) for gap, word in spelled.items()]
        _, lying = split.setdefault(fill_gaps(pattern, spelled), (" ".join(texts) or caption, []))
        lying.append((name, {gap: int(gaps[gap]) for gap in numbers}))
    if not split and not placeholders:
        yield pattern, caption, []
    for name, (text, lying) in split.items():
        yield name, text, lying


def _match_name(name: str, pattern: str) -> dict[str, str] | None:
    """Return the contents of the placeholders in `pattern` for `name`, if `name` fits."""
    parts = re.split(r"(\{\w+\})", pattern)
    as_regex = "".join(
        f"(?P<{part[1:-1]}>[^/,]+)" if part.startswith("{") else re.escape(part) for part in parts
    )
    match = re.fullmatch(as_regex, name)
    return match.groupdict() if match else None


def _fit_grid(zone: PlainZone, cells: Sequence[Cell]) -> PlainZone:
    """Return `zone` with as many rows and columns as `cells` need, and with the placeholders that
    places can fill: {row} and {column}, or {cell} for any other single number.
    """
    gaps = [gap for gap in PLACEHOLDER.findall(zone.pattern) if gap != "seat"]
    if not gaps or not cells:
        return zone
    if len(gaps) == 1:
        numbers = [cell[gaps[0]] for cell in cells]
        first, count = min(numbers), max(numbers) - min(numbers) + 1
        name = zone.pattern.replace(f"{{{gaps[0]}}}", CELL)
        columns = 1 if gaps == ["row"] else _choose_columns(count)
        rows = -(-count // columns)
        return msgspec.structs.replace(zone, pattern=name, rows=rows, columns=columns, first=first)
    down, right = ("row", "column") if {*gaps} == {"row", "column"} else gaps[:2]
    name = zone.pattern.replace(f"{{{down}}}", ROW).replace(f"{{{right}}}", COLUMN)
    first = min(min(cell[down], cell[right]) for cell in cells)
    rows, columns = (max(cell[gap] for cell in cells) - first + 1 for gap in (down, right))
    return msgspec.structs.replace(zone, pattern=name, rows=rows, columns=columns, first=first)


def _choose_columns(count: int) -> int:
    """Return the number of columns for `count` cells: one row of a few, else nearly a square that
    the cells fill.
    """
    if count <= MAX_CELLS_IN_ROW:
        return count
    least = math.isqrt(count - 1) + 1
    return next((n for n in range(least, 2 * least) if count % n == 0), least)


def _viewer_pattern(zone: PlainZone) -> str:
    return zone.pattern.replace("{seat}", "{me}")


def _side_by_side(
    zones: Sequence[PlainZone], x: float, y: float, width: float, height: float
) -> Iterator[tuple[PlainZone, tuple[float, float, float, float]]]:
    """Place zones side by side in the given area;
    yield each with its rectangle (x, y, width, height).
    """
    room = width - GAP * (len(zones) - 1)
    whole = sum(zone.share for zone in zones)
    for zone in zones:
        zone_width = room * zone.share / whole
        yield zone, (round(x, 2), round(y, 2), round(zone_width, 2), round(height, 2))
        x += zone_width + GAP


def _place(
    table: str,
    zone: PlainZone,
    name: str,
    at: tuple[float, float, float, float],
    card: float,
    across: bool = False,
) -> list[str]:
    lines = ["", f"[[{table}]]", f"zone = {_quote(name)}", f"at = {list(at)}", f"card = {card}"]
    if zone.hand:
        lines += ['form = "fan"', *(["across = true"] if across else [])]
        return lines
    if zone.pile:
        lines += ['form = "pile"', "count = true"]
    elif zone.grid:
        lines += ['form = "cell"', f"rows = {zone.rows}", f"columns = {zone.columns}"]
        lines += ['mat = "cells"', *([f"first = {zone.first}"] if zone.first else [])]
    else:
        lines += ['form = "cascade"' if zone.own else 'form = "grid"', "count = true"]
    return [*lines, f"caption = {_quote(zone.caption)}"] if zone.caption else lines


def _figures(
    words: Wording, hands: Sequence[PlainZone], scored: bool, numbers: Collection[str]
) -> list[str]:
    """Return the numbers on a plaque as inline tables: cards in hand, points, other numbers."""
    figures = [f"{{ text = {_quote(HAND)}, zone = {_quote(hand.pattern)} }}" for hand in hands[:1]]
    figures += [f'{{ text = {_quote(SCORE)}, value = "score/{{seat}}" }}'] if scored else []
    for name in numbers:
        plain = name.replace(SEAT, "").strip("/").replace("/", " ").replace("_", " ")
        text = words.captions.get(name, f"{plain} {{n}}")
        figures.append(f"{{ text = {_quote(text)}, value = {_quote(name)} }}")
    return figures


def _plaque(
    table: str, seat: str, at: tuple[float, float, float, float], figures: Sequence[str]
) -> list[str]:
    lines = ["", f"[[{table}]]", f'seat = "{seat}"', f"at = {list(at)}"]
    return [*lines, f"figures = [{', '.join(figures)}]"] if figures else lines


def _quote(text: str) -> str:
    """Return `text` as a quoted TOML string."""
    return json.dumps(text, ensure_ascii=False)
