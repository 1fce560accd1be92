"""What a browser asks for, message by message, and what comes of it. What is refused changes
nothing, and says why."""

import asyncio
from collections.abc import Callable
from typing import Any

from tabletop.catalogue.catalogue import Kit
from tabletop.engine.model import AUDIENCE, Move, Reason
from tabletop.engine.play import ALREADY_ANSWERED, NOT_ASKED, Illegal
from tabletop.language.words import LANGUAGES, Words
from tabletop.match.link import Link
from tabletop.net.quick_words import said
from tabletop.web.answers import Answers
from tabletop.web.frame_words import QUICK
from tabletop.web.given_answer import GivenAnswer
from tabletop.web.page import LOG_LINES, lines, refusal, weighed
from tabletop.web.together import put_together
from tabletop.web.visit import Visit
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
SEATED = Reason("You have a seat here already.")
NO_NOTES = Reason("Nothing can be noted here now.")
NO_HINT = Reason("There is nobody to ask for a hint now.")
WISHED = Reason("You want another match. The host begins it.")

Advise = Callable[[Link, Kit, Words], "asyncio.Future[tuple[Move, str]]"]
"""What a strong player would do in this link's place, and why, as a sentence."""


def obey(visit: Visit, message: BrowserMessage, advise: Advise | None) -> None:
    """Do what the browser asks for, or tell it why not."""
    try:
        match message:
            case Plays():
                _play(visit, message)
            case AsksHint():
                _hint(visit, message, advise)
            case _:
                OBEYED[type(message)](visit, message)
    except Illegal as illegal:
        visit.refuse(message.n, illegal.reason)


def _seated(visit: Visit) -> int:
    if visit.seat == AUDIENCE:
        raise Illegal(ONLY_WATCHING)
    return visit.seat


def _link(visit: Visit) -> Link:
    link = visit.link
    if link is None or visit.kit is None:
        raise Illegal(NOT_ASKED)
    return link


# The game


def _play(visit: Visit, message: Plays) -> None:
    _seated(visit)
    answer, move = visit.answers.open, message.move
    if visit.answers.counted(message.id):
        visit.done(message.n)
        return
    if answer is not None and answer.id == message.id:
        answer.to.append(message.n)  # said again while it is under way
        return
    link = _link(visit)
    if answer is not None:
        raise Illegal(ALREADY_ANSWERED)
    if move.ask not in link.offers:
        if not message.again:
            raise Illegal(NOT_ASKED)
        # it was heard before the line broke, or has been overtaken
        visit.answers.count(GivenAnswer(message.id, message.n, move))
        return
    visit.give(GivenAnswer(message.id, message.n, move))


def _weigh(visit: Visit, message: Weighs) -> None:
    link, kit = _link(visit), visit.kit
    told = weighed(link, visit.room(kit), visit.words(), message.move) if kit else None
    if told is None:
        raise Illegal(NOT_ASKED)
    visit.tell(
        AnswersBrowser(to=message.n, sentence=told.sentence, notes=told.notes, odds=told.odds)
    )


def _put_together(visit: Visit, message: PutsTogether) -> None:
    link, kit = _link(visit), visit.kit
    assert kit is not None
    answers = Answers(link, visit.room(kit), visit.words())
    together = put_together(answers, message)
    if together is None:
        raise Illegal(NOT_ASKED)
    visit.tell(AnswersBrowser(to=message.n, together=together))


def _why(visit: Visit, message: AsksWhy) -> None:
    told = refusal(_link(visit), visit.words(), message.card, message.to)
    visit.tell(AnswersBrowser(to=message.n, text=told.text, paragraph=told.paragraph))


def _take_back(visit: Visit, message: TakesBack) -> None:
    _seated(visit)
    _link(visit).undo()
    visit.done(message.n)


def _consent(visit: Visit, message: Agrees) -> None:
    visit.guest.consent(_seated(visit), message.agree)
    visit.done(message.n)


def _concede(visit: Visit, message: GivesUp) -> None:
    visit.guest.concede(_seated(visit))
    visit.done(message.n)


