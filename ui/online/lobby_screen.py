"""The lobby: who sits at a shared table, who is ready, what others need to come, and the chat."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from tabletop.engine.model import Reason
from tabletop.language import labels
from tabletop.language.lobby_text import SPECTATORS, next_step, why_not_yet
from tabletop.language.prompt import lobby_notice
from tabletop.protocol.messages import TableInfo
from tabletop.text.phrases import phrase
from ui.online.chat import ChatPanel
from ui.online.hands_on_phones import HandsOnPhones
from ui.online.host_menu import fill_with_table, moderates
from ui.online.invitation_card import InvitationCard
from ui.online.lobby_table import MANY, LobbyTable
from ui.online.people_choices import Handlers, codes_text
from ui.online.phones_card import PhonesCard
from ui.online.remote_table import RemoteTable
from ui.online.shared_record import words_at
from ui.setup.seat_row import SeatRow
from ui.shell.app_context import AppContext, name_widget
from ui.shell.language import title
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

WIDE, HIGH = 1240, 840
"""The greatest width and height, in pixels; with `MANY` seats all the height is used."""
BESIDE = 440
"""Width of the column beside the seats, in pixels."""
BESIDE_NARROW = 320
NARROW = 1160
"""Below this width of the window it is narrower."""
LOW = 640
"""Below this height a notice leaves little room, in pixels."""

LISTED = {
    "code": phrase("listed on the server, code needed"),
    "open": phrase("listed on the server, open to everyone"),
}


class LobbyScreen(Screen):
    """One table before its match, and between two matches."""

    grows = True
    unseen = Signal()
    """The host asked why others don't find the table."""

    def __init__(
        self,
        context: AppContext,
        remote: RemoteTable,
        handlers: Handlers,
        phones: HandsOnPhones,
    ) -> None:
        """`handlers` of choices about the people."""
        super().__init__(context)
        self.remote = remote
        self.phones = phones
        self.phones_card = PhonesCard(context, phones.gateway)
        self._seen: TableInfo | None = None
        """The table's description that is shown."""
        self._refused = False
        """Whether the sentence that is shown refuses something, and no more: what it is about may
        have changed."""
        self._title = label("title", wrap=True)
        self._facts = label("caption", wrap=True)
        self._hint = label("caption", wrap=True)
        self._codes = label("caption", wrap=True)
        self.fault = label("bad", wrap=True)
        self._seats = LobbyTable(context, remote, self._act)
        self.leave, self.watch, self.start = button(), button(), button("primary")
        self.leave.clicked.connect(self.left)
        self.watch.clicked.connect(lambda: self._act(remote.guest.watch))
        self.start.clicked.connect(lambda: self._act(remote.guest.start))
        self.invitation = InvitationCard(context, phones.gateway)
        self.invitation.more.menu().aboutToShow.connect(self._fill_more)
        self.invitation.phones.clicked.connect(self._ask_phones)
        self.phones_card.others.connect(self._show_invitation)
        self.phones_card.unseen.connect(phones.show_help)
        self._invites = False
        """Whether other computers are invited, though phones could be."""
        self.chat = ChatPanel(context, remote)
        self._chat_heading = label("heading")
        self._aside = QWidget()
        self.notice_bar = NoticeBar(context, self)
        self.notice_bar.chosen.connect(lambda choice: handlers[choice.kind](choice))
        self._lay_out()
        self.notice_bar.resized.connect(self._make_room)
        remote.changed.connect(self.show_table)
        remote.ticked.connect(self.show_table)
        remote.noted.connect(self._complain)
        self.refresh_appearance()

    @property
    def rows(self) -> tuple[SeatRow, ...]:
        """The seats, in order."""
        return tuple(self._seats.rows)

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        words = self.context.words
        self._chat_heading.setText(words(labels.CHAT))
        self.leave.setText(words("Leave"))
        self.watch.setText(words(labels.WATCH))
        self.watch.setIcon(self.context.icon("eye"))
        self.start.setText(words("Start"))
        self._seats.refresh_appearance()
        self.invitation.refresh_appearance()
        self.phones_card.refresh_appearance()
        self.show_table()

    def show_table(self) -> None:
        """Make everything fit what is known of the table."""
        info, remote, words = self.remote.info, self.remote, self.context.words
        people = remote.table_people
        self.notice_bar.show_prompt(lobby_notice(people, words))
        if info is None:
            self._title.setText(words("On the way to the table…"))
            name_widget(self, self._title.text())
            for each in (self.start, self.watch, self._aside):
                each.hide()
            return
        self._aside.show()
        if info is not self._seen:
            self._seen = info
            if self._refused:
                self.fault.setText("")
        self._tell_facts(info)
        assert remote.kit is not None
        self._seats.show_seats(remote.kit, info)
        self._bound_size()
        self.invitation.show_code(info.code, info.table)
        self.invitation.more.setVisible(moderates(remote))
        self.invitation.phones.setVisible(remote.hosts)
        by_phone = self.phones.gateway.wanted and not self._invites
        self.phones_card.setVisible(by_phone)
        self.invitation.setVisible(not by_phone)
        if remote.guest.invitation is not None:
            self.invitation.show_invitation(remote.guest.invitation)
        gathering = info.phase == "gathering"
        self.start.setVisible(remote.hosts and gathering)
        self.start.setEnabled(not why_not_yet(people, words))
        self.watch.setVisible(not people.own and people.watchable)
        self._hint.setText(next_step(people, words))
        self._show_codes()

    def take_focus(self) -> None:
        """Focus the most likely next step."""
        (self._seats.first_step or self).setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < NARROW
        self._aside.setFixedWidth(scale_pixels(self, BESIDE_NARROW if narrow else BESIDE))
        self._bound_size()
        self.invitation.set_narrow(narrow)
        self.phones_card.set_narrow(narrow)
        self._fit_height()
        if not self.notice_bar.isHidden():
            self.notice_bar.place()

    def _bound_size(self) -> None:
        high = self.height() if len(self._seats.rows) > MANY else scale_pixels(self, HIGH)
        self._inside.setMaximumSize(scale_pixels(self, WIDE), high)

    def _make_room(self) -> None:
        """Keep the notice bar from covering anything."""
        whole, bar = self.layout(), self.notice_bar
        assert whole is not None
        edge = whole.contentsMargins()
        top = edge.bottom() if bar.isHidden() else bar.geometry().bottom() + edge.bottom() // 2
        whole.setContentsMargins(edge.left(), top, edge.right(), edge.bottom())
        self._fit_height()

    def _fit_height(self) -> None:
        low = self.height() < scale_pixels(self, LOW)
        self.invitation.set_low(low and not self.notice_bar.isHidden())

    def _lay_out(self) -> None:
        sheet = Paper()
        seats = FittingScrollArea(self._seats)
        seats.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        buttons = lay(QHBoxLayout(), [self.leave, STRETCH, self.watch, self.start], spacing=12)
        column: list[Part] = [self._title, self._facts, 4, (seats, 1), self.fault, self._hint]
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

    def _tell_facts(self, info: TableInfo) -> None:
        words, kit = self.context.words, self.remote.kit
        assert kit is not None
        game = title(kit, words.language)
        self._title.setText(info.plan.name or game)
        name_widget(self, self._title.text())
        options = [
            self.context.words_of(kit)(choice.label)
            for option in kit.box.options
            for choice in option.choices
            if info.plan.options.get(option.key) == choice.value != option.default(apart=True)
        ]
        host = self.remote.name(info.host)
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
        """Show how the seats here can be taken to other phones and computers."""
        text = codes_text(self.context, self.remote)
        self._codes.setText(text)
        self._codes.setVisible(bool(text))

    def _ask_phones(self) -> None:
        self._invites = False
        self.phones.begin(self.remote)
        self.show_table()

    def _show_invitation(self) -> None:
        self._invites = True
        self.show_table()

    def _fill_more(self) -> None:
        menu = self.invitation.more.menu()
        menu.clear()
        fill_with_table(menu, self.context, self.remote, self.unseen.emit)

    def _act(self, do: Callable[..., None], *args: object) -> None:
        """Send the host something: what it said before has been read by then."""
        self.fault.setText("")
        self.remote.act(do, *args)

    def _complain(self, reason: Reason) -> None:
        self._refused = reason is not self.remote.notice
        self.fault.setText(words_at(self.context, self.remote).reason(reason))
