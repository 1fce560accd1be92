"""Tournaments of bots: their matches and results."""

from collections.abc import Callable, Sequence
from itertools import product
from time import thread_time

from msgspec import Struct
from msgspec.structs import replace

from tabletop.bots.decision import Decision, Level, Question
from tabletop.bots.memory import Memory
from tabletop.bots.worker import agent_of, think
from tabletop.catalogue import catalogue
from tabletop.engine.heuristic import count
from tabletop.engine.model import ScoreLine, State, Teams, Value
from tabletop.engine.teams import teams_in
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat

Answering = Callable[[Question], Decision]
"""Answers the questions to a seat."""


class Pairing(Struct, frozen=True):
    """A match to be played: the level of each seat."""

    game: str
    options: dict[str, Value]
    seating: tuple[Level, ...]
    seed: str
    seconds: float
    tries: int = 0


class ArenaResult(Struct, frozen=True):
    """A match's result. `began` and `ended` name each seat's own cards then."""

    seating: tuple[Level, ...]
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    sheet: tuple[ScoreLine, ...]
    plies: int
    values: dict[str, Value]
    began: tuple[tuple[int, ...], ...]
    ended: tuple[tuple[int, ...], ...]
    held: tuple[tuple[int, ...], ...] = ()
    """The cards that were in each seat's own zones at any time."""
    used: tuple[tuple[int, ...], ...] = ()
    """The cards that each seat named in a move."""
    decisions: tuple[int, ...] = ()
    """The number of choices of each seat."""
    half: tuple[float, ...] = ()
    """The estimate of each seat's share of the victory after half of the moves, 0 to 1."""
    options: dict[str, Value] = {}
    deal: str = ""
    """The seed, which matches over the same deal share; "" where nobody plays it again."""

    @property
    def teams(self) -> Teams:
        """The teams of the match."""
        return teams_in(self.values, len(self.seating))

    @property
    def winning(self) -> Teams:
        """The teams that have won."""
        return tuple(team for team in self.teams if team[0] in self.winners)

    def share(self, seat: int) -> float:
        """The part of the victory that the seat has, with its partners: with no winner every team
        has the same, alone nobody."""
        if self.winners:
            return (seat in self.winners) / len(self.winning)
        return 1 / len(self.teams) if len(self.teams) > 1 else 0.0


def pairings(
    game: str,
    options: dict[str, Value],
    levels: Sequence[Level],
    seats: int,
    games: int,
    seed: str,
    seconds: float = 1.0,
    tries: int = 0,
    fresh: bool = False,
    teams: Teams = (),
) -> list[Pairing]:
    """The matches of a tournament: the last level named fills the remaining seats, and the seats
    are rotated over the same deal before the next is dealt. Partners in `teams` have one level:
    there the teams take the place of the seats.

    With `fresh`, and where one level plays itself, every match has a new deal: repeated deals
    reveal less about the cards than as many different ones.
    """
    teams = teams or tuple((seat,) for seat in range(seats))
    line = (*levels, *(levels[-1],) * (len(teams) - len(levels)))
    repeated = 1 if fresh or len(set(line)) == 1 else len(teams)
    places = [next(n for n, team in enumerate(teams) if seat in team) for seat in range(seats)]
    return [
        Pairing(
            game,
            options,
            tuple(line[(place - number) % len(teams)] for place in places),
            f"{seed}/{number // repeated}",
            seconds,
            tries,
        )
        for number in range(games)
    ]


def vary_options(planned: Sequence[Pairing], choices: dict[str, Sequence[Value]]) -> list[Pairing]:
    """The same matches with these options, every combination of their choices as often as the
    others, and with every seating."""
    every = [dict(zip(choices, each, strict=True)) for each in product(*choices.values())]
    return [
        replace(
            pairing, options=pairing.options | every[number // len(pairing.seating) % len(every)]
        )
        for number, pairing in enumerate(planned)
    ]


def play(pairing: Pairing, answering: Sequence[Answering] = ()) -> ArenaResult:
    """Play one match. Every bot gets its seat's view and nothing else.

    A bot's seconds are its own computing time, so a busy machine doesn't shorten its thinking.
    `answering` replaces this program's own bots, seat by seat.
    """
    kit = catalogue.load(pairing.game)
    agent = agent_of(catalogue.load_bot_parts, pairing.game)

    def bot(question: Question) -> Decision:
        return think(agent, question, lambda: False, thread_time)

    players = [Player("", kind="bot", level=level) for level in pairing.seating]
    match = Match(kit, players, pairing.options, pairing.seed)
    seats = [Seat.of(match, number) for number in range(len(players))]
    memories = [Memory() for _ in players]
    began = _own_cards(match.state)
    held, used = [set(cards) for cards in began], [set[int]() for _ in players]
    decisions, states = [0] * len(players), [match.state]
    while match.state.result is None:
        ask = next(
            a for a in match.state.asks if not a.optional and a.id not in match.state.answers
        )
        seat = seats[ask.seat]
        question = Question(
            pairing.game,
            pairing.seating[ask.seat],
            seat.view,
            ask,
            seat.offers[ask.id],
            pairing.seconds,
            f"{pairing.seed}/{match.state.ply}",
            memories[ask.seat].recall(seat.view, seat.log),
            pairing.tries,
        )
        decisions[ask.seat] += len(question.offers) > 1 or count(question.offers[0]) > 1
        move = (answering[ask.seat] if answering else bot)(question).move
        used[ask.seat].update(card for card in move.cards if card >= 0)
        match.submit(ask.seat, move)
        states.append(match.state)
        for own, cards in zip(held, _own_cards(match.state), strict=True):
            own.update(cards)
    result = match.state.result
    return ArenaResult(
        pairing.seating,
        result.winners,
        result.scores,
        result.sheet,
        match.state.ply,
        match.state.values,
        began,
        _own_cards(match.state),
        tuple(tuple(sorted(cards)) for cards in held),
        tuple(tuple(sorted(cards)) for cards in used),
        tuple(decisions),
        tuple(agent.worth(states[len(states) // 2])),
        pairing.options,
        pairing.seed,
    )


def _own_cards(state: State) -> tuple[tuple[int, ...], ...]:
    """The cards in each seat's own zones."""
    own: tuple[list[int], ...] = tuple([] for _ in range(state.seats))
    for name, zone in state.zones.items():
        if zone.owner is not None:
            own[zone.owner].extend(state.cards[name])
    return tuple(tuple(cards) for cards in own)
