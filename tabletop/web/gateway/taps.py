"""Taps and other messages of a browser, and their effects. A refused one changes nothing and says
why."""

import asyncio
from collections.abc import Callable
from typing import Any

from tabletop.catalogue.catalogue import Kit
from tabletop.engine.model import AUDIENCE, Move, Reason
from tabletop.engine.play import Illegal
from tabletop.engine.refusals import ALREADY_ANSWERED, NOT_ASKED
from tabletop.language.words import Words
from tabletop.match.link import Link
from tabletop.net.quick_words import said
from tabletop.web.answer_steps import AnswerSteps
from tabletop.web.browser_session import BrowserSession
from tabletop.web.frame_words import QUICK
from tabletop.web.page import LOG_LINES, lines, refusal, weighed
from tabletop.web.sent_answers import SentAnswer
from tabletop.web.together import put_together
from tabletop.web.wire import (
    Agrees,
    AnswersBrowser,
    AsksHint,
    AsksWhy,
    BrowserMessage,
    ChoosesLanguage,
    ChoosesWay,
    DecidesAbsence,
    GetsUp,
    GivesUp,
    IsBack,
    IsReady,
    Leaves,
    Looks,
    Plays,
    PutsTogether,
    ReadsLog,
    Says,
    SaysPhrase,
    TakesBack,
    TakesOver,
    TakesSeat,
    WantsAnother,
    Watches,
    Weighs,
    WritesNote,
)

ONLY_WATCHING = Reason("You are only watching here.")
SEATED = Reason("You already have a seat here.")
NO_NOTES = Reason("Nothing can be noted here now.")
NO_HINT = Reason("No hint is available right now.")
WISHED = Reason("You want another match. The host begins it.")

Advise = Callable[[Link, Kit, Words], "asyncio.Future[tuple[Move, str]]"]
"""Returns a strong player's move in this link's place, and its reason as a sentence."""


def obey(session: BrowserSession, message: BrowserMessage, advise: Advise | None) -> None:
    """Carry out a browser's message, or refuse it."""
    try:
        match message:
            case Plays():
                _play(session, message)
            case AsksHint():
                _hint(session, message, advise)
            case _:
                OBEYED[type(message)](session, message)
    except Illegal as illegal:
        session.refuse(message.n, illegal.reason)


def _seated(session: BrowserSession) -> int:
    if session.seat == AUDIENCE:
        raise Illegal(ONLY_WATCHING)
    return session.seat


def _link(session: BrowserSession) -> Link:
    link = session.link
    if link is None or session.kit is None:
        raise Illegal(NOT_ASKED)
    return link


# The game


def _play(session: BrowserSession, message: Plays) -> None:
    _seated(session)
    answer, move = session.answers.open, message.move
    if session.answers.counted(message.id):
        session.done(message.n)
        return
    if answer is not None and answer.id == message.id:
        answer.to.append(message.n)  # said again while it is under way
        return
    link = _link(session)
    if answer is not None:
        raise Illegal(ALREADY_ANSWERED)
    if move.ask not in link.offers:
        if not message.again:
            raise Illegal(NOT_ASKED)
        # it was heard before the line broke, or has been overtaken
        session.answers.count(SentAnswer(message.id, message.n, move))
        return
    session.give(SentAnswer(message.id, message.n, move))


def _weigh(session: BrowserSession, message: Weighs) -> None:
    link, kit = _link(session), session.kit
    preview = weighed(link, session.context(kit), session.words(), message.move) if kit else None
    if preview is None:
        raise Illegal(NOT_ASKED)
    session.tell(
        AnswersBrowser(
            to=message.n, sentence=preview.sentence, notes=preview.notes, odds=preview.odds
        )
    )


def _put_together(session: BrowserSession, message: PutsTogether) -> None:
    link, kit = _link(session), session.kit
    assert kit is not None
    answers = AnswerSteps(link, session.context(kit), session.words())
    together = put_together(answers, message)
    if together is None:
        raise Illegal(NOT_ASKED)
    session.tell(AnswersBrowser(to=message.n, together=together))


def _why(session: BrowserSession, message: AsksWhy) -> None:
    remark = refusal(_link(session), session.words(), message.card, message.to)
    session.tell(AnswersBrowser(to=message.n, text=remark.text, paragraph=remark.paragraph))


def _take_back(session: BrowserSession, message: TakesBack) -> None:
    _seated(session)
    _link(session).undo()
    session.done(message.n)


def _consent(session: BrowserSession, message: Agrees) -> None:
    session.guest.consent(_seated(session), message.agree)
    session.done(message.n)


def _concede(session: BrowserSession, message: GivesUp) -> None:
    session.guest.concede(_seated(session))
    session.done(message.n)


