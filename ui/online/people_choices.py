"""The actions for the choices in notices about the people at a shared table."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from tabletop.language.lobby_text import seat_codes_sentence
from tabletop.language.prompt import ChoiceKind, PromptChoice
from tabletop.protocol.moderation import AdmitGuest
from ui.online.remote_table import RemoteTable
from ui.online.shared_record import words_for_table
from ui.shell.app_context import AppContext

Handlers = Mapping[ChoiceKind, Callable[[PromptChoice], None]]


def seat_codes_text(context: AppContext, remote: RemoteTable) -> str:
    """Return a sentence with the codes for moving local seats to other devices; "" for none."""
    return seat_codes_sentence(remote.table_people.codes, words_for_table(context, remote))


def people_handlers(remote: RemoteTable) -> Handlers:
    """Return the callback for each choice in notices about the people at the table."""
    act, guest = remote.request, remote.guest

    def come_back(seats: Sequence[int]) -> None:
        for seat in seats:
            act(guest.set_absent, seat, False)

    def consent(agree: bool, what: Literal["undo", "end"] = "undo") -> None:
        info = remote.info
        request = (info.wish if what == "undo" else info.ending) if info else None
        for seat in request.waiting if request else ():
            if seat in remote.local_seats:
                act(guest.answer_wish, seat, agree, what)

    return {
        "end_by_consent": lambda _: consent(True, "end"),
        "play_on": lambda _: consent(False, "end"),
        "consent": lambda _: consent(True),
        "dissent": lambda _: consent(False),
        "come_back": lambda choice: come_back(choice.seats),
        "wait_on": lambda _: act(guest.decide, "wait"),
        "let_bot_play": lambda _: act(guest.decide, "bot"),
        "end_match": lambda _: act(guest.decide, "end"),
        "try_now": lambda _: remote.reconnect(),
        "reclaim": lambda _: remote.reconnect(),
        "decline_hosting": lambda _: remote.decline_hosting(),
        "let_in": lambda choice: act(guest.say, AdmitGuest(choice.number, True)),
        "turn_away": lambda choice: act(guest.say, AdmitGuest(choice.number, False)),
    }
