"""The process in which an agent thinks; it holds only the question it was sent."""

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
from tabletop.bots.plain_heuristic import PlainHeuristic
from tabletop.engine.heuristic import Heuristic
from tabletop.engine.model import Move
from tabletop.engine.play import GameRules
from tabletop.engine.scratch import FastRng
from tabletop.files import crash_log

Bring = Callable[[str], tuple[GameRules, Heuristic | None]]
"""Returns the game of a name, and its heuristic where it has one; a function of a module."""

READY = b"ready"
STOP = b"stop"
ANSWERED, FAILED = b"+", b"-"
LISTEN_EVERY = 0.02
"""Seconds between two checks whether the answer is still wanted."""
COLLECT_AFTER = 50_000
"""The number of new objects after which Python looks for cycles among them: a search makes many
objects that stay, and none that hold each other."""


class NoLegalAnswer(Exception):
    """A heuristic returned a move that the rules do not admit."""


def think(agent: Agent, question: Question, stop: Stop, clock: Clock = perf_counter) -> Decision:
    """The answer of the requested level; the same question and seed start alike."""
    if (forced := _only_move(question)) is not None:
        reason = agent.heuristic.reason(question.view, question.ask, forced)
        return Decision(forced, question.level, (), reason)
    luck = FastRng(question.seed)
    if question.compared:
        return comparison.think(agent, question, luck, stop, clock)
    match question.level:
        case "easy":
            decision = easy.think(agent, question, luck, stop, clock)
        case "normal":
            decision = normal.think(agent, question, luck, stop, clock)
        case "hard":
            decision = hard.think(agent, question, luck, stop, clock)
    if not any(offer.admits(decision.move) for offer in question.offers):
        raise NoLegalAnswer(f"{decision.move} is not offered")
    return decision


def _only_move(question: Question) -> Move | None:
    """The only legal move, where there is just one."""
    moves = (move for offer in question.offers for move in offer.moves(question.ask.id))
    first = next(moves, None)
    return first if next(moves, None) is None else None


def agent_of(bring: Bring, name: str) -> Agent:
    """The agent for the game of this name."""
    game, heuristic = bring(name)
    return Agent(game, heuristic or PlainHeuristic(game))


def spare_collector() -> None:
    """Let Python collect garbage rarely in this process, and never among the modules loaded so
    far."""
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER)


def work(pipe: Connection, bring: Bring) -> None:
    """Answer questions from the pipe until it is closed. Runs in the worker process."""
    # these signals are for the program, which then closes this process
    for number in INTERRUPT_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    spare_collector()
    crash_log.enable("bot")
    try:
        _answer(pipe, bring)
    finally:
        crash_log.disable()


def _answer(pipe: Connection, bring: Bring) -> None:
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
            decision = think(agent_of(bring, question.game), question, _stop_on_message(pipe))
            message = ANSWERED + msgspec.msgpack.encode(decision)
        except Exception as error:  # a game's heuristic is code: any of its errors is reported
            message = FAILED + f"{type(error).__name__}: {error}".encode()
        try:
            pipe.send_bytes(message)
        except OSError:
            return


def _stop_on_message(pipe: Connection) -> Stop:
    """Whether a new message is in the pipe; checked rarely, because it takes time."""
    last = perf_counter()

    def stop() -> bool:
        nonlocal last
        now = perf_counter()
        if now - last < LISTEN_EVERY:
            return False
        last = now
        return pipe.poll()

    return stop
