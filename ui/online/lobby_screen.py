"""The lobby of a shared table: seats, invitation, chat, and the button that starts the match."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from tabletop.engine.model import Reason
from tabletop.language import labels
from tabletop.language.lobby_text import SPECTATORS, next_step_text, start_obstacle
from tabletop.language.prompt import lobby_notice
from tabletop.language.seat_news import seat_news
from tabletop.protocol.messages import TableInfo
from tabletop.text.phrases import phrase
from ui.online.chat import ChatPanel
from ui.online.hands_on_phones import HandsOnPhones
from ui.online.host_menu import add_table_actions, can_moderate
from ui.online.invitation_card import InvitationCard
from ui.online.lobby_table import MAX_NORMAL_SEATS, LobbyTable
from ui.online.people_choices import Handlers, seat_codes_text
from ui.online.phones_card import PhonesCard
from ui.online.remote_table import RemoteTable
from ui.online.shared_record import words_for_table
from ui.setup.seat_row import SeatRow
from ui.shell.app_context import AppContext, name_widget
from ui.shell.language import game_title
from ui.widgets.announcer import ScreenReaderAnnouncer
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.game_box import seats_text
from ui.widgets.notice_bar import NoticeBar
from ui.widgets.styled_widgets import (
    FittingScrollArea,
    Paper,
    Screen,
    button,
    centre_sheet,
    label,
    scale_pixels,
)
from ui.widgets.utterance import Utterance

MAX_WIDTH_PX, MAX_HEIGHT_PX = 1240, 840
"""The content's maximum width and height in pixels; many seats may need more height."""
ASIDE_WIDTH_PX = 440
NARROW_ASIDE_WIDTH_PX = 320
NARROW_BELOW_PX = 1160
LOW_BELOW_PX = 640

LISTED = {
    "code": phrase("listed on the server, code needed"),
    "open": phrase("listed on the server, open to everyone"),
}


