"""Proof that the laws bite: small things broken on purpose, each caught by its law.

The honest game below keeps every law. Each breaker differs from it in one thing that a rules file,
or the engine's mouth, could really get wrong.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from dataclasses import replace as with_fields
from itertools import count

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tabletop.engine import mask as mouth
from tabletop.engine.events import Announced, Event, Moved, Said, Thrown
from tabletop.engine.model import (
    Ask,
    Move,
    Offer,
    Pen,
    Preview,
    Reason,
    Result,
    Rng,
    Sight,
    State,
    Step,
    TableReader,
    Value,
    Zone,
    hidden_card,
    is_face,
    one,
)
from tabletop.engine.play import GameRules, Illegal, determinized
from tabletop.studio.laws import laws
from tabletop.studio.laws.random_games import GameTable, PlayedTurn, turns

CARDS = 12
SIDES = 3
BACKS = (0,) * CARDS + (1,) * SIDES + (2,) * SIDES
"""Cards, and two dice."""
TURNS = 16


class Honest:
    """Two players in turn lay a card of their hand in the middle, or draw one; then each throws a
    die under a cup."""

    def setup(self, table: Pen) -> None:
        table.place(Zone("pile", Sight.NONE), tuple(range(CARDS)))
        table.place(Zone("middle"))
        table.shuffle("pile")
        for seat in (0, 1):
            table.place(Zone(f"hand/{seat}", Sight.OWNER, seat, loose=True))
            table.draw("pile", f"hand/{seat}", 3)
        dice = range(CARDS, len(BACKS), SIDES)
        table.place(
            Zone("box", Sight.NONE, loose=True),
            tuple(card for card in range(CARDS, len(BACKS)) if card not in dice),
        )
        for seat, die in enumerate(dice):
            table.place(Zone(f"cup/{seat}", Sight.OWNER, seat), (die,))
        self.throw(table)
        table.set("turn", 0)
        table.ask(0, "turn")

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        hand = state.cards[f"hand/{ask.seat}"]
        return (Offer("draw"), *((one("lay", hand),) if hand else ()))

    def play(self, table: Pen, seat: int, move: Move) -> None:
        if move.verb == "lay":
            table.move(move.cards[0], f"hand/{seat}", "middle")
        else:
            drawn = table.draw("pile", f"hand/{seat}")
            table.say("{seat} draws {cards}.", *drawn, seat=seat)
        self.next_turn(table, 1 - seat)

    def throw(self, table: Pen) -> None:
        for cup in ("cup/0", "cup/1"):
            table.throw(cup, table.state.cards[cup], "box")

    def next_turn(self, table: Pen, seat: int) -> None:
        turn = int(table.state.values["turn"]) + 1
        if turn % 3 == 0:
            self.throw(table)
        table.set("turn", turn)
        if turn < TURNS:
            table.ask(seat, "turn")
        else:
            table.end(Result((), (0, 0)))

    def resume(self, table: Pen, step: Step) -> None:
        raise AssertionError("nothing is ever planned")

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
        return None

    def preview(self, state: TableReader, ask: Ask, move: Move) -> Preview | None:
        return None


def deaf(state: State, event: Event, viewer: int) -> Event:
    """Hides every card moved, also from those who see it."""
    if isinstance(event, Moved):
        return replace(event, card=hidden_card(0))
    return mouth.mask_event(state, event, viewer)


def careless(state: State, viewer: int) -> State:
    """Forgets to hide one seat's hand."""
    cards = (
        state.cards | {"pile": (hidden_card(0),) * len(state.cards["pile"])} if state.cards else {}
    )
    return replace(state, viewer=viewer, cards=cards)


def talkative(state: State, event: Event, viewer: int) -> Event:
    """Shows the log's cards to everybody."""
    return event if isinstance(event, Said) else mouth.mask_event(state, event, viewer)


def glassy(state: State, event: Event, viewer: int) -> Event:
    """Throws dice under cups of glass."""
    return event if isinstance(event, Thrown) else mouth.mask_event(state, event, viewer)


def lazy(game: GameRules, view: State, chance: Rng) -> State:
    """Calls a view a whole table, hidden cards and all."""
    return replace(view, viewer=None)


def forgetful(game: GameRules, view: State, chance: Rng) -> State:
    """Deals even the cards that the viewer sees."""
    cards = {
        zone: tuple(hidden_card(view.backs[card]) if is_face(card) else card for card in held)
        for zone, held in view.cards.items()
    }
    return determinized(game, replace(view, cards=cards), chance)


