"""The host's menu of decisions about guests."""

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QMenu, QWidget

from tabletop.engine.model import AUDIENCE
from tabletop.protocol.moderation import Mute, Remove, RenewCode, RequireApproval
from tabletop.protocol.seat_codes import FreeSeat
from ui.online.remote_table import RemoteTable
from ui.shell.app_context import AppContext
from ui.style.rich_text import literal
from ui.widgets.confirm import ask_to_confirm, needs_confirmation


def moderates(remote: RemoteTable) -> bool:
    """Whether this computer's person may decide, at a host that understands it."""
    return remote.hosts and remote.guest.moderates and remote.lost is None


def seats_elsewhere(remote: RemoteTable) -> list[int]:
    """The seats of people at other computers."""
    sitters = remote.info.sitters if remote.info else ()
    return [s for s, each in enumerate(sitters) if each.kind == "person" and s not in remote.own]


def fill_with_people(
    menu: QMenu,
    context: AppContext,
    remote: RemoteTable,
    window: QWidget,
    unseen: Callable[[], None],
) -> None:
    """A menu of its own for everybody at another computer, then what is of the whole table."""
    words, info = context.words, remote.info
    menu.clear()
    if info is None:
        return
    for seat in seats_elsewhere(remote):
        one = menu.addMenu(literal(remote.name(seat)))
        if info.phase == "playing" and remote.guest.codes_known and not info.sitters[seat].vacant:
            text = (
                words("Free the seat for another phone or computer…")
                if needs_confirmation(context, "free")
                else words("Free the seat for another phone or computer")
            )
            one.addAction(literal(text)).triggered.connect(
                partial(free_seat, context, remote, window, seat)
            )
        asks = needs_confirmation(context, "remove")
        removing = asks and info.phase == "playing"
        for ban, text in (
            (False, words("Remove…") if removing else words("Remove player")),
            (True, words("Remove and block…") if asks else words("Remove and block")),
        ):
            act = partial(remove, context, remote, window, seat, ban)
            one.addAction(literal(text)).triggered.connect(act)
        _add_check(one, words("Mute"), remote, seat)
    if seats_elsewhere(remote):
        menu.addSeparator()
    fill_with_table(menu, context, remote, unseen)


def fill_with_table(
    menu: QMenu, context: AppContext, remote: RemoteTable, unseen: Callable[[], None]
) -> None:
    """Add the entries for the whole table: its code, who is let in, its spectators, and the way to
    it; `unseen` is done where others do not find it."""
    words, info, guest = context.words, remote.info, remote.guest
    if info is None:
        return
    menu.addAction(words("Make a new code")).triggered.connect(
        lambda: remote.act(guest.say, RenewCode())
    )
    approval = menu.addAction(words("Approve everyone who joins with the code"))
    approval.setCheckable(True)
    approval.setChecked(info.plan.knock)
    approval.triggered.connect(lambda knock: remote.act(guest.say, RequireApproval(knock)))
    if info.plan.spectators != "none":
        _add_check(menu, words("Mute all spectators"), remote, AUDIENCE)
    menu.addSeparator()
    menu.addAction(words("Why can't they see me?")).triggered.connect(unseen)


def remove(context: AppContext, remote: RemoteTable, window: QWidget, seat: int, ban: bool) -> None:
    """Send somebody away, once the host is sure; in the lobby it is undone by the code."""
    words, info = context.words, remote.info
    if info is None:
        return
    name = remote.name(seat)
    playing = info.phase == "playing"
    text = (
        words("Remove {name} from the table? A bot takes over.", name=name)
        if playing
        else words("Remove {name} from the table?", name=name)
    )
    if ban:
        more = words("Also blocks new guests from {name}'s network.", name=name)
        text = words.sentences((text, more))
    if not (ban or playing) or ask_to_confirm(
        context, window, "remove", text, words("Remove player")
    ):
        remote.act(remote.guest.say, Remove(seat, ban))


def free_seat(context: AppContext, remote: RemoteTable, window: QWidget, seat: int) -> None:
    """Let somebody else, or the same person by another phone, play on at a seat, once the host is
    sure: anyone who takes it sees its hand."""
    words, name = context.words, remote.name(seat)
    text = words(
        "Free {name}'s seat? Anyone who takes it sees the hand and continues. The current "
        "phone or computer is disconnected.",
        name=name,
    )
    if ask_to_confirm(context, window, "free", text, words("Free the seat")):
        remote.act(remote.guest.say, FreeSeat(seat))


def _add_check(menu: QMenu, text: str, remote: RemoteTable, seat: int) -> None:
    """An entry that mutes a seat or the spectators, with a tick while they are."""
    assert remote.info is not None
    action = menu.addAction(literal(text))
    action.setCheckable(True)
    action.setChecked(seat in remote.info.muted)
    action.triggered.connect(lambda muted: remote.act(remote.guest.say, Mute(seat, muted)))
