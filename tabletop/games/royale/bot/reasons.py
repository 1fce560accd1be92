"""Why a move is good, in a sentence, where its figures do not tell already."""

from tabletop.engine.model import Remark
from tabletop.text.phrases import phrase

_BY_VERB = {
    "again": phrase("Another place may be a better one to begin."),
    "agree": phrase("You gain as much by it as the other does."),
    "answer": phrase("The other place is safer, or nearer to what you want."),
    "attack": phrase("Nobody else within reach is easier to beat."),
    "chain": phrase("One more attack at once, while the other is weak."),
    "close": phrase("That area hinders you least when it is closed."),
    "counter": phrase("One more attack at once, while the other is weak."),
    "declare": phrase("It brings most for the risk at this range."),
    "discard": phrase("It would be of the least use to you."),
    "dodge": phrase("The hit would cost more than the card."),
    "evade": phrase("The attack does not even begin."),
    "find": phrase("It makes it likelier that you find something."),
    "forbid": phrase("That area is worth more to the others than to you."),
    "forgo": phrase("To strike would cost more than it brings."),
    "gear": phrase("It makes you stronger in every battle from now on."),
    "go_first": phrase("Who strikes first may end the battle."),
    "move": phrase("The other place is safer, or nearer to what you want."),
    "nothing": phrase("Nothing else would bring more now."),
    "pass": phrase("The card may be worth more later."),
    "negotiate": phrase("A trade may bring what you need."),
    "peek": phrase("Who knows more chooses better."),
    "place": phrase("From there you reach much, and few reach you."),
    "prepare": phrase("It is ready when it is needed."),
    "refresh": phrase("New cards are likely to be better than these."),
    "refuse": phrase("The other would gain more by it than you."),
    "reroll": phrase("Another throw is likely to be better."),
    "rest": phrase("Stamina comes back while nobody attacks."),
    "range": phrase("Your means promise most at this range."),
    "ride": phrase("From there you reach more."),
    "salvage": phrase("It is the most useful of them."),
    "search": phrase("What is found is worth more than what else you could do."),
    "snipe": phrase("Nobody else within reach is easier to beat."),
    "stand_in": phrase("The double takes the blow."),
    "stay": phrase("No place within reach is a better one."),
    "steal": phrase("It is the most useful of them."),
    "strike": phrase("Of your means it promises most here."),
    "take": phrase("It is the most useful of them."),
    "trade": phrase("What you get is worth more to you than what you give."),
    "walk": phrase("From there you reach more."),
}
_BY_ASK = {
    ("limit", "discard"): phrase("The one that you keep is worth most."),
    ("own_roll", "pass"): phrase("The dice are good enough."),
    ("start", "pass"): phrase("It is a good place to begin."),
    ("gear", "pass"): phrase("What nobody has seen cannot be reckoned with."),
    ("walk", "gear"): phrase("It makes you stronger in every battle from now on."),
}


def reason(what: str, verb: str) -> Remark | None:
    """Why one plays this verb when asked so."""
    text = _BY_ASK.get((what, verb)) or _BY_VERB.get(verb)
    return Remark(text) if text else None
