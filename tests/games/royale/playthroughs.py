"""Coverage of a playthrough of Sister Royale: the windows that open, the effects that are used."""

from tabletop.engine.events import Asked, Event, Said
from tabletop.games.royale.effects import Guard, Ride, SearchUpTo
from tabletop.games.royale.places import AT, CHARACTER
from tests.games.golden.playthrough import Turn
from tests.games.royale.tables import DECK

USING = frozenset(
    (
        *("again", "forbid", "prepare", "refresh", "peek", "gear", "answer", "move", "find"),
        *("negotiate", "rest", "reroll", "evade", "stand_in", "go_first", "strike", "dodge"),
        *("chain", "counter"),
    )
)
"""The verbs whose cards are used for their effect."""


def windows(events: tuple[Event, ...]) -> set[str]:
    """The questions that were asked."""
    return {event.ask.what for event in events if isinstance(event, Asked)}


def effects(turn: Turn) -> set[str]:
    """The effects that an answer made use of, by their names."""
    state, seat, move, events = turn
    used = {type(DECK.effect[card]) for card in move.cards if move.verb in USING}
    if move.verb == "trade":
        used.add(next(type(DECK.effect[card]) for card in DECK.trades))
    at = str(state.values[AT[seat]])
    area = DECK.effect[state.cards[at][0]] if at and state.cards[at] else None
    if move.verb == "search" and area is not None:
        used.add(type(area))
    if move.verb in ("walk", "move", "answer") and isinstance(area, Ride):
        used.add(Ride)
    held = state.cards[CHARACTER[seat]]
    ability = DECK.effect[held[0]] if held else None
    if isinstance(ability, Guard) and move.choice == "defend":
        used.add(Guard)
    if isinstance(ability, SearchUpTo) and _found_with_more_than_one(events):
        used.add(SearchUpTo)
    return {kind.__name__ for kind in used}


def _found_with_more_than_one(events: tuple[Event, ...]) -> bool:
    """Whether a search drew an item with a throw that is usually too high."""
    rolled = "{seat} rolls {n} for the search."
    thrown = [
        event.args["n"] for event in events if isinstance(event, Said) and event.text == rolled
    ]
    return "{seat} draws {cards}." in said(events) and any(number != 1 for number in thrown)


def themes(story: list[Turn]) -> set[str]:
    """The rulebook's examples that happen in a playthrough."""
    told = {name for text, name in SAID.items() if any(text in said(turn[3]) for turn in story)}
    once_more = ""
    for number, (state, seat, move, _) in enumerate(story):
        match move.verb:
            case "answer" if state.agenda[-1].args[3] == seat:
                told.add("a Move answered by a Move, and by a Move again")
            case "forgo" if state.cards[CHARACTER[seat]][0] in DECK.steals:
                if story[number - 1][2].choice == "far":
                    told.add("the thief's attack answered by moving away")
            case "chain" | "counter":
                if once_more not in ("", move.verb):
                    told.add(f"a {once_more} and then a {move.verb}")
                once_more = move.verb
            case "declare" | "range":
                once_more = ""
            case _:
                pass
    return told


SAID = {
    "The double of {card} steps in.": "the double steps in",
    "The double is worn out.": "the double is worn out",
}


def said(events: tuple[Event, ...]) -> set[str]:
    return {event.text for event in events if isinstance(event, Said)}
