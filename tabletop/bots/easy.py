"""The easy level: any sensible move, each as likely."""

from tabletop.bots.agent import Agent
from tabletop.bots.decision import Decision, Question
from tabletop.engine.model import Chance


def think(agent: Agent, question: Question, chance: Chance) -> Decision:
    """A sensible answer, drawn at random."""
    moves = agent.heuristic.moves(question.view, question.ask, chance)
    return Decision(moves[chance.below(len(moves))], "easy")
