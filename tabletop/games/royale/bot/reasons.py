"""Sentences that explain a move if its preview doesn't."""

from tabletop.engine.model import Remark
from tabletop.text.phrases import phrase

_BY_VERB = {
    "again": phrase("Another start may be better."),
    "agree": phrase("You gain as much from it as they do."),
    "answer": phrase("That area is safer, or closer to what you want."),
    "attack": phrase("They are the easiest target within reach."),
    "chain": phrase("Attack again while they are weak."),
    "close": phrase("Closing that area costs you least."),
    "counter": phrase("Attack again while they are weak."),
    "declare": phrase("It's the best balance of risk and reward at this range."),
    "discard": phrase("These are your least useful cards."),
    "dodge": phrase("The hit would cost you more than the card."),
    "evade": phrase("It stops the attack before it begins."),
    "find": phrase("It makes a find more likely."),
    "forbid": phrase("The others need that area more than you do."),
    "forgo": phrase("Striking would cost more than it gains."),
    "gear": phrase("It makes you stronger in every battle from now on."),
    "go_first": phrase("Striking first may end the battle."),
    "move": phrase("That area is safer, or closer to what you want."),
    "nothing": phrase("Nothing else gains you more now."),
    "pass": phrase("The card may be worth more later."),
    "negotiate": phrase("A trade may get you what you need."),
    "peek": phrase("The more you know, the better you choose."),
    "place": phrase("You reach a lot from there, and few can reach you."),
    "prepare": phrase("It will be ready when you need it."),
    "refresh": phrase("New cards are likely to be better."),
    "refuse": phrase("They would gain more from it than you."),
    "reroll": phrase("A reroll is likely to be better."),
    "rest": phrase("Recover while nobody is attacking."),
    "range": phrase("Your weapons work best at this range."),
    "ride": phrase("You reach more from there."),
    "salvage": phrase("It's the most useful one."),
    "search": phrase("A find is worth more than anything else you could do."),
    "snipe": phrase("They are the easiest target within reach."),
    "stand_in": phrase("The double takes the blow for you."),
    "stay": phrase("No area within reach is better."),
    "steal": phrase("It's the most useful one."),
    "strike": phrase("It's your best weapon here."),
    "take": phrase("It's the most useful one."),
    "trade": phrase("What you get is worth more than what you give."),
    "walk": phrase("You reach more from there."),
}
_BY_ASK = {
    ("limit", "discard"): phrase("You keep the most valuable one."),
    ("own_roll", "pass"): phrase("The dice are good enough."),
    ("start", "pass"): phrase("It's a good place to start."),
    ("gear", "pass"): phrase("They can't plan for what they haven't seen."),
    ("walk", "gear"): phrase("It makes you stronger in every battle from now on."),
}


def explain_move(question: str, verb: str) -> Remark | None:
    """Return the explanation of a move by its question and verb; None if there is none."""
    text = _BY_ASK.get((question, verb)) or _BY_VERB.get(verb)
    return Remark(text) if text else None
