"""The layout of a game without one: a table.toml written from its zones.

The others are above, side by side; shared zones are in between; the player's own are below. A game
that needs another layout writes its own file, starting from this one (`tabletop layout GAME`).

A free table has its own default layout (`tabletop/free_table/default_layout.py`), because more is
known of it. Here only the names of the zones, their words and the first deal are known, and the
result is a text for its designer to edit. There each component has a purpose (dice and their
places, counters, numbers of open cards), and the result is the layout itself, in two widths. They
share the shape of a table, a handful of numbers.
"""

import json
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from tabletop.engine.model import Sight, State
from tabletop.games.references import fits
from tabletop.games.wording import Wording
from tabletop.text.phrases import phrase

WIDTH, EDGE, GAP = 12.0, 0.2, 0.2
NARROW, SIDE = 2.9, 3.78
"""The width of another player's area, with few or many zones: a narrower one is larger among many
players."""
HEIGHT, TOP = 9.0, 0.12
"""The height of the table, and the top of the first area."""
OTHERS, OWN = 2.5, 2.95
"""Heights of the others' areas and the viewer's."""
LOW_OTHERS, LOW_OWN = 2.1, 2.45
"""The heights of the others' areas and the viewer's, beside a board of many rows."""
SIGN = 0.8
"""The height of an area with a plaque alone."""
PROMPT = 0.42
MANY_ROWS = 5
"""The rows of a shared board that wants more room."""
HAND, SCORE = phrase("hand {n}"), phrase("score {n}")
ROW, COLUMN = "{row}", "{column}"


class PlainZone(Struct, frozen=True):
    """A zone, or one that each player has, or a grid of them."""

    pattern: str
    """Its name, with {seat}, {row} and {column} where there are several."""
    caption: str
    """Its caption on the table."""
    hand: bool
    """Only its owner sees it."""
    pile: bool
    """Nobody sees its cards."""
    rows: int = 1
    """The number of rows of a grid."""
    columns: int = 1
    """The number of columns of a grid."""

    @property
    def own(self) -> bool:
        """Whether each player has one."""
        return "{seat}" in self.pattern

    @property
    def share(self) -> float:
        """The share of the room that it needs beside others."""
        return 1.0 if self.pile else 1.0 + 0.5 * min(self.columns, 6) if self.grid else 2.0

    @property
    def grid(self) -> bool:
        return ROW in self.pattern


def layout_text(words: Wording, dealt: State) -> str:
    """The text of a table.toml for the zones that have words, as they are on a table just dealt."""
    zones = tuple(_zones(words, dealt))
    shared = [zone for zone in zones if not zone.own]
    own = [zone for zone in zones if zone.own]
    hands = [zone for zone in own if zone.hand]
    laid = [zone for zone in own if not zone.hand]
    scored = "score/0" in dealt.values
    side = NARROW if len(own) <= 2 and not any(zone.grid for zone in own) else SIDE
    board = any(zone.rows >= MANY_ROWS for zone in shared)
    others = (LOW_OTHERS if board else OTHERS) if own else SIGN
    mine = (LOW_OWN if board else OWN) if own else SIGN
    top = round(TOP + others + 0.13, 2)
    below = round(HEIGHT - 0.1 - mine, 2)
    prompt = round(below - 0.08 - PROMPT, 2)
    high = round(prompt - 0.1 - top, 2)
    lines = [
        "[table]",
        f"size = [{WIDTH}, {HEIGHT}]",
        f"prompt = [2.6, {prompt}, 6.8, {PROMPT}]",
        "",
        "# The others, side by side",
        "",
        "[[panel]]",
        f"at = [0.2, {TOP}, 11.6, {others}]",
        f"size = [{side}, {others}]",
        *_plaque("panel.plaque", "{seat}", (0.0, 0.0, 2.2, 0.66), hands, scored),
    ]
    beside_plaque = round(others - SIGN, 2)
    for zone, at in _side_by_side([*hands[:1], *laid, *hands[1:]], 0.0, 0.76, side, beside_plaque):
        lines += _place("panel.place", zone, zone.pattern, at, 0.7, across=True)
    lines += ["", "# Shared places"]
    for zone, at in _side_by_side(shared, EDGE, top, WIDTH - 2 * EDGE, high):
        lines += _place("place", zone, zone.pattern, at, 1.3)
    lines += ["", "# The viewer's places"]
    beside = 2.4 if not laid else WIDTH - 2 * EDGE if not hands else 2.4 + 1.3 * (len(laid) - 1)
    lines += _plaque("plaque", "{me}", (EDGE, below, 2.3, 0.72), hands, scored)
    under = round(below + 0.85, 2)
    for zone, at in _side_by_side(laid, EDGE, under, beside, round(mine - 0.85, 2)):
        lines += _place("place", zone, _mine(zone), at, 0.9)
    left = EDGE + beside + GAP
    for zone, at in _side_by_side(hands, left, below + 0.1, WIDTH - EDGE - left, mine - 0.1):
        lines += _place("place", zone, _mine(zone), at, 1.6)
    return "\n".join([*lines, ""])


