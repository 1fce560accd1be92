"""Taps and other messages of a browser, and their effects. A refused one changes nothing and says
why."""

from functools import partial

from tabletop.background import faults
from tabletop.background.faults import WENT_WRONG
from tabletop.bots.hint import Hint, NoHint
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import AUDIENCE, Reason
from tabletop.engine.play import Illegal
from tabletop.engine.refusals import ALREADY_ANSWERED, NOT_ASKED
from tabletop.language import labels
from tabletop.language.hint_text import describe_advice, describe_second_best
from tabletop.language.rare_actions import rare_action_kinds
from tabletop.language.words import Words
from tabletop.match.seat import Seat
from tabletop.net.guest.rematch_wish import WISHED
from tabletop.protocol.quick_words import quick_text
from tabletop.web.answer_ids import SaidAnswer
from tabletop.web.answer_steps import AnswerSteps
from tabletop.web.arrangement_taps import put_together
from tabletop.web.browser_session import BrowserSession
from tabletop.web.frame_words import QUICK
from tabletop.web.page import lines, weigh
from tabletop.web.prompt import status_on_page
from tabletop.web.wire import (
    Agrees,
    AnswersBrowser,
    ArrangeRequest,
    AsksHint,
    AsksWhy,
    ChoosesLanguage,
    DecidesAbsence,
    FromBrowser,
    FromSitter,
    GivesUp,
    IsAway,
    IsBack,
    IsReady,
    Leaves,
    LeaveSeatRequest,
    PictureRequest,
    Plays,
    PreviewRequest,
    ReadsLog,
    Redoes,
    Says,
    SaysPhrase,
    SetPassPolicy,
    TakesBack,
    TakesOver,
    TakesSeat,
    WantsAnother,
    Watches,
    WritesNote,
)

ONLY_WATCHING = Reason("You are only watching here.")
SEATED = Reason("You already have a seat here.")
NO_NOTES = Reason("Nothing can be noted here now.")
NO_HINT = Reason("No hint is available right now.")


def obey(session: BrowserSession, message: FromBrowser) -> None:
    """Carry out a browser's message, or refuse it."""
    try:
        if isinstance(message, FromSitter) and session.number == AUDIENCE:
            raise Illegal(ONLY_WATCHING)
        match message:
            case Plays():
                _play(session, message)
            case PreviewRequest():
                _weigh(session, message)
            case ArrangeRequest():
                _put_together(session, message)
            case AsksWhy(card=card, to=to):
                session.screen.say_why(message.n, _seat(session).why(card, to))
            case AsksHint():
                _hint(session, message)
            case ReadsLog():
                _read_log(session, message)
            case ChoosesLanguage(language=language):
                _choose_language(session, language)
            case SetPassPolicy(way=way):
                session.policy = way
                session.reconsider()
            case PictureRequest():
                session.look(message)
                session.show()
            case _:
                _act(session, message)
                session.screen.confirm(message.n)
                if isinstance(message, WantsAnother):
                    session.show()
    except Illegal as illegal:
        session.screen.say_why(message.n, illegal.reason)
    except Exception as error:  # it ends one message, and not the browser's socket
        faults.report(error, f"a browser's {type(message).__name__}")
        session.screen.say_why(message.n, WENT_WRONG)


def _act(session: BrowserSession, message: FromBrowser) -> None:
    """
    Raises:
        Illegal: the message can't be carried out.
    """
    guest, seat = session.guest, session.number
    match message:
        case TakesBack():
            _seat(session).undo()
        case Redoes():
            _seat(session).redo()
        case Agrees(agree=agree, what=what):
            guest.consent(seat, agree, what or "undo")
        case GivesUp():
            _seat(session).concede()
        case TakesSeat():
            if seat != AUDIENCE:
                guest.rise(seat)  # one browser, one seat: this is another one
            session.wants_ready = True
            guest.sit(message.seat, message.name, message.symbol)
        case TakesOver(seat=other, code=code):
            if seat != AUDIENCE:
                raise Illegal(SEATED)
            session.take_over(other, code)
        case IsReady(ready=ready):
            guest.set_ready(seat, ready)
        case LeaveSeatRequest():
            guest.rise(seat)
        case Watches():
            guest.watch()
        case Leaves():
            session.leave()
        case IsAway():
            guest.set_absent(seat)
        case IsBack():
            guest.set_absent(seat, False)
        case WantsAnother():
            if session.rematch.say(Words(session.screen.language)):
                session.screen.note(WISHED, good=True)
        case DecidesAbsence(what=decision):
            guest.decide(decision)
        case Says(text=text):
            guest.speak(text, seat)
        case SaysPhrase(phrase=number):
            name = QUICK[number % len(QUICK)]
            guest.speak(quick_text(name, Words(session.screen.language)), seat, name)
        case WritesNote(text=text):
            send = guest.pin_note(seat)
            if send is None:
                raise Illegal(NO_NOTES)
            send(text)


