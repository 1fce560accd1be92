"""A table of Sister Royale as a test wants it: places, cards, and the dice."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.engine.events import Asked, Said
from tabletop.engine.model import Ask, Move, Offer, Rng, State, Step, everyone
from tabletop.engine.play import answer, proceed, start
from tabletop.engine.scratch import FastRng
from tabletop.engine.steps import to_record
from tabletop.engine.table import Table
from tabletop.games.royale.areas import CELLS
from tabletop.games.royale.places import (
    AT,
    CHARACTER,
    CHARACTER_PILE,
    EX_DISCARD,
    EX_PILE,
    HAND,
    ITEM_DISCARD,
    ITEM_PILE,
    ITEMS,
    RANK,
    REMOVED,
    RETIRED,
    STAMINA,
)
from tabletop.games.royale.rules import Rules
from tabletop.games.royale.steps import Action

KIT = catalogue.load("royale")
GAME = KIT.rules
assert isinstance(GAME, Rules)
DECK = GAME.deck
NAME = DECK.names

ESCALATOR, GATE, FOUNTAIN = "area/1,2", "area/1,3", "area/1,4"
WALKWAY, STALL, GYM, NURSE, LIBRARY = (f"area/2,{column}" for column in range(1, 6))
MUSIC, HAUNTED, POOL, SHOP, ART = (f"area/3,{column}" for column in range(1, 6))
SCIENCE, TRACK, LOST, COOKING, GREENHOUSE = (f"area/4,{column}" for column in range(1, 6))
RADIO, OBSERVATORY, ROPEWAY = "area/5,2", "area/5,3", "area/5,4"
"""The areas' places on a test's map: in the order of their codes."""

SISTERS = ("Yuzuha", "Minato", "Shiori", "Chitose", "Komugi", "Nadeshiko", "Watano", "Matsuri")


class Loaded(Rng):
    """Dice that show what the test says, and then anything."""

    def __init__(self, faces: Sequence[int]) -> None:
        self.faces = list(faces)
        self.luck = FastRng("loaded")

    def below(self, limit: int) -> int:
        return self.faces.pop(0) - 1 if self.faces else self.luck.below(limit)

    def shuffled(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        return self.luck.shuffled(cards)


class Stage:
    """A table in the middle of a game, and short ways to speak with it."""

    def __init__(
        self,
        *steps: Step,
        seats: int = 2,
        sisters: Sequence[str] = SISTERS,
        at: Sequence[str] = (),
        items: Mapping[int, Sequence[str]] | None = None,
        up: Mapping[int, Sequence[str]] | None = None,
        hands: Mapping[int, Sequence[str]] | None = None,
        discards: Sequence[str] = (),
        closed: Sequence[str] = (),
        retired: Sequence[str] = (),
        values: Mapping[str, int | str] | None = None,
        dice: Sequence[int] = (),
        last: int = 21,
        lying: Mapping[str, str] | None = None,
    ) -> None:
        """`lying` names areas that lie elsewhere than usual; they change places with what lies
        there."""
        empty = start(GAME, seats, "stage", KIT.backs, {"length": last}).state
        cards: dict[str, tuple[int, ...]] = dict.fromkeys(empty.zones, ())
        used: set[int] = set()

        def take(name: str) -> int:
            card = next(n for n, known in enumerate(NAME) if known == name and n not in used)
            used.add(card)
            return card

        facts: dict[str, int | str] = dict(empty.values) | {"turn": 1 + len(closed), "parent": 0}
        shown = {}
        for seat in range(seats):
            if sisters[seat]:
                card = take(sisters[seat])
                cards[CHARACTER[seat]] = (card,)
                facts[STAMINA[seat]] = DECK.sister[card].stamina
                facts[RANK[seat]] = DECK.sister[card].rank
            held = [take(name) for name in (items or {}).get(seat, ())]
            turned = [take(name) for name in (up or {}).get(seat, ())]
            shown |= dict.fromkeys(turned, everyone(seats))
            cards[ITEMS[seat]] = (*held, *turned)
            cards[HAND[seat]] = tuple(sorted(take(name) for name in (hands or {}).get(seat, ())))
            facts[AT[seat]] = at[seat] if seat < len(at) else ""
        for name in discards:
            card = take(name)
            zone = ITEM_DISCARD if card in DECK.items else EX_DISCARD
            cards[zone] = (*cards[zone], card)
        cards[RETIRED] = tuple(take(name) for name in retired)
        areas = list(DECK.areas)
        for cell, name in (lying or {}).items():
            here, there = CELLS.index(cell), areas.index(NAME.index(name))
            areas[here], areas[there] = areas[there], areas[here]
        for cell, area in zip(CELLS, areas, strict=True):
            cards[cell if cell not in closed else REMOVED] += (area,)
        for pile, kind in (
            (CHARACTER_PILE, DECK.characters),
            (ITEM_PILE, DECK.items),
            (EX_PILE, DECK.ex),
        ):
            cards[pile] = tuple(card for card in kind if card not in used)
        state = replace(
            empty,
            cards=cards,
            shown=shown,
            values=facts | {"retired": len(retired)} | dict(values or {}),
            asks=(),
            answers={},
            agenda=tuple(to_record(step) for step in reversed(steps)),
        )
        self.loaded = Loaded(dice)
        self.table = Table(state, self.loaded)
        proceed(GAME, self.table)

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def ask(self) -> Ask:
        """The one open question: there are never two at this table."""
        (ask,) = self.state.asks
        return ask

    @property
    def asked(self) -> tuple[int, str]:
        """The asked seat and its question."""
        return self.ask.seat, self.ask.what

    @property
    def offers(self) -> tuple[Offer, ...]:
        return GAME.offers(self.state, self.ask)

    @property
    def verbs(self) -> list[str]:
        return [offer.verb for offer in self.offers]

    def offer(self, verb: str) -> Offer:
        return next(offer for offer in self.offers if offer.verb == verb)

    def names(self, verb: str) -> list[str]:
        """The cards that an offer names."""
        return [NAME[card] for card in self.offer(verb).cards]

    def move(self, verb: str, *names: str, to: str = "", choice: str = "") -> Move:
        """The answer with cards of these names."""
        left = list(self.offer(verb).cards)
        cards = []
        for name in names:
            card = next(card for card in left if NAME[card] == name)
            left.remove(card)
            cards.append(card)
        return Move(self.ask.id, verb, tuple(cards), to, choice)

    def do(
        self, verb: str, *names: str, to: str = "", choice: str = "", dice: Sequence[int] = ()
    ) -> "Stage":
        """Answer the open question."""
        move = self.move(verb, *names, to=to, choice=choice)
        assert any(offer.admits(move) for offer in self.offers), (move, self.offers)
        self.loaded.faces += dice
        answer(GAME, self.table, self.ask, move)
        return self

    def all_pass(self) -> "Stage":
        """Pass as long as that is offered."""
        while self.state.asks and "pass" in self.verbs:
            self.do("pass")
        return self

    def value(self, key: str) -> int | str:
        return self.state.values[key]

    def held(self, zone: str) -> list[str]:
        """The names of the cards in a place, sorted."""
        return sorted(NAME[card] for card in self.state.cards[zone])

    @property
    def said(self) -> list[str]:
        """All that was said so far, gaps unfilled."""
        return [event.text for event in self.table.events if isinstance(event, Said)]

    @property
    def questions(self) -> list[tuple[int, str]]:
        """Everybody who was asked so far, and what."""
        return [(e.ask.seat, e.ask.what) for e in self.table.events if isinstance(e, Asked)]


def action(seat: int = 0) -> Step:
    return Action(seat)


def character(seat: int) -> str:
    return CHARACTER[seat]


def battle(
    *actions: str, at: str = STALL, reach: str = "near", first: int = 0, **kwargs: object
) -> Stage:
    """A battle of seat 0 against seat 1 up to the first action: declared, and diced for."""
    stage = Stage(action(), at=(at, at), **kwargs)
    stage.do("attack", to=character(1)).all_pass()
    stage.do("range", choice=reach).all_pass()
    dice = (6, 1) if first == 0 else (1, 6)
    for declared in actions:
        stage.do("declare", choice=declared, dice=() if stage.ask.seat == 0 else dice)
    return stage
