"""Random games of any game kit at every player count, recorded turn by turn."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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

MAX_ANSWERS = 8_000
"""The maximum number of answers in a random game, more than any built-in game needs."""


@dataclass(frozen=True)
class GameTable:
    """A game with a player count, and the masking functions to test with it."""

    id: str
    game: GameRules
    backs: tuple[int, ...]
    seats: int
    options: Mapping[str, Value] = field(default_factory=dict)
    mask: Callable[[State, int], State] = mouth.mask
    mask_event: Callable[[State, Event, int], Event] = mouth.mask_event
    events_by_viewer: Callable[
        [Iterable[State], Iterable[Event], Iterable[int]], dict[int, tuple[Event, ...]]
    ] = mouth.events_by_viewer
    determinized: Callable[[GameRules, State, Rng], State] = determinized

    @property
    def viewers(self) -> range:
        return range(AUDIENCE, self.seats)

    def some_viewers(self, seed: str) -> tuple[int, ...]:
        """Return the audience and up to four seats, which depend on `seed`."""
        seats = FastRng(f"{seed} viewers").shuffled(tuple(range(self.seats)))[:4]
        return (AUDIENCE, *seats)

    @property
    def blank(self) -> State:
        """The state before setup."""
        return State(self.seats, self.backs, dict(self.options))


@dataclass(frozen=True)
class PlayedTurn:
    """One answer, or the setup: the state before it, its events, and the state after it."""

    before: State
    seat: int | None
    move: Move | None
    events: tuple[Event, ...]
    after: State


def tables_of_game(name: str) -> list[GameTable]:
    """Return tables of the game `name` for every player count, and for every non-default option at
    the smallest player count.
    """
    kit = catalogue.load(name)
    fewest, other = kit.box.seats[0], {o.key: o.choices[1:] for o in kit.box.options}
    tables = [
        *((seats, {}) for seats in kit.box.seats),
        *((fewest, {key: choice.value}) for key, choices in other.items() for choice in choices),
    ]
    return [
        GameTable(f"{name}-{seats}", kit.rules, kit.backs, seats, catalogue.options(kit, options))
        for seats, options in tables
    ]


def open_asks(state: State) -> list[Ask]:
    """Return the unanswered questions."""
    return [ask for ask in state.asks if ask.id not in state.answers]


def random_answer(game: GameRules, state: State, chance: Rng) -> tuple[Ask, Move]:
    """Return a random open question and a random legal answer."""
    asks = open_asks(state)
    ask = asks[chance.below(len(asks))]
    offers = game.offers(state, ask)
    return ask, offers[chance.below(len(offers))].sample(ask.id, chance)


def turns(
    setting: GameTable, seed: str, choices: Sequence[int] = (), longest: int = MAX_ANSWERS
) -> Iterator[PlayedTurn]:
    """Yield the turns of a random game.

    `choices` are the seeds of the first answers, and `seed` is the base of the later ones. The game
    stops unfinished after `longest` answers; the laws decide whether it should have ended.
    """
    options = dict(setting.options)
    table = start(setting.game, setting.seats, seed, setting.backs, options)
    yield PlayedTurn(setting.blank, None, None, tuple(table.events), table.state)
    for number in range(longest):
        state = table.state
        if state.result is not None:
            return
        luck = FastRng(choices[number] if number < len(choices) else f"{seed}/{number}")
        ask, move = random_answer(setting.game, state, luck)
        table = submit(setting.game, state, ask.seat, move, seed)
        yield PlayedTurn(state, ask.seat, move, tuple(table.events), table.state)


def turns_of_shot(table: GameTable, kit: GameKit, seed: str, limit: int) -> Iterator[PlayedTurn]:
    """Yield up to `limit` turns of the game that `tabletop shot --seed` shows, so that the user can
    look at a finding.

    Raises:
        Any error of the game's rules.
    """
    options = dict(table.options)
    written = start(kit.rules, table.seats, seed, kit.backs, options)
    yield PlayedTurn(table.blank, None, None, tuple(written.events), written.state)
    for seat, move in islice(
        random_answers(begin_match(kit, table.seats, seed, options), seed), limit
    ):
        before = written.state
        written = submit(kit.rules, before, seat, move, seed)
        yield PlayedTurn(before, seat, move, tuple(written.events), written.state)


def sample_answers(game: Sequence[PlayedTurn], limit: int) -> list[PlayedTurn]:
    """Return at most `limit` answers of a game, evenly spaced and including the last one."""
    answers = [turn for turn in game if turn.move is not None]
    step = -(-len(answers) // limit) or 1
    return answers[::-1][::step][::-1]


def sample_turns(game: Sequence[PlayedTurn]) -> list[PlayedTurn]:
    """Return the setup and at most 50 answers of a game."""
    return [*(turn for turn in game if turn.move is None), *sample_answers(game, 50)]


def sample_moves(offer: Offer, ask: int, limit: int, chance: Rng) -> list[Move]:
    """Return all moves of `offer`, or `limit` random moves if there are more."""
    moves = []
    for move in offer.moves(ask):
        moves.append(move)
        if len(moves) > limit:
            return [offer.sample(ask, chance) for _ in range(limit)]
    return moves
