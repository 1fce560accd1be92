"""Matches of bot tournaments, and their results."""

from collections.abc import Callable, Sequence
from itertools import product
from time import thread_time

from msgspec import Struct
from msgspec.structs import replace

from tabletop.bots.decision import Decision, Level, Question
from tabletop.bots.memory import Memory
from tabletop.bots.worker import make_agent, think
from tabletop.catalogue import catalogue
from tabletop.engine.heuristic import count
from tabletop.engine.model import ScoreLine, State, Teams, Value
from tabletop.engine.teams import teams_in
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat

Answerer = Callable[[Question], Decision]
"""A function that decides for one seat."""


class Pairing(Struct, frozen=True):
    """A scheduled match, with the bot level of each seat."""

    game: str
    options: dict[str, Value]
    seating: tuple[Level, ...]
    seed: str
    seconds: float
    tries: int = 0


class ArenaResult(Struct, frozen=True):
    """The result of a match. `began` and `ended` contain the cards in each seat's own zones at the
    start and at the end.
    """

    seating: tuple[Level, ...]
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    sheet: tuple[ScoreLine, ...]
    plies: int
    values: dict[str, Value]
    began: tuple[tuple[int, ...], ...]
    ended: tuple[tuple[int, ...], ...]
    held: tuple[tuple[int, ...], ...] = ()
    """The cards that were in each seat's own zones at any time during the match."""
    used: tuple[tuple[int, ...], ...] = ()
    """The cards named in each seat's moves."""
    decisions: tuple[int, ...] = ()
    """How often each seat had more than one legal move."""
    half: tuple[float, ...] = ()
    """The estimated probability that each seat wins, after half of the moves, from 0 to 1."""
    options: dict[str, Value] = {}
    deal: str = ""
    """The seed of the deal, shared by matches over the same deal."""

    @property
    def teams(self) -> Teams:
        """The teams of the match. In a match without teams, each seat is a team."""
        return teams_in(self.values, len(self.seating))

    @property
    def winning(self) -> Teams:
        """The winning teams."""
        return tuple(team for team in self.teams if team[0] in self.winners)

    def share(self, seat: int) -> float:
        """Return which share of the victory the team of `seat` has, from 0 to 1. A match without a
        winner is shared equally by all teams, or counts 0 in a solo game.
        """
        if self.winners:
            return (seat in self.winners) / len(self.winning)
        return 1 / len(self.teams) if len(self.teams) > 1 else 0.0


def plan_matches(
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
    """Return the matches of a tournament.

    The last of `levels` fills the remaining seats. Each deal is repeated until every level has
    played it from every seat. If there are `teams`, the levels rotate through the teams, and
    partners have the same level.

    With `fresh`, or with a single level, every match has a new deal, because different deals tell
    more about the cards than repeated ones.
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
    """Return the matches with all combinations of the option values in `choices`. Each combination
    is played equally often and with every seating.
    """
    every = [dict(zip(choices, each, strict=True)) for each in product(*choices.values())]
    return [
        replace(
            pairing, options=pairing.options | every[number // len(pairing.seating) % len(every)]
        )
        for number, pairing in enumerate(planned)
    ]


def play_match(pairing: Pairing, answering: Sequence[Answerer] = ()) -> ArenaResult:
    """Play one match. Every bot receives only its seat's view.

    A bot's time limit counts CPU time, so that a busy machine doesn't weaken it. `answering`
    replaces the built-in bots, one function per seat.
    """
    kit = catalogue.load(pairing.game)
    agent = make_agent(catalogue.load_bot_parts, pairing.game)

    def bot(question: Question) -> Decision:
        return think(agent, question, lambda: False, thread_time)

    players = [Player("", kind="bot", level=level) for level in pairing.seating]
    match = Match(kit, players, pairing.options, pairing.seed)
    seats = [Seat.at_table(match, number) for number in range(len(players))]
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
    """Return the cards in each seat's own zones."""
    own: tuple[list[int], ...] = tuple([] for _ in range(state.seats))
    for name, zone in state.zones.items():
        if zone.owner is not None:
            own[zone.owner].extend(state.cards[name])
    return tuple(tuple(cards) for cards in own)
