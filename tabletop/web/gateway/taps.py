"""Handlers for a browser's messages. A refused message changes nothing and is answered with the
reason.
"""

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
from tabletop.web.answer_ids import SubmittedAnswer
from tabletop.web.answer_steps import AnswerSteps
from tabletop.web.arrangement_taps import apply_arrangement_tap
from tabletop.web.browser_session import BrowserSession
from tabletop.web.frame_words import QUICK_PHRASES
from tabletop.web.page import log_lines, preview_move
from tabletop.web.prompt import page_status
from tabletop.web.wire import (
    ArrangeRequest,
    AwayRequest,
    BackRequest,
    ConcedeRequest,
    ExplainRefusalRequest,
    FromBrowser,
    FromSeatedBrowser,
    HintRequest,
    LeaveSeatRequest,
    LeaveTableRequest,
    LogRequest,
    PictureRequest,
    PlayRequest,
    PreviewRequest,
    RedoMoveRequest,
    RematchRequest,
    RequestAnswer,
    ResolveAbsenceRequest,
    SendChatRequest,
    SendPhraseRequest,
    SetLanguageRequest,
    SetPassPolicyRequest,
    SetReadyRequest,
    SitRequest,
    TakeOverSeatRequest,
    UndoMoveRequest,
    VoteRequest,
    WatchRequest,
    WriteNoteRequest,
)

ONLY_WATCHING = Reason("You are only watching here.")
ALREADY_SEATED = Reason("You already have a seat here.")
NO_NOTES = Reason("Nothing can be noted here now.")
NO_HINT = Reason("No hint is available right now.")


def handle_message(session: BrowserSession, message: FromBrowser) -> None:
    """Carry out a browser's message, or answer with the reason for a refusal."""
    try:
        if isinstance(message, FromSeatedBrowser) and session.seat_number == AUDIENCE:
            raise Illegal(ONLY_WATCHING)
        match message:
            case PlayRequest():
                _play(session, message)
            case PreviewRequest():
                _preview(session, message)
            case ArrangeRequest():
                _arrange(session, message)
            case ExplainRefusalRequest(card=card, to=to):
                session.screen.answer_with_reason(
                    message.n, _seat(session).explain_refusal(card, to)
                )
            case HintRequest():
                _request_hint(session, message)
            case LogRequest():
                _read_log(session, message)
            case SetLanguageRequest(language=language):
                _choose_language(session, language)
            case SetPassPolicyRequest(way=way):
                session.policy = way
                session.apply_pass_policy()
            case PictureRequest():
                session.request_picture(message)
                session.schedule_page()
            case _:
                _act(session, message)
                session.screen.confirm(message.n)
                if isinstance(message, RematchRequest):
                    session.schedule_page()
    except Illegal as illegal:
        session.screen.answer_with_reason(message.n, illegal.reason)
    except Exception as error:  # the error must not close the browser's socket
        faults.report(error, f"a browser's {type(message).__name__}")
        session.screen.answer_with_reason(message.n, WENT_WRONG)


def _act(session: BrowserSession, message: FromBrowser) -> None:
    """Carry out a request that needs no answer of its own.

    Raises:
        Illegal: the request is refused.
    """
    guest, seat = session.guest, session.seat_number
    match message:
        case UndoMoveRequest():
            _seat(session).undo()
        case RedoMoveRequest():
            _seat(session).redo()
        case VoteRequest(agree=agree, what=what):
            guest.answer_wish(seat, agree, what or "undo")
        case ConcedeRequest():
            _seat(session).concede()
        case SitRequest():
            if seat != AUDIENCE:
                guest.leave_seat(seat)  # a browser has one seat, so this is a change of seats
            session.wants_ready = True
            guest.sit(message.seat, message.name, message.symbol)
        case TakeOverSeatRequest(seat=other, code=code):
            if seat != AUDIENCE:
                raise Illegal(ALREADY_SEATED)
            session.take_over(other, code)
        case SetReadyRequest(ready=ready):
            guest.set_ready(seat, ready)
        case LeaveSeatRequest():
            guest.leave_seat(seat)
        case WatchRequest():
            guest.watch()
        case LeaveTableRequest():
            session.leave()
        case AwayRequest():
            guest.set_absent(seat)
        case BackRequest():
            guest.set_absent(seat, False)
        case RematchRequest():
            if session.rematch.say(Words(session.screen.language)):
                session.screen.show_notice(WISHED, good=True)
        case ResolveAbsenceRequest(what=decision):
            guest.decide(decision)
        case SendChatRequest(text=text):
            guest.send_chat(text, seat)
        case SendPhraseRequest(phrase=number):
            name = QUICK_PHRASES[number % len(QUICK_PHRASES)]
            guest.send_chat(quick_text(name, Words(session.screen.language)), seat, name)
        case WriteNoteRequest(text=text):
            send = guest.pin_note(seat)
            if send is None:
                raise Illegal(NO_NOTES)
            send(text)


