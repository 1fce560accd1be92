"""The text of what a player did at a stretch."""

from tabletop.engine.model import AUDIENCE
from tabletop.language.words import Words
from tabletop.match.story import PlayerAct


def act_text(act: PlayerAct, viewer: int, words: Words) -> str:
    """The lines of an act as a paragraph. It names its player once."""
    named = act.seat == AUDIENCE
    texts = []
    for said in act.lines:
        own = said.args.get("seat") == act.seat
        texts.append(words.log_line(said, viewer, subject=not (own and named)))
        named = named or own
    return words.sentences(texts)
