"""The game loop: set up a table, apply an answer, and run planned steps until a player must answer.

The functions work with either pen, so a replay, a bot's simulation and the real table behave
identically.
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
    """The rules of a game: a class `Rules` whose constructor takes the list of card faces.

    Instances hold no state of the match; everything that changes is on the table. In this example
    players take cards in turn until the deck is empty:

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
        """Return exactly the moves that `ask` admits, using only what its seat can see."""
        ...

    def play(self, table: Pen, seat: int, move: Move) -> None:
        """Apply the effects of a revealed answer."""

    def resume(self, table: Pen, step: Any) -> None:
        """Run a planned step (`Pen.then`), called once no mandatory question is open.

        `step` is an instance of one of the classes listed as `steps`.
        """

    def why(self, state: TableReader, ask: Ask, card: int, to: str) -> Reason | None:
        """Return why `card` can't move to zone `to` ("" for anywhere).

        The reason only explains a refusal; `offers` decides what is legal.
        """
        ...

    def preview(self, state: TableReader, ask: Ask, move: Move) -> Preview | None:
        """Return the visible effect of `move`; `state` is the seat's own view.

        If the offer has spots, some of the move's cards may be missing (`NO_CARD`).
        """
        ...


class Deduction(Protocol):
    """The part of the rules that answers questions about hidden cards (`Pen.announce`).

    >>> class Compared:
    ...     def query(self, question, cards, args):
    ...         return int(cards[0] > cards[1])
    >>> Compared().query("higher", (7, 4), ())
    1
    """

    def query(self, question: str, cards: tuple[int, ...], args: tuple[Value, ...]) -> Value:
        """Return the answer to `question` about `cards`, derived only from their faces and `args`.

        The cards are in the order of the question. Cards in the same loose zone are sorted, because
        other players can't tell them apart.
        """
        ...


class RaceCounting(Protocol):
    """The part of the rules that computes numbers for the standings (`[race]` in words.toml).

    >>> class Counted:
    ...     def figures(self, state):
    ...         return {f"pairs/{seat}": len(state.cards[f"won/{seat}"]) // 2 for seat in (0, 1)}
    >>> table.place(Zone("won/0"), (0, 1))
    >>> table.place(Zone("won/1"))
    >>> Counted().figures(table.state)
    {'pairs/0': 1, 'pairs/1': 0}
    """

    def figures(self, state: TableReader) -> Mapping[str, Value]:
        """Return, by name, the numbers for the standings that aren't public values.

        `state` is the audience's view, so that no number can depend on hidden information.
        """
        ...


