"""Check for zones, counters, dice and values that a game's layout doesn't place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.mask import mask
from tabletop.engine.model import Sight, State, Value
from tabletop.free_table import game as free_table
from tabletop.free_table.components import BOX, COLLECTED, FACES
from tabletop.free_table.zones import make_counters, make_dice, make_zones
from tabletop.games.default_layout import seat_numbers
from tabletop.games.layout import (
    Drawing,
    Layout,
    LayoutElement,
    Marker,
    Panel,
    Piece,
    PublicLayout,
    layouts_for,
)
from tabletop.games.references import fits
from tabletop.studio.laws.names import collect_names
from tabletop.studio.laws.random_games import GameTable, PlayedTurn
from tabletop.studio.workshop.file_check import Games
from tabletop.studio.workshop.finding import Finding
from tabletop.studio.workshop.layout_file import has_layout
from tabletop.studio.workshop.source_lines import locate_name
from tabletop.text.phrases import GAP, fill_gaps
from ui.table.layout.geometry import lay_out_table

TABLE_SIZE_PX = (1280.0, 800.0)
MAX_POSITIONS = 6
"""The number of positions checked per game, including the first and the last."""


class _RecordingValues(dict[str, Value]):
    """Public values that record which keys are read."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        super().__init__(values)
        self.read: set[str] = set()

    def __getitem__(self, key: str) -> Value:
        self.read.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.read.add(key)
        return super().get(key, default)


def find_unplaced(kit: GameKit, games: Games) -> Iterator[Finding]:
    """Yield a finding for each zone with cards, counter, die and score that some player can't see
    on the table, at any player count and in any arrangement.
    """
    reported: set[str] = set()
    for table, turns in games:
        wanted = _things_to_show(kit, table, turns)
        states = [turn.after for turn in turns]
        step = max(1, (len(states) - 1) // (MAX_POSITIONS - 1))
        looked_at = [*states[::step], states[-1]]
        held = layouts_for(kit.layouts, table.seats)
        layouts = [one for one in held if not isinstance(one, PublicLayout)]
        for number, layout in enumerate(layouts):
            patterns = _patterns_shown_elsewhere(kit, layout)
            for seat in range(table.seats):
                zones, values = _shown_zones_and_values(layout, looked_at, seat)
                for name, kind in wanted.items():
                    key = re.sub(r"\d+", "#", name)
                    seen = values if kind in ("counter", "die", "value") else zones
                    if name in seen or key in reported or any(fits(name, p) for p in patterns):
                        continue
                    reported.add(key)
                    other = " (in another arrangement)" if number else ""
                    yield Finding(
                        f'{_naming_line(kit, name, kind)}: the {kind} "{name}" has no place'
                        f" on the table of {table.seats} players"
                        f" as player {seat + 1} sees it{other}",
                        "table.toml names it for some seats only, or not at all"
                        if has_layout(kit)
                        else "[zones] of words.toml does not name it",
                    )


def _shown_zones_and_values(
    layout: Layout, states: Sequence[State], seat: int
) -> tuple[set[str], set[str]]:
    """Return the names of the zones on the table of `seat`, and of the values displayed there, in
    any of the `states`.
    """
    zones: set[str] = set()
    shown: set[str] = set()
    for state in states:
        view = mask(state, seat)
        values = _RecordingValues(view.values)
        setting = lay_out_table((layout,), replace(view, values=values), TABLE_SIZE_PX)
        zones |= setting.zones.keys()
        shown |= values.read
    return zones, shown


def _patterns_shown_elsewhere(kit: GameKit, layout: Layout) -> set[str]:
    """Return patterns of names that are shown in other ways: zones whose cards appear in drawings,
    and values that a heading displays or a condition reads.
    """
    panels: list[LayoutElement] = [
        each for panel in layout.panel for each in (*panel.drawing, *panel.label)
    ]
    drawings = [each for each in (*layout.drawing, *panels) if isinstance(each, Drawing)]
    names = {zone for each in drawings for zone in (*each.cards, *each.held)}
    names |= {key for each in drawings for key in each.named.values()}
    parts: list[LayoutElement | Panel | Piece | Marker] = [*layout.place, *layout.label, *panels]
    parts += [*layout.drawing, *layout.panel, *layout.piece, *layout.marker]
    for part in parts:
        names |= {*part.when, *part.unless}
    names |= {*GAP.findall(kit.words.heading), *layout.table.lingers}
    return names | {gap for text in kit.words.asks.values() for gap in GAP.findall(text.prompt)}


def _things_to_show(kit: GameKit, table: GameTable, turns: Sequence[PlayedTurn]) -> dict[str, str]:
    """Return the kind ("zone", "counter", "die" or "value") of everything that a table must show,
    by name.
    """
    seats, score = range(table.seats), kit.meaning.score
    last = turns[-1].after.values
    scores = [name for seat in seats if (name := fill_gaps(score, {"seat": seat})) in last]
    if not isinstance(kit.rules, free_table.Rules):
        moving = sorted(collect_names([turns]).zones - _boxed_zones(turns))
        wanted = dict.fromkeys(moving, "zone")
        numbers = seat_numbers(kit.rules, turns[0].after)
        shown = [*kit.words.told, *(each for each in numbers if each != kit.meaning.out)]
        values = [name for name in last if any(fits(name, each) for each in shown)]
        return wanted | dict.fromkeys((*scores, *values), "value")
    free = kit.rules.table
    wanted = {spot.name: "zone" for spot in make_zones(free, table.seats)}
    wanted |= {thing.name: "counter" for thing in make_counters(free, table.seats)}
    for thing in make_dice(free, table.seats):
        wanted |= dict.fromkeys((n for n in last if n.startswith(f"{thing.name}/die")), "die")
    if free.score:
        wanted |= dict.fromkeys(scores, "value")
    return {name: kind for name, kind in wanted.items() if name not in (BOX, COLLECTED, FACES)}


def _boxed_zones(turns: Sequence[PlayedTurn]) -> set[str]:
    """Return the hidden zones from which no card is ever taken, such as the box."""
    aside = {name for name, zone in turns[-1].after.zones.items() if zone.sight is Sight.NONE}
    for turn in turns[1:]:
        for name in list(aside):
            before = turn.before.cards.get(name, ())
            if not {*before} <= {*turn.after.cards.get(name, ())}:
                aside.discard(name)
    return aside


def _naming_line(kit: GameKit, name: str, kind: str) -> str:
    if isinstance(kit.rules, free_table.Rules):
        section = {"die": "dice", "value": "score"}.get(kind, kind)
        return locate_name(kit, "free.toml", section, name.partition("/")[0])
    return locate_name(kit, "words.toml", "zones" if kind == "zone" else "told", name)
