"""The 88 cards as the rules read them, and what a deck has to be like to be this game's."""

from collections import Counter as Count
from collections.abc import Iterator, Mapping, Sequence
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
from tabletop.games.royale.texts import SINGLE_USE, Language, text

E = TypeVar("E", bound=Effect)


class Character(Struct, frozen=True, tag_field="kind", tag="character"):
    """A sister: her rank (1 is the best), her values and her ability."""

    rank: int
    stamina: int
    melee: Values
    ranged: Values
    ability: str
    effect: Effect
    text: str = ""


class Item(Struct, frozen=True, tag_field="kind", tag="item"):
    """A weapon or another thing."""

    effect: Effect
    single_use: bool = False
    text: str = ""


class Ex(Struct, frozen=True, tag_field="kind", tag="ex"):
    """Something special, once."""

    effect: Effect
    text: str = ""


class Area(Struct, frozen=True, tag_field="kind", tag="area"):
    """A place of the map: its dice code, and the edge that has a line."""

    code: tuple[int, int]
    blocked: Literal["N", "E", "S", "W", ""] = ""
    effect: Effect | None = None
    text: str = ""


Card = Character | Item | Ex | Area


class BrokenDeck(ValueError):
    """The deck is not this game's; says all that is wrong with it."""


class Deck:
    """What the rules ask about a card, by the card's number.

    Raises:
        BrokenDeck: the deck breaks what the rules ask of it.
        msgspec.ValidationError: a card lacks something, or has an effect that does not exist.
    """

    def __init__(self, faces: Sequence[Mapping[str, Any]]) -> None:
        cards = msgspec.convert(faces, tuple[Card, ...])
        wrong = list(faults(cards))
        if wrong:
            raise BrokenDeck("This is no deck of Sister Royale: " + "; ".join(wrong) + ".")
        self.cards = cards
        self.names = tuple(str(face.get("name", "")) for face in faces)
        everything = range(len(cards))
        self.characters = tuple(n for n in everything if isinstance(cards[n], Character))
        self.items = tuple(n for n in everything if isinstance(cards[n], Item))
        self.ex = tuple(n for n in everything if isinstance(cards[n], Ex))
        self.areas = tuple(n for n in everything if isinstance(cards[n], Area))
        self.effect = tuple(card.effect for card in cards)
        self.sister = {n: card for n, card in enumerate(cards) if isinstance(card, Character)}
        self.single_use = frozenset(
            n for n, card in enumerate(cards) if isinstance(card, Item) and card.single_use
        )
        self.line = tuple(card.blocked if isinstance(card, Area) else "" for card in cards)
        self.rides = frozenset(n for n in self.areas if isinstance(self.effect[n], Ride))
        self.code = {card.code: n for n, card in enumerate(cards) if isinstance(card, Area)}
        self.attack = {n: e for n, e in enumerate(self.effect) if isinstance(e, Attack)}
        """Items, EX cards, and characters whose ability is a means of attack."""
        self.strikes = {
            reach: frozenset(n for n, e in self.attack.items() if reach in e.perf)
            for reach in (*RANGES, SNIPED)
        }
        """Which means can be used at a range."""
        self.steals = frozenset(n for n, e in self.attack.items() if e.on_hit == "steal")
        self.at = {
            timing: frozenset(n for n, e in enumerate(self.effect) if e and timing in e.timing)
            for timing in TIMINGS
        }
        """Which cards may be used at a moment."""
        self.ex_at = {timing: _among(fits, self.ex) for timing, fits in self.at.items()}
        self.items_at = {timing: _among(fits, self.items) for timing, fits in self.at.items()}
        self.stride = {n: e.extra for n, e in self._with(Stride)}
        self.pass_lines = frozenset(n for n, _ in self._with(PassLines))
        self.walking = tuple(n for n in self.items if n in self.stride or n in self.pass_lines)
        """Gear for walking, as items that can be turned up (5.1)."""
        self.mods = dict(self._with(Mods))
        self.fighting = tuple(self.mods)
        """Gear for a battle or a snipe, as items that can be turned up (6.2)."""
        self.heal = {n: e.n for n, e in self._with(Heal)}
        self.rerolls = {
            throw: tuple(n for n, effect in self._with(Reroll) if throw in effect.rolls)
            for throw in ("hit", "search", "negotiate")
        }
        self.ex_rerolls = {
            throw: _among(frozenset(cards), self.ex) for throw, cards in self.rerolls.items()
        }
        self.guard = {n: e.bonus for n, e in self._with(Guard)}
        self.search_upto = {n: e.max for n, e in self._with(SearchUpTo)}
        self.negotiate = {n: e.bonus for n, e in self._with(Negotiate)}
        self.doubles = dict(self._with(Double))
        self.escapes = tuple(n for n, _ in self._with(Escape))
        self.hides = tuple(n for n, _ in self._with(Hide))
        self.peeks = frozenset(n for n, _ in self._with(Peek))
        self.trades = frozenset(n for n, _ in self._with(TradeEx))

    def _with(self, kind: type[E]) -> list[tuple[int, E]]:
        return [(n, e) for n, e in enumerate(self.effect) if isinstance(e, kind)]


TIMINGS = (
    *("passive", "means", "gear", "start", "own_move", "near_move", "action", "search", "area"),
    *("targeted", "initiative", "own_roll", "hit_suffered", "after_own_attack"),
    *("after_enemy_attack", "forbid", "intermission"),
)
"""All moments at which an effect may work (rulebook 11)."""


def _among(fits: frozenset[int], cards: Sequence[int]) -> tuple[int, ...]:
    return tuple(card for card in cards if card in fits)


# What a deck has to be like


def faults(cards: Sequence[Card]) -> Iterator[str]:
    """All that is wrong with a deck, a sentence part each."""
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


def printed(card: Card, effect: Effect, language: Language, ability: str) -> str:
    """What stands on the card: its effect in words, and what goes before it."""
    said = text(effect, language)
    match card:
        case Character():
            return f"{ability}{': ' if language == 'en' else '：'}{said}"
        case Item(single_use=True):
            return SINGLE_USE[language] + said
        case _:
            return said


def _faults_of(card: Card) -> Iterator[str]:
    effect = card.effect
    if effect is None:
        return
    ability = card.ability if isinstance(card, Character) else ""
    if card.text != (said := printed(card, effect, "en", ability)):
        yield f'the text "{card.text}" instead of "{said}"'
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
            yield "melee means that snipe"  # S18c
        case _, Attack(on_hit="steal", perf=perf) if set(perf) != {"near"}:
            yield "means that steal elsewhere than near"  # S16
        case _:
            return