def _seat(session: BrowserSession) -> Seat:
    return _seat_and_kit(session)[0]


def _seat_and_kit(session: BrowserSession) -> tuple[Seat, GameKit]:
    """The seat of a browser and its game.

    Raises:
        Illegal: it is shown no match.
    """
    seat, kit = session.seat, session.kit
    if seat is None or kit is None:
        raise Illegal(NOT_ASKED)
    return seat, kit


def _play(session: BrowserSession, message: Plays) -> None:
    answer, move = session.answers.unconfirmed, message.move
    if session.answers.is_counted(message.id):
        session.screen.confirm(message.n)
        return
    if answer is not None and answer.id == message.id:
        answer.to.append(message.n)  # said again while it is under way
        return
    seat = _seat(session)
    if seat.pending is not None:
        raise Illegal(ALREADY_ANSWERED)
    if move.ask not in seat.offers:
        if not message.again:
            raise Illegal(NOT_ASKED)
        # it was heard before the line broke, or has been overtaken
        session.answers.count(SaidAnswer(message.id, message.n, move))
        return
    session.give(SaidAnswer(message.id, message.n, move))


def _weigh(session: BrowserSession, message: PreviewRequest) -> None:
    seat, kit = _seat_and_kit(session)
    preview = weigh(seat, session.context(kit), session.screen.words(), message.move)
    if preview is None:
        raise Illegal(NOT_ASKED)
    session.screen.tell(
        AnswersBrowser(
            to=message.n, sentence=preview.sentence, notes=preview.notes, odds=preview.odds
        )
    )


def _put_together(session: BrowserSession, message: ArrangeRequest) -> None:
    seat, kit = _seat_and_kit(session)
    answers = AnswerSteps(seat, session.context(kit), session.screen.words())
    together = put_together(answers, message)
    if together is None:
        raise Illegal(NOT_ASKED)
    session.screen.tell(AnswersBrowser(to=message.n, together=together))


def _hint(session: BrowserSession, message: AsksHint) -> None:
    (seat, kit), hints = _seat_and_kit(session), session.hints
    status = status_on_page(seat, session.context(kit), session.screen.words())
    if hints is None or "hint" not in rare_action_kinds(status):
        raise Illegal(NO_HINT)

    def answer(hint: Hint | NoHint) -> None:
        tell = partial(_answer_hint, session, message.n, seat, hint)
        faults.run_guarded(tell, "a hint", lambda _: session.screen.say_why(message.n, WENT_WRONG))

    describe = partial(session.screen.words().move, viewer=seat.number, view=seat.view)
    hints.think(kit.id, seat, status.asks[0], describe, answer)


def _answer_hint(session: BrowserSession, to: int, seat: Seat, hint: Hint | NoHint) -> None:
    if hint == "failed":
        session.screen.say_why(to, WENT_WRONG)
    elif hint == "dropped" or session.seat is not seat:
        session.screen.confirm(to)
    else:
        words = session.screen.words()
        move, reason = describe_advice(hint, seat, words)
        second = describe_second_best(hint, seat, words)
        text = words.sentences((words(labels.HINT, move=move), reason, second))
        session.screen.tell(AnswersBrowser(to=to, text=text, move=hint.move))


def _read_log(session: BrowserSession, message: ReadsLog) -> None:
    shown = lines(_seat(session), session.screen.words(), message.before)
    session.screen.tell(AnswersBrowser(to=message.n, lines=shown))


def _choose_language(session: BrowserSession, language: str) -> None:
    if language in session.screen.words().languages:
        session.screen.language = language
        session.screen.welcome()
        session.show()
