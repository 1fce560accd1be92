"""The easy level: any move that deserves a thought, as likely as any other."""

from tabletop.bots.mind import Mind
from tabletop.bots.thought import Question, Thought
from tabletop.engine.model import Chance


def think(mind: Mind, question: Question, chance: Chance) -> Thought:
    """A sensible answer, drawn at random."""
    moves = mind.instinct.moves(question.view, question.ask, chance)
    return Thought(moves[chance.below(len(moves))], "easy")
