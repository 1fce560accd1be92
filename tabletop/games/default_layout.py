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
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from tabletop.engine.model import Sight, State
from tabletop.games.references import fits
from tabletop.games.wording import Wording
from tabletop.text.phrases import phrase

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
ROW, COLUMN = "{row}", "{column}"


class PlainZone(Struct, frozen=True):
    """A single zone, a zone that exists once per player, or a grid of zones."""

    pattern: str
    """The zone's name, with {seat}, {row} and {column} as placeholders."""
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

    @property
    def own(self) -> bool:
        """Whether each player has a zone of their own."""
        return "{seat}" in self.pattern

    @property
    def share(self) -> float:
        """The zone's weight when zones share the available width."""
        return 1.0 if self.pile else 1.0 + 0.5 * min(self.columns, 6) if self.grid else 2.0

    @property
    def grid(self) -> bool:
        return ROW in self.pattern


def layout_text(words: Wording, dealt: State) -> str:
    """Return a `table.toml` for the zones in `words`.

    `dealt` is a table after the first deal. It shows who sees which cards and how large grids are.
    """
    zones = tuple(_plain_zones(words, dealt))
    shared = [zone for zone in zones if not zone.own]
    own = [zone for zone in zones if zone.own]
    hands = [zone for zone in own if zone.hand]
    laid = [zone for zone in own if not zone.hand]
    scored = "score/0" in dealt.values
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
        *_plaque("panel.plaque", "{seat}", (0.0, 0.0, 2.2, 0.66), hands, scored),
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
    lines += _plaque("plaque", "{me}", (MARGIN, below, 2.3, 0.72), hands, scored)
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
        placeholders = re.findall(r"\{(\w+)\}", pattern)
        if not {*placeholders} <= {"seat", "row", "column"}:
            continue  # only a designer can lay out other patterns
        lying = [zone for name, zone in dealt.zones.items() if fits(name, pattern)]
        rows, columns = 1, 1
        if "row" in placeholders:
            cells = [tuple(map(int, re.findall(r"\d+", zone.name)[-2:])) for zone in lying]
            rows = max((cell[0] for cell in cells), default=0) + 1
            columns = max((cell[-1] for cell in cells), default=0) + 1
        sight = lying[0].sight if lying else Sight.ALL
        caption = words.captions.get(pattern, "" if "row" in placeholders else text)
        hand = sight in (Sight.OWNER, Sight.OTHERS)
        yield PlainZone(pattern, caption, hand, sight == Sight.NONE, rows, columns)


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
        lines += ['mat = "cells"']
    else:
        lines += ['form = "cascade"' if zone.own else 'form = "grid"', "count = true"]
    return [*lines, f"caption = {_quote(zone.caption)}"] if zone.caption else lines


def _plaque(
    table: str,
    seat: str,
    at: tuple[float, float, float, float],
    hands: Sequence[PlainZone],
    scored: bool,
) -> list[str]:
    figures = [f"{{ text = {_quote(HAND)}, zone = {_quote(hand.pattern)} }}" for hand in hands[:1]]
    figures += [f'{{ text = {_quote(SCORE)}, value = "score/{{seat}}" }}'] if scored else []
    return ["", f"[[{table}]]", f'seat = "{seat}"', f"at = {list(at)}", *(
        [f"figures = [{', '.join(figures)}]"] if figures else []
    )]  # fmt: skip


def _quote(text: str) -> str:
    """Return `text` as a quoted TOML string."""
    return json.dumps(text, ensure_ascii=False)