class Peeking(Honest):
    """Offers a draw only while the opponent does not hold card 0."""

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        offers = super().offers(state, ask)
        return offers[1:] if 0 in state.cards[f"hand/{1 - ask.seat}"] else offers


class Grumbling(Honest):
    """Explains with a gap that nobody fills."""

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
        return Reason("{zone} is not free.")


class Stumbling(Honest):
    """Cannot play a move that it offers."""

    def play(self, table: Pen, seat: int, move: Move) -> None:
        if move.verb == "draw":
            table.move(table.state.cards["pile"][-1], "pile", f"hand/{1 - seat}/left")
        super().play(table, seat, move)


class Stuck(Honest):
    """Takes the last way out away: with an empty hand nobody can move."""

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        hand = state.cards[f"hand/{ask.seat}"]
        return (one("lay", hand if int(state.values["turn"]) < 4 else ()),)


class Scribbling(Honest):
    """Writes on the table by hand while it only should look."""

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        state.values["looked"] = int(state.values.get("looked", 0)) + 1
        return super().offers(state, ask)


class Remembering(Honest):
    """Keeps a count of its own between the calls."""

    def __init__(self) -> None:
        self.plays = count()

    def play(self, table: Pen, seat: int, move: Move) -> None:
        table.set("plays", next(self.plays))
        super().play(table, seat, move)


class Hiding(Honest):
    """Writes a hidden card's number into a public value and looks for the card later."""

    def setup(self, table: Pen) -> None:
        super().setup(table)
        table.set("treasure", table.state.cards["pile"][0])

    def play(self, table: Pen, seat: int, move: Move) -> None:
        if len(table.state.cards["pile"]) == 4:
            table.say("Still there: {place}.", place=self.treasure(table.state))
        super().play(table, seat, move)

    def treasure(self, state: TableReader) -> int:
        return state.cards["pile"].index(int(state.values["treasure"]))


class Losing(Honest):
    """Lays a new zone over one that still holds cards."""

    def play(self, table: Pen, seat: int, move: Move) -> None:
        super().play(table, seat, move)
        if table.state.values["turn"] == 5:
            table.place(Zone("middle"))


class Copying(Honest):
    """Brings a card from the box that is on the table already."""

    def play(self, table: Pen, seat: int, move: Move) -> None:
        super().play(table, seat, move)
        if table.state.values["turn"] == 5:
            table.place(Zone("more"), (3,))


class Odd(Honest):
    """Sets a value that no line of text reads back equal."""

    def next_turn(self, table: Pen, seat: int) -> None:
        table.set("pair", (seat, 1 - seat))
        super().next_turn(table, seat)


class Endless(Honest):
    """Never counts a turn."""

    def next_turn(self, table: Pen, seat: int) -> None:
        table.ask(seat, "turn")


class Hinting(Honest):
    """Works a public value out of a hidden card."""

    def next_turn(self, table: Pen, seat: int) -> None:
        pile = table.state.cards["pile"]
        table.set("warmth", pile[-1] % 2 if pile else 0)
        super().next_turn(table, seat)


class Rattling(Honest):
    """Works a public value out of a hidden die."""

    def next_turn(self, table: Pen, seat: int) -> None:
        table.set("noise", table.state.cards[f"cup/{seat}"][0] % 2)
        super().next_turn(table, seat)


