"""The worker process in which bots think. It receives questions only, never the whole match."""

import gc
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from time import perf_counter

import msgspec

from tabletop.background.processes import INTERRUPT_SIGNALS
from tabletop.bots import comparison, easy, hard, normal
from tabletop.bots.agent import Agent, Clock, Stop
from tabletop.bots.decision import Decision, Question
from tabletop.bots.plain_heuristic import PlainHeuristic, complete_heuristic
from tabletop.engine.heuristic import Heuristic
from tabletop.engine.model import Move
from tabletop.engine.play import GameRules
from tabletop.engine.scratch import FastRng
from tabletop.files import crash_log

GameLoader = Callable[[str], tuple[GameRules, Heuristic | None]]
"""Returns (rules, heuristic) of the game with an ID; the heuristic is None if the game has none. It
must be a module-level function.
"""

READY = b"ready"
STOP = b"stop"
ANSWERED, FAILED = b"+", b"-"
STOP_CHECK_INTERVAL_S = 0.02
"""The seconds between two checks whether the answer is still wanted."""
GC_THRESHOLD = 50_000
"""How many more objects must be allocated than freed before a garbage collection.

It is high because a search creates many long-lived objects without reference cycles.
"""


class IllegalDecision(Exception):
    """A heuristic returned a move that the rules don't admit."""


def think(agent: Agent, question: Question, stop: Stop, clock: Clock = perf_counter) -> Decision:
    """Return the decision of the level that `question` requests.

    Equal questions and seeds give equal random numbers.

    Raises:
        IllegalDecision: the chosen move isn't offered.
    """
    if (forced := _only_move(question)) is not None:
        reason = agent.heuristic.reason(question.view, question.ask, forced)
        return Decision(forced, question.level, (), reason)
    rng = FastRng(question.seed)
    if question.compared:
        return comparison.think(agent, question, rng, stop, clock)
    match question.level:
        case "easy":
            decision = easy.think(agent, question, rng, stop, clock)
        case "normal":
            decision = normal.think(agent, question, rng, stop, clock)
        case "hard":
            decision = hard.think(agent, question, rng, stop, clock)
    if not any(offer.admits(decision.move) for offer in question.offers):
        raise IllegalDecision(f"{decision.move} is not offered")
    return decision


def _only_move(question: Question) -> Move | None:
    """Return the only legal move, or None if there are several."""
    moves = (move for offer in question.offers for move in offer.moves(question.ask.id))
    first = next(moves, None)
    return first if next(moves, None) is None else None


def make_agent(load_game: GameLoader, name: str) -> Agent:
    """Return the agent for the game `name`. A plain heuristic replaces what the game lacks."""
    game, heuristic = load_game(name)
    if heuristic is None:
        return Agent(game, PlainHeuristic(game))
    return Agent(game, complete_heuristic(game, heuristic))


def reduce_garbage_collection() -> None:
    """Make garbage collections rare in this process, and exclude the objects loaded so far."""
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)


def run_worker(pipe: Connection, load_game: GameLoader) -> None:
    """Answer questions from the pipe until it is closed. Runs in the worker process."""
    # the main process handles them and closes this one
    for number in INTERRUPT_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    reduce_garbage_collection()
    crash_log.enable("bot")
    try:
        _answer_questions(pipe, load_game)
    finally:
        crash_log.disable()


def _answer_questions(pipe: Connection, load_game: GameLoader) -> None:
    pipe.send_bytes(READY)
    while True:
        try:
            asked = pipe.recv_bytes()
        except (EOFError, OSError):
            return
        if asked == STOP:
            continue
        try:
            question = msgspec.msgpack.decode(asked, type=Question)
            decision = think(make_agent(load_game, question.game), question, _stop_on_message(pipe))
            message = ANSWERED + msgspec.msgpack.encode(decision)
        except Exception as error:  # a heuristic is third-party code and may raise anything
            message = FAILED + f"{type(error).__name__}: {error}".encode()
        try:
            pipe.send_bytes(message)
        except OSError:
            return


def _stop_on_message(pipe: Connection) -> Stop:
    """Return a function that returns whether a new message is in the pipe.

    It polls at most once per `STOP_CHECK_INTERVAL_S`, because polling is slow.
    """
    last = perf_counter()

    def stop() -> bool:
        nonlocal last
        now = perf_counter()
        if now - last < STOP_CHECK_INTERVAL_S:
            return False
        last = now
        return pipe.poll()

    return stop
