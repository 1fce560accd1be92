"""Pools of bots whose decisions a test plans."""

from concurrent.futures import Future

from tabletop.bots.bot_pool import BotPool
from tabletop.bots.decision import Decision, Estimate, Question
from tabletop.catalogue import catalogue
from tabletop.engine.model import Remark
from tabletop.engine.scratch import FastRng


class HeldPool(BotPool):
    """Decides nothing: each question's future is the test's."""

    def __init__(self) -> None:
        super().__init__(catalogue.load_bot_parts)
        self.questions: list[Question] = []
        self.futures: list[Future[Decision]] = []

    def submit(self, question: Question) -> Future[Decision]:
        future: Future[Decision] = Future()
        self.questions.append(question)
        self.futures.append(future)
        return future

    def decide(self, decision: Decision) -> None:
        """Answer the latest question."""
        self.futures[-1].set_result(decision)


class QuickPool(BotPool):
    """Decides at once: any legal move, and another one that is worth 6% less."""

    def __init__(self) -> None:
        super().__init__(catalogue.load_bot_parts)
        self.questions: list[Question] = []

    def submit(self, question: Question) -> Future[Decision]:
        future: Future[Decision] = Future()
        self.questions.append(question)
        if question.compared:
            best, second = question.compared
            worths = (Estimate(best, 0.61, 90), Estimate(second, 0.55, 90, 0.02))
        else:
            luck, offers = FastRng(1), question.offers
            best = offers[luck.below(len(offers))].sample(question.ask.id, luck)
            moves = (move for offer in offers for move in offer.moves(question.ask.id))
            worths = (Estimate(best, 0.6), *(Estimate(move, 0.3) for move in moves if move != best))
        future.set_result(Decision(best, question.level, worths, Remark("Because.")))
        return future