def _zones(words: Wording, dealt: State) -> Iterator[PlainZone]:
    for pattern, text in words.zones.items():
        gaps = re.findall(r"\{(\w+)\}", pattern)
        if not {*gaps} <= {"seat", "row", "column"}:
            continue  # its designer decides how the cards there are shown
        lying = [zone for name, zone in dealt.zones.items() if fits(name, pattern)]
        rows, columns = 1, 1
        if "row" in gaps:
            cells = [tuple(map(int, re.findall(r"\d+", zone.name)[-2:])) for zone in lying]
            rows = max((cell[0] for cell in cells), default=0) + 1
            columns = max((cell[-1] for cell in cells), default=0) + 1
        sight = lying[0].sight if lying else Sight.ALL
        caption = words.captions.get(pattern, "" if "row" in gaps else text)
        hand = sight in (Sight.OWNER, Sight.OTHERS)
        yield PlainZone(pattern, caption, hand, sight == Sight.NONE, rows, columns)


def _mine(zone: PlainZone) -> str:
    return zone.pattern.replace("{seat}", "{me}")


def _side_by_side(
    zones: Sequence[PlainZone], x: float, y: float, width: float, height: float
) -> Iterator[tuple[PlainZone, tuple[float, float, float, float]]]:
    """The zones in a row, each as wide as it wants to be beside the others."""
    room = width - GAP * (len(zones) - 1)
    whole = sum(zone.share for zone in zones)
    for zone in zones:
        wide = room * zone.share / whole
        yield zone, (round(x, 2), round(y, 2), round(wide, 2), round(height, 2))
        x += wide + GAP


def _place(
    table: str,
    zone: PlainZone,
    name: str,
    at: tuple[float, float, float, float],
    card: float,
    across: bool = False,
) -> list[str]:
    lines = ["", f"[[{table}]]", f"zone = {_text(name)}", f"at = {list(at)}", f"card = {card}"]
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
    return [*lines, f"caption = {_text(zone.caption)}"] if zone.caption else lines


def _plaque(
    table: str,
    seat: str,
    at: tuple[float, float, float, float],
    hands: Sequence[PlainZone],
    scored: bool,
) -> list[str]:
    figures = [f"{{ text = {_text(HAND)}, zone = {_text(hand.pattern)} }}" for hand in hands[:1]]
    figures += [f'{{ text = {_text(SCORE)}, value = "score/{{seat}}" }}'] if scored else []
    return ["", f"[[{table}]]", f'seat = "{seat}"', f"at = {list(at)}", *(
        [f"figures = [{', '.join(figures)}]"] if figures else []
    )]  # fmt: skip


def _text(text: str) -> str:
    """A text as TOML quotes it."""
    return json.dumps(text, ensure_ascii=False)
