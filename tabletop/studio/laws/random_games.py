"""Random games of every kit, at every number of seats, turn by turn."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine import mask as mouth
from tabletop.engine.events import Event
from tabletop.engine.model import AUDIENCE, Ask, Move, Offer, Rng, State, Value
from tabletop.engine.play import GameRules, determinized, start, submit
from tabletop.engine.scratch import FastRng
from tabletop.table.random_match import begin_match, random_answers

LONGEST = 8_000
"""More answers than any of our games takes with random players."""


@dataclass(frozen=True)
class GameTable:
    """A game at a number of seats, and the functions through which its table speaks."""

    id: str
    game: GameRules
    backs: tuple[int, ...]
    seats: int
    options: Mapping[str, Value] = field(default_factory=dict)
    mask: Callable[[State, int], State] = mouth.mask
    mask_event: Callable[[State, Event, int], Event] = mouth.mask_event
    determinized: Callable[[GameRules, State, Rng], State] = determinized

    @property
    def viewers(self) -> range:
        return range(AUDIENCE, self.seats)

    def some_viewers(self, seed: str) -> tuple[int, ...]:
        """The audience and every seat; at a large table four seats, other ones in other games."""
        seats = FastRng(f"{seed} viewers").shuffled(tuple(range(self.seats)))[:4]
        return (AUDIENCE, *seats)

    @property
    def blank(self) -> State:
        """The table before anything was laid on it."""
        return State(self.seats, self.backs, dict(self.options))


@dataclass(frozen=True)
class PlayedTurn:
    """One answer, or the set-up: the whole table before it, what was written, the table after."""

    before: State
    seat: int | None
    move: Move | None
    events: tuple[Event, ...]
    after: State


def settings_of(name: str) -> list[GameTable]:
    """A game folder at every seat count of its box, and once with every other option."""
    kit = catalogue.load(name)
    least, other = kit.box.seats[0], {o.key: o.choices[1:] for o in kit.box.options}
    tables = [
        *((seats, {}) for seats in kit.box.seats),
        *((least, {key: choice.value}) for key, choices in other.items() for choice in choices),
    ]
    return [
        GameTable(f"{name}-{seats}", kit.rules, kit.backs, seats, catalogue.options(kit, options))
        for seats, options in tables
    ]


def open_asks(state: State) -> list[Ask]:
    """The questions that wait for an answer."""
    return [ask for ask in state.asks if ask.id not in state.answers]


def some_answer(game: GameRules, state: State, chance: Rng) -> tuple[Ask, Move]:
    """One legal answer to one open question, at random."""
    asks = open_asks(state)
    ask = asks[chance.below(len(asks))]
    offers = game.offers(state, ask)
    return ask, offers[chance.below(len(offers))].sample(ask.id, chance)


def turns(
    setting: GameTable, seed: str, choices: Sequence[int] = (), longest: int = LONGEST
) -> Iterator[PlayedTurn]:
    """A random game: `choices` seeds the first answers one by one, `seed` the later ones.

    It stops unfinished after the `longest`; that it should have ended is a law's to say.
    """
    options = dict(setting.options)
    table = start(setting.game, setting.seats, seed, setting.backs, options)
    yield PlayedTurn(setting.blank, None, None, tuple(table.events), table.state)
    for number in range(longest):
        state = table.state
        if state.result is not None:
            return
        luck = FastRng(choices[number] if number < len(choices) else f"{seed}/{number}")
        ask, move = some_answer(setting.game, state, luck)
        table = submit(setting.game, state, ask.seat, move, seed)
        yield PlayedTurn(state, ask.seat, move, tuple(table.events), table.state)


def shown_turns(table: GameTable, kit: GameKit, seed: str, most: int) -> Iterator[PlayedTurn]:
    """The turns of a game as `tabletop shot --seed` shows it, up to a number, so that its findings
    can be seen; errors of the rules are passed on."""
    options = dict(table.options)
    written = start(kit.rules, table.seats, seed, kit.backs, options)
    yield PlayedTurn(table.blank, None, None, tuple(written.events), written.state)
    for seat, move in islice(
        random_answers(begin_match(kit, table.seats, seed, options), seed), most
    ):
        before = written.state
        written = submit(kit.rules, before, seat, move, seed)
        yield PlayedTurn(before, seat, move, tuple(written.events), written.state)


def answered(game: Sequence[PlayedTurn], most: int) -> list[PlayedTurn]:
    """A number of answers of a game at most, evenly spread, the last one among them."""
    answers = [turn for turn in game if turn.move is not None]
    step = -(-len(answers) // most) or 1
    return answers[::-1][::step][::-1]


def spread(game: Sequence[PlayedTurn]) -> list[PlayedTurn]:
    """The set-up and at most 50 answers of a game."""
    return [*(turn for turn in game if turn.move is None), *answered(game, 50)]


def some_moves(offer: Offer, ask: int, most: int, chance: Rng) -> list[Move]:
    """All moves of an offer where they are few, a random handful where they are many."""
    moves = []
    for move in offer.moves(ask):
        moves.append(move)
        if len(moves) > most:
            return [offer.sample(ask, chance) for _ in range(most)]
    return moves
