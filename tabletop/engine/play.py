"""Running a game: set it up, take an answer, go on until a player must answer again.

Written for either pen, so that a replayed match, a bot's simulation and the real table take exactly
the same way.
"""

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any, Final, Protocol

from tabletop.engine.deprecated_names import resolve_deprecated
from tabletop.engine.facts import Query
from tabletop.engine.mask import deal_hidden, mask
from tabletop.engine.model import (
    NO_CARD,
    Ask,
    Move,
    Offer,
    Pen,
    Preview,
    Reason,
    Rng,
    State,
    Step,
    StepRecord,
    TableReader,
    Value,
)
from tabletop.engine.mypyc_attr import mypyc_attr
from tabletop.engine.refusals import (
    ALREADY_ANSWERED,
    GAME_OVER,
    NOT_ASKED,
    NOT_OFFERED,
    NOTHING_WAITS,
)
from tabletop.engine.scratch import SimulationTable
from tabletop.engine.steps import step_kinds
from tabletop.engine.table import SeededRng, Table


class GameRules(Protocol):
    """The rules of a game, as a class `Rules` made from the list of faces.

    They keep nothing that changes in attributes: all that changes is on the table. Here everybody
    takes a card in turn until the deck is empty:

    >>> class Rules:
    ...     def setup(self, table):
    ...         table.place(Zone("deck"), (0, 1, 2, 3))
    ...         for seat in (0, 1):
    ...             table.place(Zone(f"hand/{seat}", Sight.OWNER, seat, loose=True))
    ...         table.ask(0, "turn")
    ...     def offers(self, state, ask):
    ...         return (one("take", state.cards["deck"]),)
    ...     def play(self, table, seat, move):
    ...         table.move(move.cards[0], "deck", f"hand/{seat}")
    ...         if table.state.cards["deck"]:
    ...             table.ask(1 - seat, "turn")
    ...         else:
    ...             table.end(Result((), ()))
    ...     def resume(self, table, step):
    ...         pass
    ...     def why(self, state, ask, card, to):
    ...         return Reason("Take a card of the deck.")
    ...     def preview(self, state, ask, move):
    ...         return None
    """

    def setup(self, table: Pen) -> None:
        """Place the zones, shuffle, deal, and ask the first question."""

    def offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        """Return exactly what this question admits, from what its seat sees."""
        ...

    def play(self, table: Pen, seat: int, move: Move) -> None:
        """Do what follows from an opened answer."""

    def resume(self, table: Pen, step: Any) -> None:
        """Run a planned step (`Pen.then`), once no mandatory question is open.

        It is of one of the kinds that the rules list as `steps`.
        """

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
        """Return why this card can't go to a zone ("" for anywhere). It explains, never decides."""
        ...

    def preview(self, state: TableReader, ask: Ask, move: Move) -> Preview | None:
        """Return the visible effect of a move; `state` is the seat's own view.

        With spots, the move may lack cards at some of them (`NO_CARD`).
        """
        ...


class Deduction(Protocol):
    """The part of rules that answers questions about hidden cards (`Pen.announce`).

    >>> class Compared:
    ...     def query(self, question, cards, args):
    ...         return int(cards[0] > cards[1])
    >>> Compared().query("higher", (7, 4), ())
    1
    """

    def query(self, question: str, cards: tuple[int, ...], args: tuple[Value, ...]) -> Value:
        """Return the answer of these cards to a question, from faces and arguments alone.

        The cards are in the order of the question. Those of one loose zone are sorted,
        because nobody else can tell them apart.
        """
        ...


class RaceCounting(Protocol):
    """The part of rules that counts how far everybody is, for the `[race]` of words.toml.

    >>> class Counted:
    ...     def figures(self, state):
    ...         return {f"pairs/{seat}": len(state.cards[f"won/{seat}"]) // 2 for seat in (0, 1)}
    >>> table.place(Zone("won/0"), (0, 1))
    >>> table.place(Zone("won/1"))
    >>> Counted().figures(table.state)
    {'pairs/0': 1, 'pairs/1': 0}
    """

    def figures(self, state: TableReader) -> Mapping[str, Value]:
        """Return figures that are no public values, by name. `state` is the table as the audience
        sees it, and so nothing can be counted that not everybody knows."""
        ...