class Asking(Honest):
    """Asks a question whose words depend on the opponent's hand."""

    def next_turn(self, table: Pen, seat: int) -> None:
        table.set("best", max(table.state.cards[f"hand/{1 - seat}"], default=0) // 4)
        super().next_turn(table, seat)


class Clinging(Honest):
    """Holds on to the values across a change: one pen's move under it, the other's stay."""

    def next_turn(self, table: Pen, seat: int) -> None:
        values = table.state.values
        super().next_turn(table, seat)
        if table.state.result is None:
            table.set("before", values["turn"])


class Numbering(Honest):
    """Both answer in secret, and what they may answer hangs on the question's number."""

    def setup(self, table: Pen) -> None:
        super().setup(table)
        table.ask(1, "turn", sealed=True)
        table.ask(0, "wait", sealed=True)

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        return (Offer("draw"), Offer("nod")) if ask.id % 2 else (Offer("draw"),)


class Envious(Honest):
    """Both are partners, and only one of them wins."""

    def setup(self, table: Pen) -> None:
        super().setup(table)
        for seat in (0, 1):
            table.set(f"team/{seat}", 0)

    def next_turn(self, table: Pen, seat: int) -> None:
        super().next_turn(table, seat)
        if table.state.result is not None:
            table.end(Result((seat,), (0, 0)))


class Forsaken(Honest):
    """Only one seat gets its team."""

    def setup(self, table: Pen) -> None:
        super().setup(table)
        table.set("team/0", 0)


class Deducing(Honest):
    """Hidden cards answer questions at every turn: to both, or to the one whose turn it is. Half of
    the cards are held the other way round."""

    def setup(self, table: Pen) -> None:
        super().setup(table)
        for seat in (0, 1):
            table.place(Zone(f"rack/{seat}", Sight.OTHERS, seat))
            table.draw("pile", f"rack/{seat}", 2)

    def query(self, question: str, cards: tuple[int, ...], args: tuple[Value, ...]) -> Value:
        match question:
            case "above":
                return int(cards[0] > cards[1])
            case "even":
                return int(cards[0] % 2 == 0)
            case _:
                return sum(card < int(args[0]) for card in cards)

    def ask_cards(
        self, table: Pen, question: str, cards: tuple[int, ...], *args: Value, **to: tuple[int, ...]
    ) -> Value:
        answer = self.query(question, cards, args)
        table.announce(question, cards, *args, answer=answer, **to)
        return answer

    def next_turn(self, table: Pen, seat: int) -> None:
        turn, cards = int(table.state.values["turn"]), table.state.cards
        mine, theirs = cards[f"hand/{seat}"], cards[f"hand/{1 - seat}"]
        pile, rack = cards["pile"], cards[f"rack/{seat}"]
        if mine and theirs:
            self.ask_cards(table, "above", (mine[0], theirs[-1]))
        if theirs:
            low = self.ask_cards(table, "below", theirs, 5, seats=(seat,))
            table.whisper((seat,), "{n} are low.", "{seat} asks.", n=low, seat=seat)
        if pile:
            self.ask_cards(table, "even", pile[:1], seats=(seat,))
        if rack:
            self.ask_cards(table, "even", rack[turn % len(rack) :][:1], seats=(seat,))
        if turn % 4 == 3 and rack:
            table.move(rack[0], f"rack/{seat}", f"hand/{1 - seat}")
        if turn % 5 == 4 and theirs and pile:
            table.move(theirs[0], f"hand/{1 - seat}", "pile", 0)
        super().next_turn(table, seat)


class Lying(Deducing):
    """Announces what is not true."""

    def ask_cards(
        self, table: Pen, question: str, cards: tuple[int, ...], *args: Value, **to: tuple[int, ...]
    ) -> Value:
        answer = 1 - int(self.query(question, cards, args))
        table.announce(question, cards, *args, answer=answer, **to)
        return answer


class Boasting(Deducing):
    """Says how far apart the compared cards are."""

    def next_turn(self, table: Pen, seat: int) -> None:
        mine, theirs = (table.state.cards[f"hand/{s}"] for s in (seat, 1 - seat))
        if mine and theirs:
            table.say("It is {n} higher.", n=mine[0] - theirs[-1])
        super().next_turn(table, seat)


class Whispering(Deducing):
    """Lets everybody read in a value what one seat alone has heard."""

    def ask_cards(
        self, table: Pen, question: str, cards: tuple[int, ...], *args: Value, **to: tuple[int, ...]
    ) -> Value:
        answer = super().ask_cards(table, question, cards, *args, **to)
        table.set("heard", answer)
        return answer


def heedless(game: GameRules, view: State, chance: Rng) -> State:
    """Deals cards without a thought of what was announced."""
    return replace(determinized(game, replace(view, facts=UNSET), chance), facts=view.facts)


def indiscreet(state: State, event: Event, viewer: int) -> Event:
    """Announces to all what one seat asked."""
    return event if isinstance(event, Announced) else mouth.mask_event(state, event, viewer)


def overheard(
    befores: Iterable[State], events: Iterable[Event], viewers: Iterable[int]
) -> dict[int, tuple[Event, ...]]:
    """Takes a whisper that names no card for public."""
    given = tuple(events)
    heard = mouth.events_by_viewer(befores, given, viewers)
    return {
        viewer: tuple(
            event if isinstance(event, Said) and not event.cards else masked
            for event, masked in zip(given, theirs, strict=True)
        )
        for viewer, theirs in heard.items()
    }


@dataclass(frozen=True)
class Breaker:
    law: laws.Law
    name: str
    caught: type[Exception] = AssertionError
    game: type[Honest] = Honest
    mouth: Callable[[GameTable], GameTable] = lambda setting: setting


BREAKERS = [
    Breaker(laws.square, "deaf", mouth=lambda s: with_fields(s, mask_event=deaf)),
    Breaker(laws.square, "careless", mouth=lambda s: with_fields(s, mask=careless)),
    Breaker(
        laws.square,
        "indiscreet",
        game=Deducing,
        mouth=lambda s: with_fields(s, mask_event=indiscreet),
    ),
    Breaker(
        laws.square,
        "overheard",
        game=Deducing,
        mouth=lambda s: with_fields(s, events_by_viewer=overheard),
    ),
    Breaker(laws.silence, "talkative", mouth=lambda s: with_fields(s, mask_event=talkative)),
    Breaker(laws.silence, "glassy", mouth=lambda s: with_fields(s, mask_event=glassy)),
    Breaker(laws.own_knowledge, "peeking", game=Peeking),
    Breaker(laws.own_knowledge, "grumbling", KeyError, Grumbling),
    Breaker(laws.exact, "stumbling", KeyError, Stumbling),
    Breaker(laws.exact, "stuck", game=Stuck),
    Breaker(laws.exact, "scribbling", game=Scribbling),
    Breaker(laws.replay, "remembering", game=Remembering),
    Breaker(laws.determinize, "lazy", mouth=lambda s: with_fields(s, determinized=lazy)),
    Breaker(laws.determinize, "forgetful", mouth=lambda s: with_fields(s, determinized=forgetful)),
    Breaker(
        laws.determinize,
        "heedless",
        game=Deducing,
        mouth=lambda s: with_fields(s, determinized=heedless),
    ),
    Breaker(laws.determinize, "hiding", ValueError, Hiding),
    Breaker(laws.conserve, "losing", game=Losing),
    Breaker(laws.conserve, "copying", game=Copying),
    Breaker(laws.codec, "odd", msgspec.ValidationError, Odd),
    Breaker(laws.ends, "endless", game=Endless),
    Breaker(laws.two_worlds, "hinting", game=Hinting),
    Breaker(laws.two_worlds, "rattling", game=Rattling),
    Breaker(laws.two_worlds, "asking", game=Asking),
    Breaker(laws.two_worlds, "hiding", ValueError, Hiding),
    Breaker(laws.two_worlds, "boasting", game=Boasting),
    Breaker(laws.two_worlds, "whispering", game=Whispering),
    Breaker(laws.pens, "clinging", game=Clinging),
    Breaker(laws.second_thoughts, "numbering", game=Numbering),
    Breaker(laws.partners, "envious", game=Envious),
    Breaker(laws.partners, "forsaken", game=Forsaken),
    Breaker(laws.true_facts, "lying", game=Lying),
]


def keep(law: laws.Law, setting: GameTable) -> None:
    """Run a law over a few random games."""
    for seed in "abcdef":
        law(setting, seed, as_far_as_it_goes(setting, seed))


def as_far_as_it_goes(setting: GameTable, seed: str) -> list[PlayedTurn]:
    """A random game, or its beginning where it breaks on the way."""
    game = []
    with suppress(KeyError, ValueError, Illegal):
        for turn in turns(setting, seed, longest=60):
            game.append(turn)
    return game


@pytest.mark.parametrize("game", [Honest, Deducing], ids=lambda game: game.__name__)
@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
def test_an_honest_game_keeps_the_law(law: laws.Law, game: type[Honest]) -> None:
    keep(law, GameTable("honest", game(), BACKS, 2))


@pytest.mark.parametrize("breaker", BREAKERS, ids=lambda b: f"{b.law.__name__}-{b.name}")
def test_the_law_bites(breaker: Breaker) -> None:
    setting = breaker.mouth(GameTable(breaker.name, breaker.game(), BACKS, 2))
    with pytest.raises(breaker.caught):
        keep(breaker.law, setting)


def test_every_law_has_its_breaker() -> None:
    assert {breaker.law for breaker in BREAKERS} == set(laws.LAWS)
