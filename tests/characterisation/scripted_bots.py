"""Bots whose moves depend on their question alone, so that they are the same on every path."""

from concurrent.futures import Future
from threading import Lock

import msgspec

from tabletop.bots.bot_pool import BotPool
from tabletop.bots.decision import Decision, Question
from tabletop.engine.scratch import FastRng
from tests.characterisation.transcript import Transcript


class ScriptedBots(BotPool):
    """Answers at once, in the thread that asks, and writes the questions down."""

    def __init__(self, transcript: Transcript) -> None:
        """`transcript`: of the questions; it doesn't say how long a bot may think."""
        self._transcript = transcript
        self._lock = Lock()
        self._held: list[tuple[Future[Decision], Decision]] | None = None

    @property
    def unanswered_count(self) -> int:
        return 0

    def close(self) -> None: ...

    def hold(self) -> None:
        """Give no answers from now on: nobody is at the table yet."""
        self._held = []

    def release(self) -> None:
        """Give the answers that are due, and all others at once."""
        held, self._held = self._held or [], None
        for future, decision in held:
            if future.set_running_or_notify_cancel():
                future.set_result(decision)

    def submit(self, question: Question) -> Future[Decision]:
        ask, view = question.ask, question.view
        asked = {
            "level": question.level,
            "ask": ask,
            "view": view,
            "offers": question.offers,
            "past": question.past,
        }
        with self._lock:
            self._transcript.add("bot_asked", asked)
        luck = FastRng(f"bot {view.ply} {ask.seat} {ask.id} {len(msgspec.json.encode(view))}")
        move = question.offers[luck.below(len(question.offers))].sample(ask.id, luck)
        future: Future[Decision] = Future()
        decision = Decision(move, question.level)
        if self._held is not None:
            self._held.append((future, decision))
        else:
            future.set_result(decision)
        return future