@mypyc_attr(allow_interpreted_subclasses=True)
class Illegal(Exception):
    """A refused move or request. Nothing has changed.

    >>> state = start(game, 2, "seed", backs).state
    >>> submit(game, state, 0, Move(0, "take", (9,)), "seed")
    Traceback (most recent call last):
    tabletop.engine.play.Illegal: Take a card of the deck.
    """

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.text.format(**reason.args))
        self.reason = reason


def start(
    game: GameRules,
    seats: int,
    seed: str,
    backs: tuple[int, ...],
    options: dict[str, Value] | None = None,
) -> Table:
    """Set up a table that waits for its first answers; `backs` are those of all cards.

    >>> opening = start(game, 2, "seed", backs)
    >>> opening.state.asks[0].what, game.offers(opening.state, opening.state.asks[0])[0].cards
    ('turn', (0, 1, 2, 3))
    """
    table = Table(State(seats, backs, options or {}), SeededRng(seed, 0, 0))
    game.setup(table)
    proceed(game, table)
    return table


def submit(
    game: GameRules, state: State, seat: int, move: Move, seed: str, takebacks: int = 0
) -> Table:
    """Return the table after a legal answer, with the events that led there.

    `takebacks` is how many moves of the match were undone so far: the dice differ after an undo.

    >>> state = start(game, 2, "seed", backs).state
    >>> table = submit(game, state, 0, Move(0, "take", (3,)), "seed")
    >>> table.state.cards["hand/0"]
    (3,)

    Raises:
        Illegal: the ask is not open for this seat, or no offer of it admits the move.
    """
    if state.result is not None:
        raise Illegal(GAME_OVER)
    ask = next((a for a in state.asks if a.id == move.ask and a.seat == seat), None)
    if ask is None:
        raise Illegal(NOT_ASKED)
    if ask.id in state.answers:
        raise Illegal(ALREADY_ANSWERED)
    if not is_admitted(game.offers(state, ask), move):
        raise Illegal(refusal_reason(game, mask(state, seat), ask, move))
    table = Table(state, SeededRng(seed, state.ply + 1, takebacks))
    answer(game, table, ask, move)
    return table


BY_SEAT: Final = attrgetter("seat")


def is_admitted(offers: Iterable[Offer], move: Move) -> bool:
    """Whether one of these offers allows the move."""
    for offer in offers:  # noqa: SIM110
        if offer.admits(move):
            return True
    return False


def waiting_ask(state: State, seat: int) -> Ask | None:
    """The question whose sealed answer of this seat waits to be opened; of several, the last
    answered."""
    if not state.answers:
        return None
    own = {ask.id: ask for ask in state.asks if ask.seat == seat and ask.sealed}
    return next((own[number] for number in reversed(state.answers) if number in own), None)


def reopen(state: State, seat: int) -> Table:
    """The table after the seat has withdrawn its waiting answer: the question is open again.

    Nobody has seen the answer, and no chance depends on it; the others' answers stay.

    Raises:
        Illegal: no sealed answer of this seat waits.
    """
    ask = waiting_ask(state, seat)
    if ask is None:
        raise Illegal(NOTHING_WAITS)
    table = Table(state, SeededRng())
    table.withdraw(ask.id)
    table.ask(ask.seat, ask.what, *ask.args, sealed=True, optional=ask.optional)
    return table


def refusal_reason(game: GameRules, state: State, ask: Ask, move: Move) -> Reason:
    """Why no offer admits this move, in the game's own words where it has some.

    `state` is the seat's own view: a refusal must not reveal anything else.
    """
    for card in move.cards or (NO_CARD,):
        reason = game.why(state, ask, card, move.target)
        if reason is not None:
            return reason
    return NOT_OFFERED


