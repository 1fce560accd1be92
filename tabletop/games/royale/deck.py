"""The properties of the 88 cards for the rules, and the validation of a deck."""

from collections import Counter as Count
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from tabletop.games.royale.effects import (
    RANGES,
    SNIPED,
    Attack,
    Double,
    DrawEx,
    Effect,
    Escape,
    Guard,
    Heal,
    Hide,
    Mods,
    Negotiate,
    PassLines,
    Peek,
    Reroll,
    Ride,
    SearchUpTo,
    Stride,
    TradeEx,
    Values,
)
from tabletop.games.royale.texts import SINGLE_USE, Language, effect_text


class Character(Struct, frozen=True, tag_field="kind", tag="character"):
    """A character card: rank (1 is the best), values and ability."""

    rank: int
    stamina: int
    melee: Values
    ranged: Values
    ability: str
    effect: Effect
    text: str = ""


class Item(Struct, frozen=True, tag_field="kind", tag="item"):
    """A weapon or other item."""

    effect: Effect
    single_use: bool = False
    text: str = ""


class Ex(Struct, frozen=True, tag_field="kind", tag="ex"):
    """An EX card: an effect that is used once."""

    effect: Effect
    text: str = ""


class Area(Struct, frozen=True, tag_field="kind", tag="area"):
    """An area card: its dice code, and its side with a line."""

    code: tuple[int, int]
    blocked: Literal["N", "E", "S", "W", ""] = ""
    effect: Effect | None = None
    text: str = ""


Card = Character | Item | Ex | Area
C = TypeVar("C", bound=Card)
E = TypeVar("E", bound=Effect)


class BrokenDeck(ValueError):
    """Raised for a deck that doesn't belong to this game. The message lists all faults."""


class Deck:
    """The properties of all cards, by card number.

    Raises:
        BrokenDeck: the deck doesn't belong to this game.
        msgspec.ValidationError: a card lacks a field or has an unknown effect.
    """

    def __init__(self, faces: Sequence[Mapping[str, Any]]) -> None:
        cards = msgspec.convert(faces, tuple[Card, ...])
        wrong = list(find_faults(cards))
        if wrong:
            raise BrokenDeck("This isn't a deck of Sister Royale: " + "; ".join(wrong) + ".")
        self.cards = cards
        self.names = tuple(str(face.get("name", "")) for face in faces)
        self.effect = effects = tuple(card.effect for card in cards)
        self.sister = _of_kind(Character, cards)
        items, areas = _of_kind(Item, cards), _of_kind(Area, cards)
        self.characters, self.items = tuple(self.sister), tuple(items)
        self.ex, self.areas = tuple(_of_kind(Ex, cards)), tuple(areas)
        self.single_use = frozenset(n for n, item in items.items() if item.single_use)
        self.at = {timing: _cards_at(timing, effects) for timing in TIMINGS}
        """The cards that can be used at each timing."""
        self.ex_at = {timing: _intersect(fits, self.ex) for timing, fits in self.at.items()}
        self.items_at = {timing: _intersect(fits, self.items) for timing, fits in self.at.items()}
        # the map
        self.line = {n: area.blocked for n, area in areas.items()}
        self.code = {area.code: n for n, area in areas.items()}
        self.rides = frozenset(_cards_with(Ride, effects))
        # walking
        self.stride = _cards_with(Stride, effects)
        self.pass_lines = frozenset(_cards_with(PassLines, effects))
        self.walking = _intersect({*self.stride, *self.pass_lines}, self.items)
        """Items that can be turned up as gear for walking (5.1)."""
        # the action
        self.search_upto = _cards_with(SearchUpTo, effects)
        self.negotiate = _cards_with(Negotiate, effects)
        self.heal = _cards_with(Heal, effects)
        # attacks
        self.attack = _cards_with(Attack, effects)
        """The weapons: items, EX cards, and characters with such an ability."""
        self.strikes = {reach: _weapons_at(reach, self.attack) for reach in (*RANGES, SNIPED)}
        """The weapons that work at each range."""
        self.steals = frozenset(n for n, means in self.attack.items() if means.on_hit == "steal")
        self.mods = _cards_with(Mods, effects)
        self.fighting = tuple(self.mods)
        """Items that can be turned up as gear for a battle or a snipe (6.2)."""
        self.guard = _cards_with(Guard, effects)
        self.doubles = _cards_with(Double, effects)
        self.escapes, self.hides = (
            tuple(_cards_with(Escape, effects)),
            tuple(_cards_with(Hide, effects)),
        )
        self.rerolls = {throw: _rerolls_of(throw, effects) for throw in THROWS}
        self.ex_rerolls = {throw: _intersect(fits, self.ex) for throw, fits in self.rerolls.items()}
        # the intermission
        self.peeks = frozenset(_cards_with(Peek, effects))
        self.trades = frozenset(_cards_with(TradeEx, effects))