def _hint(visit: Visit, message: AsksHint, advise: Advise | None) -> None:
    _seated(visit)
    link, kit = _link(visit), visit.kit
    if advise is None or kit is None or not link.offers or not visit.room(kit).advises:
        raise Illegal(NO_HINT)

    def found(future: "asyncio.Future[tuple[Move, str]]") -> None:
        if future.cancelled() or future.exception() is not None or visit.closed:
            return
        move, why = future.result()
        words = visit.words()
        told = words("Hint: {move}.", move=words.move(move, link.seat, link.view))
        visit.tell(AnswersBrowser(to=message.n, text=f"{told} {why}".strip(), move=move))

    advise(link, kit, visit.words()).add_done_callback(found)


def _log(visit: Visit, message: ReadsLog) -> None:
    link = _link(visit)
    before = min(message.before, len(link.log))
    told = lines(link, visit.words(), before)
    first = max(0, before - LOG_LINES)
    visit.tell(AnswersBrowser(to=message.n, lines=told, first=first))


# The table


def _sit(visit: Visit, message: TakesSeat) -> None:
    if visit.seat != AUDIENCE:
        visit.guest.rise(visit.seat)  # one browser, one seat: this is another one
    visit.wants_ready = True
    visit.guest.sit(message.seat, message.name, message.symbol)
    visit.done(message.n)


def _take_over(visit: Visit, message: TakesOver) -> None:
    if visit.seat != AUDIENCE:
        raise Illegal(SEATED)
    visit.take_over(message.seat, message.code)
    visit.done(message.n)


def _ready(visit: Visit, message: IsReady) -> None:
    visit.guest.ready(_seated(visit), message.ready)
    visit.done(message.n)


def _rise(visit: Visit, message: GetsUp) -> None:
    visit.guest.rise(_seated(visit))
    visit.done(message.n)


def _watch(visit: Visit, message: Watches) -> None:
    visit.watching = True
    visit.guest.watch()
    visit.done(message.n)


def _leave(visit: Visit, message: Leaves) -> None:
    visit.leave()
    visit.done(message.n)


def _back(visit: Visit, message: IsBack) -> None:
    visit.guest.absent(_seated(visit), False)
    visit.done(message.n)


def _again(visit: Visit, message: WantsAnother) -> None:
    """Only who hosts begins another match: the wish is said to all, and kept until then."""
    _seated(visit)
    info, link = visit.info, visit.link
    over = link is not None and link.view.result is not None  # told before how the table stands
    if not over and (info is None or info.phase not in ("over", "gathering")):
        raise Illegal(NOT_ASKED)
    if not visit.wants_another:
        visit.wants_another = True
        _speak_quickly(visit, "again")
        visit.note(WISHED, good=True)
    visit.done(message.n)
    visit.show()


def _decide(visit: Visit, message: DecidesAbsence) -> None:
    _seated(visit)
    visit.guest.decide(message.what)
    visit.done(message.n)


def _say(visit: Visit, message: Says) -> None:
    visit.guest.speak(message.text, visit.seat)
    visit.done(message.n)


def _note(visit: Visit, message: WritesNote) -> None:
    send = visit.guest.pinned_note(visit.seat)
    if send is None:
        raise Illegal(NO_NOTES)
    send(message.text)
    visit.done(message.n)


def _phrase(visit: Visit, message: SaysPhrase) -> None:
    _speak_quickly(visit, QUICK[message.phrase % len(QUICK)])
    visit.done(message.n)


def _speak_quickly(visit: Visit, name: str) -> None:
    """Say a quick word, which each reads in the own language."""
    visit.guest.speak(said(name, Words(visit.language)), visit.seat, name)


# The browser itself


def _language(visit: Visit, message: ChoosesLanguage) -> None:
    if message.language in LANGUAGES:
        visit.language = message.language
        visit.welcome()
        visit.show()


def _way(visit: Visit, message: ChoosesWay) -> None:
    visit.way = message.way
    visit.reconsider()


def _look(visit: Visit, message: Looks) -> None:
    visit.look(message)
    visit.show()


OBEYED: dict[type[BrowserMessage], Callable[[Visit, Any], None]] = {
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