def answer(game: GameRules, pen: Table | SimulationTable, ask: Ask, move: Move) -> None:
    """Take an answer known to be legal, with all that follows until the next mandatory question."""
    pen.answer(ask, move)
    if ask.sealed:
        _reveal_sealed(game, pen)
    else:
        game.play(pen, ask.seat, move)
    proceed(game, pen)


def _reveal_sealed(game: GameRules, pen: Table | SimulationTable) -> None:
    """Once every mandatory sealed answer is in, open them together and play them in seat order."""
    state = pen.state
    given = state.answers
    sealed: list[Ask] = []
    for ask in state.asks:
        if ask.sealed:
            if not ask.optional and ask.id not in given:
                return
            sealed.append(ask)
    sealed.sort(key=BY_SEAT)
    answers = dict(given)
    pen.withdraw(*[ask.id for ask in sealed])
    for ask in sealed:
        move = answers.get(ask.id)
        if move is None or pen.state.result is not None:
            continue
        if is_admitted(game.offers(pen.state, ask), move):
            game.play(pen, ask.seat, move)
        else:  # an answer revealed before has overtaken it
            pen.ask(ask.seat, ask.what, *ask.args, sealed=True, optional=ask.optional)


def proceed(game: GameRules, pen: Table | SimulationTable) -> None:
    """Run the planned steps, until a mandatory question is open or nothing is planned."""
    while True:
        state = pen.state
        if not state.agenda or state.result is not None:
            return
        for ask in state.asks:
            if not ask.optional:
                return
        step = pen.next()
        if type(step) is StepRecord:  # an `isinstance` with a msgspec type is slow when it fails
            step = _restore_step(game, step)
        game.resume(pen, step)


def _restore_step(game: GameRules, record: StepRecord) -> Step:
    """The planned step, as the game's rules know it."""
    kind = step_kinds(type(game)).get(record.name)
    if kind is None:
        raise LookupError(f'the step "{record.name}" is planned, but not among the rules\' `steps`')
    return kind(*record.args)


def determinized(game: GameRules, view: State, chance: Rng) -> State:
    """Return a whole table that this view could be of, ready to be played on: as bots imagine it.

    >>> state = start(game, 2, "seed", backs).state
    >>> determinized(game, mask(state, 1), FastRng(1)).viewer is None
    True
    """

    def some(world: State, ask: Ask) -> Move:
        offers = game.offers(world, ask)
        return offers[chance.below(len(offers))].sample(ask.id, chance)

    return deal_hidden(view, chance, some, get_query(game) if view.facts else None)


def get_query(game: GameRules) -> Query | None:
    """Return the function that answers questions about hidden cards; None where a game has none."""
    query: Query | None = getattr(game, "query", None)
    return query


def playout(game: GameRules, scratch: SimulationTable, limit: int = 100_000) -> int:
    """Play a scratch table with random moves to its end, and return how many were played.

    >>> table = SimulationTable(start(game, 2, "seed", backs).state, FastRng(1))
    >>> playout(game, table)
    4

    Raises:
        RuntimeError: the game had not ended after `limit` moves, or nobody could move.
    """
    chance = scratch.chance
    moves = 0
    while scratch.result is None:
        open_asks = scratch.asks
        if scratch.answers:
            open_asks = [ask for ask in open_asks if ask.id not in scratch.answers]
        count = len(open_asks)
        if not count or moves >= limit:
            raise RuntimeError(f"no end after {moves} moves")
        ask = open_asks[chance.below(count)] if count > 1 else open_asks[0]
        offers = game.offers(scratch, ask)
        answer(game, scratch, ask, offers[chance.below(len(offers))].sample(ask.id, chance))
        moves += 1
    return moves


__getattr__ = resolve_deprecated(__name__, {"Game": GameRules})