THROWS = ("hit", "search", "negotiate")
"""The purposes of rolls that can be rerolled."""

TIMINGS = (
    *("passive", "means", "gear", "start", "own_move", "near_move", "action", "search", "area"),
    *("targeted", "initiative", "own_roll", "hit_suffered", "after_own_attack"),
    *("after_enemy_attack", "forbid", "intermission"),
)
"""All points in time at which an effect can be used (rulebook 11)."""


def _of_kind(kind: type[C], cards: Sequence[Card]) -> dict[int, C]:
    return {n: card for n, card in enumerate(cards) if isinstance(card, kind)}


def _cards_with(kind: type[E], effects: Sequence[Effect | None]) -> dict[int, E]:
    return {n: effect for n, effect in enumerate(effects) if isinstance(effect, kind)}


def _cards_at(timing: str, effects: Sequence[Effect | None]) -> frozenset[int]:
    return frozenset(n for n, effect in enumerate(effects) if effect and timing in effect.timing)


def _weapons_at(reach: str, attacks: Mapping[int, Attack]) -> frozenset[int]:
    return frozenset(n for n, means in attacks.items() if reach in means.perf)


def _rerolls_of(throw: str, effects: Sequence[Effect | None]) -> tuple[int, ...]:
    return tuple(n for n, effect in _cards_with(Reroll, effects).items() if throw in effect.rolls)


def _intersect(fits: Container[int], cards: Sequence[int]) -> tuple[int, ...]:
    return tuple(card for card in cards if card in fits)


# Conditions on a deck


def find_faults(cards: Sequence[Card]) -> Iterator[str]:
    """Yield all faults of a deck, each as part of a sentence."""
    kinds = Count(type(card).__name__.lower() for card in cards)
    for kind, wanted in (("character", 12), ("item", 30), ("ex", 25), ("area", 21)):
        if kinds[kind] != wanted:
            yield f"{kinds[kind]} cards of the kind {kind} instead of {wanted}"
    ranks = sorted(card.rank for card in cards if isinstance(card, Character))
    if ranks != list(range(1, 13)):
        yield f"ranks {ranks} instead of 1 to 12"
    codes = sorted(card.code for card in cards if isinstance(card, Area))
    if codes != list(combinations_with_replacement(range(1, 7), 2)):
        yield "codes that are not the 21 throws of two dice"  # S1
    for card in cards:
        yield from _faults_of(card)


def printed_text(card: Card, effect: Effect, language: Language, ability: str) -> str:
    """Return the text on a card: the ability's name or the note for single use, then the effect."""
    wording = effect_text(effect, language)
    match card:
        case Character():
            if language == "en":
                return f"{ability}: {wording}"
            return f"{ability}：{wording.replace('：', '。')}"  # never two colons in a sentence
        case Item(single_use=True):
            return SINGLE_USE[language] + wording
        case _:
            return wording


def _faults_of(card: Card) -> Iterator[str]:
    effect = card.effect
    if effect is None:
        return
    ability = card.ability if isinstance(card, Character) else ""
    if card.text != (wording := printed_text(card, effect, "en", ability)):
        yield f'the text "{card.text}" instead of "{wording}"'
    if unknown := set(effect.timing) - set(TIMINGS):
        yield f"unknown moments {sorted(unknown)}"
    match card, effect:
        case Area(code=(one, other)), _ if one != other:
            yield f"the ordinary area {one}-{other} has an effect"
        case Item(single_use=False), Heal(timing=timing) if "intermission" in timing:
            yield "an item heals in the intermission without being used up"  # S27
        case Item(), DrawEx():
            yield "an item draws EX cards in the intermission"  # S27
        case Ex(), _ if "intermission" in effect.timing:
            yield "an EX card for the intermission"  # S27
        case _, Attack(category="melee", perf=perf) if SNIPED in perf:
            yield "melee means that snipe"  # S18b
        case _, Attack(on_hit="steal", perf=perf) if set(perf) != {"near"}:
            yield "means that steal elsewhere than near"  # S16
        case _:
            return
