"""Check that every name used by the rules has a display name, and that everything named in a layout
exists (law 15).
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.events import Thrown
from tabletop.engine.model import Name
from tabletop.games import older_layout, references
from tabletop.games.typed_toml import BrokenFile, TomlFile, unknown_word
from tabletop.studio.laws.random_games import PlayedTurn


class UsedNames(Struct, frozen=True):
    """The names that rules used in some games."""

    zones: frozenset[str]
    """The zones that held a card, except zones for hidden faces of dice."""
    values: frozenset[str]
    asks: frozenset[str]
    verbs: frozenset[str]


def collect_names(games: Iterable[Iterable[PlayedTurn]]) -> UsedNames:
    """Return the zones, values, questions and verbs used in `games`."""
    by_kind: dict[str, set[str]] = {kind: set() for kind in UsedNames.__struct_fields__}
    boxes: set[Name] = set()
    for turn in (turn for game in games for turn in game):
        state = turn.after
        boxes.update(event.others for event in turn.events if isinstance(event, Thrown))
        by_kind["zones"].update(zone for zone, held in state.cards.items() if held)
        by_kind["values"].update(state.values)
        by_kind["asks"].update(ask.what for ask in state.asks)
        if turn.move is not None:
            by_kind["verbs"].add(turn.move.verb)
    by_kind["zones"] -= boxes
    return UsedNames(**{kind: frozenset(names) for kind, names in by_kind.items()})


def find_unnamed(kit: GameKit, spoken_names: UsedNames) -> Iterator[str]:
    """Yield a message for every question and verb that words.toml doesn't define."""
    for kind, names, known in (
        ("asks", spoken_names.asks, kit.words.asks),
        ("verbs", spoken_names.verbs, kit.words.verbs),
    ):
        for each in sorted(names):
            if not any(references.fits(each, one) for one in known):
                entry = '{ sentence = "…" }' if kind == "verbs" else '{ prompt = "…" }'
                unknown = unknown_word(each, known)
                yield f"{kind} of words.toml: {unknown}: add {each} = {entry}"


def find_unset_values(kit: GameKit, spoken_names: UsedNames) -> Iterator[str]:
    """Yield a message for each layout file that refers to a value that the rules never set."""
    known = {*spoken_names.values, *kit.words.values, *kit.words.told}
    for name in ("table.toml", "meaning.toml"):
        file = TomlFile(name, kit.read_text(name), max(kit.box.seats))
        older_layout.convert_older_entries(file)
        try:
            references.check_values(file, known)
        except BrokenFile as error:
            yield str(error)
    if not hasattr(kit.rules, "figures"):  # `figures` adds more names
        file = TomlFile("words.toml", kit.read_text("words.toml"), max(kit.box.seats))
        try:
            references.check_race_values(file, known)
        except BrokenFile as error:
            yield str(error)
