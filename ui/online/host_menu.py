"""The host's menus for managing guests and the table, and the actions of their entries."""

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QMenu, QWidget

from tabletop.engine.model import AUDIENCE
from tabletop.protocol.moderation import RemovePlayer, RenewCode, RequireApproval, SetMuted
from tabletop.protocol.seat_codes import FreeSeat
from ui.online.remote_table import RemoteTable
from ui.shell.app_context import AppContext
from ui.style.rich_text import escape_mnemonics
from ui.widgets.confirm import ask_to_confirm, needs_confirmation


def can_moderate(remote: RemoteTable) -> bool:
    """Return whether the user hosts the table and can currently moderate its guests."""
    return remote.is_host and remote.guest.supports_moderation and remote.lost_reason is None


def remote_seats(remote: RemoteTable) -> list[int]:
    """Return the seats of people at other computers."""
    sitters = remote.info.sitters if remote.info else ()
    return [
        s for s, each in enumerate(sitters) if each.kind == "person" and s not in remote.local_seats
    ]


def fill_guest_menu(
    menu: QMenu,
    context: AppContext,
    remote: RemoteTable,
    window: QWidget,
    on_help: Callable[[], None],
) -> None:
    """Fill `menu` with a submenu for each person at another computer, and the table's own entries.

    `on_help` is called if the user asks why others can't find the table.
    """
    words, info = context.words, remote.info
    menu.clear()
    if info is None:
        return
    for seat in remote_seats(remote):
        one = menu.addMenu(escape_mnemonics(remote.name_of(seat)))
        if (
            info.phase == "playing"
            and remote.guest.supports_seat_codes
            and not info.sitters[seat].vacant
        ):
            text = (
                words("Free the seat for another phone or computer…")
                if needs_confirmation(context, "free")
                else words("Free the seat for another phone or computer")
            )
            one.addAction(escape_mnemonics(text)).triggered.connect(
                partial(free_seat, context, remote, window, seat)
            )
        asks = needs_confirmation(context, "remove")
        removing = asks and info.phase == "playing"
        for ban, text in (
            (False, words("Remove…") if removing else words("Remove player")),
            (True, words("Remove and block…") if asks else words("Remove and block")),
        ):
            act = partial(remove_player, context, remote, window, seat, ban)
            one.addAction(escape_mnemonics(text)).triggered.connect(act)
        _add_check(one, words("Mute"), remote, seat)
    if remote_seats(remote):
        menu.addSeparator()
    add_table_actions(menu, context, remote, on_help)


def add_table_actions(
    menu: QMenu, context: AppContext, remote: RemoteTable, on_help: Callable[[], None]
) -> None:
    """Add entries for the table's code, admission, spectators and help to `menu`.

    `on_help` is called if the user asks why others can't find the table.
    """
    words, info, guest = context.words, remote.info, remote.guest
    if info is None:
        return
    menu.addAction(words("Make a new code")).triggered.connect(
        lambda: remote.request(guest.say, RenewCode())
    )
    approval = menu.addAction(words("Approve everyone who joins with the code"))
    approval.setCheckable(True)
    approval.setChecked(info.plan.knock)
    approval.triggered.connect(lambda knock: remote.request(guest.say, RequireApproval(knock)))
    if info.plan.spectators != "none":
        _add_check(menu, words("Mute all spectators"), remote, AUDIENCE)
    menu.addSeparator()
    menu.addAction(words("Why can't they see me?")).triggered.connect(on_help)


def remove_player(
    context: AppContext, remote: RemoteTable, window: QWidget, seat: int, ban: bool
) -> None:
    """Remove the player at `seat`, and keep them from coming back if `ban`.

    The user is asked first if a match is running or for a ban. A player who isn't banned can join
    the lobby again with the table's code.
    """
    words, info = context.words, remote.info
    if info is None:
        return
    name = remote.name_of(seat)
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
        remote.request(remote.guest.say, RemovePlayer(seat, ban))


def free_seat(context: AppContext, remote: RemoteTable, window: QWidget, seat: int) -> None:
    """Free `seat` for another device, after a warning that its next player sees the hand."""
    words, name = context.words, remote.name_of(seat)
    text = words(
        "Free {name}'s seat? Anyone who takes it sees the hand and continues. The current "
        "phone or computer is disconnected.",
        name=name,
    )
    if ask_to_confirm(context, window, "free", text, words("Free the seat")):
        remote.request(remote.guest.say, FreeSeat(seat))


def _add_check(menu: QMenu, text: str, remote: RemoteTable, seat: int) -> None:
    """Add a checkable entry that mutes the player at `seat`, or all spectators."""
    assert remote.info is not None
    action = menu.addAction(escape_mnemonics(text))
    action.setCheckable(True)
    action.setChecked(seat in remote.info.muted)
    action.triggered.connect(lambda muted: remote.request(remote.guest.say, SetMuted(seat, muted)))