def _seat(session: BrowserSession) -> Seat:
    return _seat_and_kit(session)[0]


def _seat_and_kit(session: BrowserSession) -> tuple[Seat, GameKit]:
    """Return the seat of a browser and its game.

    Raises:
        Illegal: the browser isn't shown a match.
    """
    seat, kit = session.seat, session.kit
    if seat is None or kit is None:
        raise Illegal(NOT_ASKED)
    return seat, kit


def _play(session: BrowserSession, message: PlayRequest) -> None:
    answer, move = session.answers.unconfirmed, message.move
    if session.answers.is_counted(message.id):
        session.screen.confirm(message.n)
        return
    if answer is not None and answer.id == message.id:
        answer.to.append(message.n)  # repeated while the answer is pending
        return
    seat = _seat(session)
    if seat.pending is not None:
        raise Illegal(ALREADY_ANSWERED)
    if move.ask not in seat.offers:
        if not message.again:
            raise Illegal(NOT_ASKED)
        # received before the connection broke, or obsolete
        session.answers.confirm(SubmittedAnswer(message.id, message.n, move))
        return
    session.submit_answer(SubmittedAnswer(message.id, message.n, move))


def _preview(session: BrowserSession, message: PreviewRequest) -> None:
    seat, kit = _seat_and_kit(session)
    preview = preview_move(seat, session.context(kit), session.screen.words(), message.move)
    if preview is None:
        raise Illegal(NOT_ASKED)
    session.screen.send(
        RequestAnswer(
            to=message.n, sentence=preview.sentence, notes=preview.notes, odds=preview.odds
        )
    )


def _arrange(session: BrowserSession, message: ArrangeRequest) -> None:
    seat, kit = _seat_and_kit(session)
    answers = AnswerSteps(seat, session.context(kit), session.screen.words())
    together = apply_arrangement_tap(answers, message)
    if together is None:
        raise Illegal(NOT_ASKED)
    session.screen.send(RequestAnswer(to=message.n, together=together))


def _request_hint(session: BrowserSession, message: HintRequest) -> None:
    (seat, kit), hints = _seat_and_kit(session), session.hints
    status = page_status(seat, session.context(kit), session.screen.words())
    if hints is None or "hint" not in rare_action_kinds(status):
        raise Illegal(NO_HINT)

    def answer(hint: Hint | NoHint) -> None:
        tell = partial(_answer_hint, session, message.n, seat, hint)
        faults.run_guarded(
            tell, "a hint", lambda _: session.screen.answer_with_reason(message.n, WENT_WRONG)
        )

    describe = partial(session.screen.words().move, viewer=seat.number, view=seat.view)
    hints.think(kit.id, seat, status.asks[0], describe, answer)


def _answer_hint(session: BrowserSession, to: int, seat: Seat, hint: Hint | NoHint) -> None:
    if hint == "failed":
        session.screen.answer_with_reason(to, WENT_WRONG)
    elif hint == "dropped" or session.seat is not seat:
        session.screen.confirm(to)
    else:
        words = session.screen.words()
        move, reason = describe_advice(hint, seat, words)
        second = describe_second_best(hint, seat, words)
        text = words.sentences((words(labels.HINT, move=move), reason, second))
        session.screen.send(RequestAnswer(to=to, text=text, move=hint.move))


def _read_log(session: BrowserSession, message: LogRequest) -> None:
    shown = log_lines(_seat(session), session.screen.words(), message.before)
    session.screen.send(RequestAnswer(to=message.n, lines=shown))


def _choose_language(session: BrowserSession, language: str) -> None:
    if language in session.screen.words().languages:
        session.screen.language = language
        session.screen.send_welcome()
        session.schedule_page()