class FormerOffers(Protocol):
    """The part of the rules that keeps old records playable after a move is no longer offered.

    >>> class Stricter:
    ...     def offers(self, state, ask):
    ...         return (one("take", state.cards["deck"]),)
    ...     def former_offers(self, state, ask):
    ...         return (Offer("pass"),)
    >>> Stricter().former_offers(table.state, Ask(0, 0, "turn"))[0].verb
    'pass'
    """

    def former_offers(self, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
        """Return the moves that earlier rules of the same version admitted and `offers` doesn't.

        `play` must still carry them out as it did.
        """
        ...


@mypyc_attr(allow_interpreted_subclasses=True)
class Illegal(Exception):
    """A refused move or request. Raising it leaves the table or match unchanged.

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
    """Set up a table and run it until the first questions. `backs` holds the back of each card.

    >>> opening = start(game, 2, "seed", backs)
    >>> opening.state.asks[0].what, game.offers(opening.state, opening.state.asks[0])[0].cards
    ('turn', (0, 1, 2, 3))
    """
    table = Table(State(seats, backs, options or {}), SeededRng(seed, 0, 0))
    game.setup(table)
    proceed(game, table)
    return table


def submit(
    game: GameRules,
    state: State,
    seat: int,
    move: Move,
    seed: str,
    takebacks: int = 0,
    recorded: bool = False,
) -> Table:
    """Return the table after a legal answer, with the resulting events.

    `takebacks` is the number of moves undone in the match so far. It changes the random numbers, so
    that a roll isn't repeated after an undo. `recorded`: whether the move comes from a record and
    may therefore be one that only earlier rules offered (`FormerOffers`).

    >>> state = start(game, 2, "seed", backs).state
    >>> table = submit(game, state, 0, Move(0, "take", (3,)), "seed")
    >>> table.state.cards["hand/0"]
    (3,)

    Raises:
        Illegal: the question isn't open for `seat`, or no offer admits the move.
    """
    if state.result is not None:
        raise Illegal(GAME_OVER)
    ask = next((a for a in state.asks if a.id == move.ask and a.seat == seat), None)
    if ask is None:
        raise Illegal(NOT_ASKED)
    if ask.id in state.answers:
        raise Illegal(ALREADY_ANSWERED)
    if not is_admitted(game.offers(state, ask), move) and not (
        recorded and is_admitted(former_offers(game, state, ask), move)
    ):
        raise Illegal(refusal_reason(game, mask(state, seat), ask, move))
    table = Table(state, SeededRng(seed, state.ply + 1, takebacks))
    answer(game, table, ask, move)
    return table


BY_SEAT: Final = attrgetter("seat")


def is_admitted(offers: Iterable[Offer], move: Move) -> bool:
    """Return whether one of `offers` admits `move`."""
    for offer in offers:  # noqa: SIM110
        if offer.admits(move):
            return True
    return False


def former_offers(game: GameRules, state: TableReader, ask: Ask) -> tuple[Offer, ...]:
    """Return the offers that only earlier rules of the same version made (`FormerOffers`)."""
    made = getattr(game, "former_offers", None)
    offers: tuple[Offer, ...] = made(state, ask) if made else ()
    return offers


def waiting_ask(state: State, seat: int) -> Ask | None:
    """Return the last question that `seat` answered and whose sealed answer isn't revealed.

    Return None if there is no such question.
    """
    if not state.answers:
        return None
    own = {ask.id: ask for ask in state.asks if ask.seat == seat and ask.sealed}
    return next((own[number] for number in reversed(state.answers) if number in own), None)


def reopen(state: State, seat: int) -> Table:
    """Return the table after `seat` withdrew its sealed answer, with the question open again.

    No other player has seen the answer, and no random number depends on it. The other answers stay.

    Raises:
        Illegal: `seat` has no sealed answer waiting.
    """
    ask = waiting_ask(state, seat)
    if ask is None:
        raise Illegal(NOTHING_WAITS)
    table = Table(state, SeededRng())
    table.withdraw(ask.id)
    table.ask(ask.seat, ask.what, *ask.args, sealed=True, optional=ask.optional)
    return table


def refusal_reason(game: GameRules, state: State, ask: Ask, move: Move) -> Reason:
    """Return why no offer admits `move`, from the game's `why` if it gives a reason.

    `state` must be the seat's own view, so that the reason can't reveal a secret.
    """
    for card in move.cards or (NO_CARD,):
        reason = game.why(state, ask, card, move.target)
        if reason is not None:
            return reason
    return NOT_OFFERED


def answer(game: GameRules, pen: Table | SimulationTable, ask: Ask, move: Move) -> None:
    """Apply a legal answer and run the game until the next mandatory question."""
    pen.answer(ask, move)
    if ask.sealed:
        _reveal_sealed(game, pen)
    else:
        game.play(pen, ask.seat, move)
    proceed(game, pen)


def _reveal_sealed(game: GameRules, pen: Table | SimulationTable) -> None:
    """Reveal all sealed answers once every mandatory one is in, and play them in seat order."""
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
        if is_admitted(game.offers(pen.state, ask), move) or is_admitted(
            former_offers(game, pen.state, ask), move
        ):
            game.play(pen, ask.seat, move)
        else:  # an answer revealed before has overtaken it
            pen.ask(ask.seat, ask.what, *ask.args, sealed=True, optional=ask.optional)


def proceed(game: GameRules, pen: Table | SimulationTable) -> None:
    """Run planned steps until a mandatory question is open or no step is left."""
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
    """Return the planned step of `record` as an instance of the rules' step class."""
    kind = step_kinds(type(game)).get(record.name)
    if kind is None:
        raise LookupError(f'the step "{record.name}" is planned, but not among the rules\' `steps`')
    return kind(*record.args)


def determinized(game: GameRules, view: State, chance: Rng) -> State:
    """Return a random whole table that is consistent with `view`, for simulation by bots.

    >>> state = start(game, 2, "seed", backs).state
    >>> determinized(game, mask(state, 1), FastRng(1)).viewer is None
    True
    """

    def some(world: State, ask: Ask) -> Move:
        offers = game.offers(world, ask)
        return offers[chance.below(len(offers))].sample(ask.id, chance)

    return deal_hidden(view, chance, some, get_query(game) if view.facts else None)


def get_query(game: GameRules) -> Query | None:
    """Return the function of the rules that answers questions about hidden cards, or None."""
    query: Query | None = getattr(game, "query", None)
    return query


def playout(game: GameRules, scratch: SimulationTable, limit: int = 100_000) -> int:
    """Play random moves on `scratch` until the game ends, and return their number.

    >>> table = SimulationTable(start(game, 2, "seed", backs).state, FastRng(1))
    >>> playout(game, table)
    4

    Raises:
        RuntimeError: the game didn't end after `limit` moves, or no player could move.
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