def _hint(session: BrowserSession, message: AsksHint, advise: Advise | None) -> None:
    _seated(session)
    link, kit = _link(session), session.kit
    if advise is None or kit is None or not link.offers or not session.context(kit).advises:
        raise Illegal(NO_HINT)

    def found(future: "asyncio.Future[tuple[Move, str]]") -> None:
        if future.cancelled() or future.exception() is not None or session.closed:
            return
        move, why = future.result()
        words = session.words()
        told = words("Hint: {move}.", move=words.move(move, link.seat, link.view))
        session.tell(AnswersBrowser(to=message.n, text=f"{told} {why}".strip(), move=move))

    advise(link, kit, session.words()).add_done_callback(found)


def _log(session: BrowserSession, message: ReadsLog) -> None:
    link = _link(session)
    before = min(message.before, len(link.log))
    shown = lines(link, session.words(), before)
    first = max(0, before - LOG_LINES)
    session.tell(AnswersBrowser(to=message.n, lines=shown, first=first))


# The table


def _sit(session: BrowserSession, message: TakesSeat) -> None:
    if session.seat != AUDIENCE:
        session.guest.rise(session.seat)  # one browser, one seat: this is another one
    session.wants_ready = True
    session.guest.sit(message.seat, message.name, message.symbol)
    session.done(message.n)


def _take_over(session: BrowserSession, message: TakesOver) -> None:
    if session.seat != AUDIENCE:
        raise Illegal(SEATED)
    session.take_over(message.seat, message.code)
    session.done(message.n)


def _ready(session: BrowserSession, message: IsReady) -> None:
    session.guest.ready(_seated(session), message.ready)
    session.done(message.n)


def _rise(session: BrowserSession, message: GetsUp) -> None:
    session.guest.rise(_seated(session))
    session.done(message.n)


def _watch(session: BrowserSession, message: Watches) -> None:
    session.watching = True
    session.guest.watch()
    session.done(message.n)


def _leave(session: BrowserSession, message: Leaves) -> None:
    session.leave()
    session.done(message.n)


def _back(session: BrowserSession, message: IsBack) -> None:
    session.guest.absent(_seated(session), False)
    session.done(message.n)


def _again(session: BrowserSession, message: WantsAnother) -> None:
    """Wish another match, which only the host begins: the wish is said to all, and kept until
    then."""
    _seated(session)
    info, link = session.info, session.link
    over = link is not None and link.view.result is not None  # told before how the table stands
    if not over and (info is None or info.phase not in ("over", "gathering")):
        raise Illegal(NOT_ASKED)
    if not session.wants_another:
        session.wants_another = True
        _speak_quickly(session, "again")
        session.note(WISHED, good=True)
    session.done(message.n)
    session.show()


def _decide(session: BrowserSession, message: DecidesAbsence) -> None:
    _seated(session)
    session.guest.decide(message.what)
    session.done(message.n)


def _say(session: BrowserSession, message: Says) -> None:
    session.guest.speak(message.text, session.seat)
    session.done(message.n)


def _note(session: BrowserSession, message: WritesNote) -> None:
    send = session.guest.pinned_note(session.seat)
    if send is None:
        raise Illegal(NO_NOTES)
    send(message.text)
    session.done(message.n)


def _phrase(session: BrowserSession, message: SaysPhrase) -> None:
    _speak_quickly(session, QUICK[message.phrase % len(QUICK)])
    session.done(message.n)


def _speak_quickly(session: BrowserSession, name: str) -> None:
    """Say a quick word, which everyone reads in their own language."""
    session.guest.speak(said(name, Words(session.language)), session.seat, name)


# The browser itself


def _language(session: BrowserSession, message: ChoosesLanguage) -> None:
    if message.language in session.words().languages:
        session.language = message.language
        session.welcome()
        session.show()


def _way(session: BrowserSession, message: ChoosesWay) -> None:
    session.way = message.way
    session.reconsider()


def _look(session: BrowserSession, message: Looks) -> None:
    session.look(message)
    session.show()


OBEYED: dict[type[BrowserMessage], Callable[[BrowserSession, Any], None]] = {
    Weighs: _weigh,
    PutsTogether: _put_together,
    AsksWhy: _why,
    TakesBack: _take_back,
    Agrees: _consent,
    GivesUp: _concede,
    ReadsLog: _log,
    TakesSeat: _sit,
    TakesOver: _take_over,
    IsReady: _ready,
    GetsUp: _rise,
    Watches: _watch,
    Leaves: _leave,
    IsBack: _back,
    WantsAnother: _again,
    DecidesAbsence: _decide,
    Says: _say,
    WritesNote: _note,
    SaysPhrase: _phrase,
    ChoosesLanguage: _language,
    ChoosesWay: _way,
    Looks: _look,
}