class LobbyScreen(Screen):
    """The screen of a shared table before a match and between two matches."""

    grows = True
    help_requested = Signal()
    """A request for help because others can't find the table."""

    def __init__(
        self,
        context: AppContext,
        remote: RemoteTable,
        handlers: Handlers,
        phones: HandsOnPhones,
    ) -> None:
        """`handlers`: the callback for each choice in a notice about the people at the table."""
        super().__init__(context)
        self.remote = remote
        self.phones = phones
        self.phones_card = PhonesCard(context, phones.gateway)
        self._shown_info: TableInfo | None = None
        """The description of the table as shown on the screen."""
        self.announcer = ScreenReaderAnnouncer(self)
        self._announced_info: TableInfo | None = None
        """The description of the table as of the last announcement."""
        self._announced_hint = ""
        """The sentence about the next step that was last announced."""
        self._refused = False
        """Whether `error_label` shows a refusal, which is cleared when the table changes."""
        self._title = label("title", wrap=True)
        self._facts = label("caption", wrap=True)
        self._hint = label("caption", wrap=True)
        self._codes = label("caption", wrap=True)
        self.error_label = label("bad", wrap=True)
        self._seats = LobbyTable(context, remote, self._act)
        self.leave_button, self.watch_button, self.start_button = (
            button(),
            button(),
            button("primary"),
        )
        self.leave_button.clicked.connect(self.left)
        self.watch_button.clicked.connect(lambda: self._act(remote.guest.watch))
        self.start_button.clicked.connect(lambda: self._act(remote.guest.start))
        self.invitation = InvitationCard(context, phones.gateway)
        self.invitation.more_button.menu().aboutToShow.connect(self._fill_more)
        self.invitation.phones_button.clicked.connect(self._serve_phones)
        self.phones_card.other_computers_requested.connect(self._show_invitation)
        self.phones_card.help_requested.connect(phones.show_help)
        self._shows_invitation = False
        """Whether the invitation for other computers replaces the one for phones."""
        self.chat = ChatPanel(context, remote)
        self._chat_heading = label("heading")
        self._aside = QWidget()
        self.notice_bar = NoticeBar(context, self)
        self.notice_bar.chosen.connect(lambda choice: handlers[choice.kind](choice))
        self._lay_out()
        self.notice_bar.resized.connect(self._make_room)
        remote.changed.connect(self.show_table)
        remote.ticked.connect(self.show_table)
        remote.notice_posted.connect(self._show_error)
        self.refresh_appearance()

    @property
    def rows(self) -> tuple[SeatRow, ...]:
        """The rows of all seats, in seat order."""
        return tuple(self._seats.rows)

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        words = self.context.words
        self._chat_heading.setText(words(labels.CHAT))
        self.leave_button.setText(words("Leave"))
        self.watch_button.setText(words(labels.WATCH))
        self.watch_button.setIcon(self.context.icon("eye"))
        self.start_button.setText(words("Start"))
        self._seats.refresh_appearance()
        self.invitation.refresh_appearance()
        self.phones_card.refresh_appearance()
        self.show_table()

    def show_table(self) -> None:
        """Update all widgets from the current state of the table."""
        info, remote, words = self.remote.info, self.remote, self.context.words
        people = remote.table_people
        self.notice_bar.show_prompt(lobby_notice(people, words))
        if info is None:
            self._title.setText(words("On the way to the table…"))
            name_widget(self, self._title.text())
            for each in (self.start_button, self.watch_button, self._aside):
                each.hide()
            return
        self._aside.show()
        if info is not self._shown_info:
            self._shown_info = info
            if self._refused:
                self.error_label.setText("")
        self._show_facts(info)
        assert remote.kit is not None
        self._seats.show_seats(remote.kit, info)
        self._limit_size()
        self.invitation.show_code(info.code, info.table)
        self.invitation.more_button.setVisible(can_moderate(remote))
        self.invitation.phones_button.setVisible(remote.is_host)
        by_phone = self.phones.gateway.is_requested and not self._shows_invitation
        self.phones_card.setVisible(by_phone)
        self.invitation.setVisible(not by_phone)
        if remote.guest.invitation is not None:
            self.invitation.show_invitation(remote.guest.invitation)
        gathering = info.phase == "gathering"
        self.start_button.setVisible(remote.is_host and gathering)
        self.start_button.setEnabled(not start_obstacle(people, words))
        self.watch_button.setVisible(not people.own and people.watchable)
        self._hint.setText(next_step_text(people, words))
        self._show_codes()
        self._announce_news(info)

    def _announce_news(self, info: TableInfo) -> None:
        """Announce what has changed at the seats, and a new sentence about the next step."""
        before, self._announced_info = self._announced_info, info
        hint, self._announced_hint = self._announced_hint, self._hint.text()
        if before is None or before.table != info.table:
            return
        for sentence in seat_news(before, info, self.context.words):
            self.announcer.say(sentence)
        if hint and hint != self._announced_hint:
            said = self._announced_hint
            self.announcer.send(Utterance(said, is_current=lambda: self._announced_hint == said))

    def take_focus(self) -> None:
        """Focus the button that the user most likely needs next."""
        (self._seats.next_step_button or self).setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < NARROW_BELOW_PX
        self._aside.setFixedWidth(
            scale_pixels(self, NARROW_ASIDE_WIDTH_PX if narrow else ASIDE_WIDTH_PX)
        )
        self._limit_size()
        self.invitation.set_narrow(narrow)
        self.phones_card.set_narrow(narrow)
        self._fit_height()
        if not self.notice_bar.isHidden():
            self.notice_bar.place()

    def _limit_size(self) -> None:
        height = (
            self.height()
            if len(self._seats.rows) > MAX_NORMAL_SEATS
            else scale_pixels(self, MAX_HEIGHT_PX)
        )
        self._inside.setMaximumSize(scale_pixels(self, MAX_WIDTH_PX), height)

    def _make_room(self) -> None:
        """Move the content down so that the notice bar doesn't cover it."""
        whole, bar = self.layout(), self.notice_bar
        assert whole is not None
        edge = whole.contentsMargins()
        top = edge.bottom() if bar.isHidden() else bar.geometry().bottom() + edge.bottom() // 2
        whole.setContentsMargins(edge.left(), top, edge.right(), edge.bottom())
        self._fit_height()

    def _fit_height(self) -> None:
        low = self.height() < scale_pixels(self, LOW_BELOW_PX)
        self.invitation.set_low(low and not self.notice_bar.isHidden())

    def _lay_out(self) -> None:
        sheet = Paper()
        seats = FittingScrollArea(self._seats)
        seats.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        buttons = lay(
            QHBoxLayout(),
            [self.leave_button, STRETCH, self.watch_button, self.start_button],
            spacing=12,
        )
        column: list[Part] = [self._title, self._facts, 4, (seats, 1), self.error_label, self._hint]
        column.append(self._codes)
        lay(QVBoxLayout(sheet), [*column, buttons], spacing=6, margins=(24, 16, 20, 16))
        talk = Paper()
        heading = lay(QHBoxLayout(), [self._chat_heading], margins=(8, 0, 8, 0))
        lay(QVBoxLayout(talk), [heading, (self.chat, 1)], spacing=2, margins=(10, 12, 10, 6))
        cards: list[Part] = [self.phones_card, self.invitation, (talk, 1)]
        lay(QVBoxLayout(self._aside), cards, spacing=12, margins=0)
        self._inside = inside = QWidget()
        lay(QHBoxLayout(inside), [(sheet, 1), self._aside], spacing=14, margins=0)
        centre_sheet(self, inside, (1, 20, 1))

    def _show_facts(self, info: TableInfo) -> None:
        words, kit = self.context.words, self.remote.kit
        assert kit is not None
        game = game_title(kit, words.language)
        self._title.setText(info.plan.name or game)
        name_widget(self, self._title.text())
        options = [
            self.context.game_words(kit)(choice.label)
            for option in kit.box.options
            for choice in option.choices
            if info.plan.options.get(option.key) == choice.value != option.default(apart=True)
        ]
        host = self.remote.name_of(info.host)
        parts = (
            game,
            seats_text(words, (len(info.sitters),)),
            *options,
            words(labels.HOSTED_BY, name=host) if host else "",
            words(SPECTATORS[info.plan.spectators]),
            words(LISTED[info.plan.listing]) if info.plan.listing in LISTED else "",
            words(labels.RECORDS_OPEN) if info.plan.records == "link" else "",
            words(labels.WATCHING, n=info.watching) if info.watching else "",
        )
        self._facts.setText(words.join_facts(parts))

    def _show_codes(self) -> None:
        """Show the codes with which the local seats can be taken over on other devices."""
        text = seat_codes_text(self.context, self.remote)
        self._codes.setText(text)
        self._codes.setVisible(bool(text))

    def _serve_phones(self) -> None:
        self._shows_invitation = False
        self.phones.serve(self.remote)
        self.show_table()

    def _show_invitation(self) -> None:
        self._shows_invitation = True
        self.show_table()

    def _fill_more(self) -> None:
        menu = self.invitation.more_button.menu()
        menu.clear()
        add_table_actions(menu, self.context, self.remote, self.help_requested.emit)

    def _act(self, do: Callable[..., None], *args: object) -> None:
        """Clear the previous refusal, then call `do`, a method of the guest, with `args`."""
        self.error_label.setText("")
        self.remote.request(do, *args)

    def _show_error(self, reason: Reason) -> None:
        self._refused = reason is not self.remote.last_notice
        self.error_label.setText(words_for_table(self.context, self.remote).reason(reason))
