"""Consecutive actions of one player as a paragraph."""

from tabletop.engine.model import Value
from tabletop.language.words import Words
from tabletop.match.story import PlayerAct


def act_text(act: PlayerAct, viewer: int, words: Words) -> str:
    """Return the log lines of `act` as a paragraph.

    The first line names the player, as does each line that follows a line about somebody else.
    """
    texts: list[str] = []
    subject: Value | None = None
    for said in act.lines:
        seat = said.args.get("seat", subject)
        texts.append(words.log_line(said, viewer, subject=seat != act.seat or seat != subject))
        subject = seat
    return words.sentences(texts)
