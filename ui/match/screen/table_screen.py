"""The table screen: the scene large, the prompt line, the dock, and the curtain over all of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QMenu, QToolTip, QWidget

from tabletop.engine.events import Said
from tabletop.engine.model import AUDIENCE, Move, Reason, State, is_face
from tabletop.language import odds
from tabletop.language.answer_buttons import paragraph_of
from tabletop.language.prompt import ChoiceKind, PromptChoice, before_game
from tabletop.language.rare_actions import concede_question, concession_ends
from tabletop.language.table_status import (
    HalfMade,
    ScreenState,
    TableStatus,
    seat_marks,
    status_at,
)
from tabletop.match import tutorial
from tabletop.match.match import MatchSnapshot
from tabletop.match.seat import Seat
from tabletop.match.story import PlayerAct
from ui.match.consent_question import ConsentQuestion
from ui.match.curtain import Curtain
from ui.match.enabled_commands import allowed_commands, find_pass
from ui.match.hint import Adviser
from ui.match.hot_seat import HotSeat
from ui.match.opened_box import OpenedBox
from ui.match.prompt.answer_keys import AnswerKeys
from ui.match.prompt.other_players import OtherPlayers
from ui.match.prompt.prompt_speaker import PromptSpeaker
from ui.match.prompt.prompt_yield import PromptYield
from ui.match.recap import RecapPlayer
from ui.match.result.ending import Ending
from ui.match.screen.viewing import viewing_at
from ui.match.seated_table import SeatedTable
from ui.match.stand_in_menu import stand_in_menu
from ui.match.table_frame import TableFrame
from ui.match.table_sounds import TableSounds
from ui.match.tutor import Tutor
from ui.shell.app_context import LOOKS, MOTION, AppContext
from ui.shell.commands import refuse_unknown
from ui.shell.shortcut_text import shortcut_text
from ui.table.scene import ShownState
from ui.widgets.confirm import ask_to_confirm
from ui.widgets.prompt_line import PromptLine
from ui.widgets.reactions_menu import reactions_menu

ENDING: tuple[ChoiceKind, ...] = ("play_on", "end_by_consent")
"""The answers whether a match ends when somebody concedes."""
KEYED = ("undo", "pass", "end_turn")
"""The commands that are buttons as well, with their keys in the tool tips."""


class TableScreen(TableFrame):
    """One match on the screen, as the people of this computer sit at it."""

    def __init__(self, context: AppContext, seated: SeatedTable, parent: QWidget) -> None:
        super().__init__(context, seated.kit, seated.players, parent)
        self.seated = seated
        self.curtain = Curtain(context, seated.kit, self)
        self.hot_seat = HotSeat(context, seated, self.curtain, self)
        self.switch = switch = self.hot_seat.switch
        self.scene.set_speed(context.speed)
        self.setCentralWidget(self.table_area)
        self._status: TableStatus | None = None
        """What `status` has found; None once something has changed since."""
        self._stop_listening = seated.client.listen(self._outdate)
        self.others: OtherPlayers | None = None
        """The others at a table that several computers share."""
        self.sounds = TableSounds(context, seated.kit, switch, self.scene.animator)
        self.prompt = PromptLine(context, self.table_area)
        self.table_area.take_line(self.prompt)
        self.speaker = PromptSpeaker(context, self.prompt)
        self._yielding = PromptYield(self.prompt, self.view)
        self.box = OpenedBox(context, seated.kit, self.view)
        self.ending = Ending(seated, switch, self)
        self.recap = RecapPlayer(self.scene, seated, switch)
        self.tutor = Tutor(self, self.prompt)
        self.keys = AnswerKeys(self.view, self.prompt, self.dock, self.tutor.page)
        self.adviser = Adviser(self, seated, switch, self.prompt, self.tutor)
        self.consent = ConsentQuestion(seated, switch)
        self._handlers: dict[ChoiceKind, Callable[[PromptChoice], None]] = {
            "play": self._play_choice,
            "commit": lambda choice: self.scene.choice.send_selection(choice.name),
            "choose": lambda choice: self.scene.choice.toggle_move_list(choice.moves),
            "undo": lambda _: self.undo(),
            "agree": lambda _: self.consent.take_back(),
            "forget": lambda _: self.forget(),
            "play_on": lambda _: self.consent.leave_to_bot(),
            "end_by_consent": lambda _: self.consent.end(),
            "call": lambda choice: switch.call_player(choice.number),
            "regret": lambda choice: switch.undo_answer(choice.number),
            "pass_all": lambda _: switch.pass_all(),
            "reactions": lambda _: self.open_reactions_menu(),
            "hand_over": lambda _: switch.hand_over(),
            "score_sheet": lambda _: self.ending.show(),
            "hurry": lambda _: self.hurry(True),
            "wait_for_bots": lambda _: self.hurry(False),
            "stop_recap": lambda _: self.recap.stop(),
        }
        """The handler of each kind of choice; `join` adds those of choices about people."""
        self._commands: Mapping[str, Callable[[], None]] = {
            "undo": self.undo,
            "redo": self.redo,
            "end_turn": self.end_turn,
            "hint": self.hint,
            "tell": lambda: self.spoken.show_report(self.told, self.words),
            "say_again": self._say_aloud_again,
            "concede": self.concede,
            "stand_ins": self.open_stand_in_menu,
            "pass": self.pass_,
            "reactions": self.open_reactions_menu,
            "sort_hand": self.scene.sort_hand,
            "actions": partial(self.dock.bring, "actions"),
            "chat": partial(self.dock.bring, "chat"),
        }
        self._wire()

    def join(
        self,
        others: OtherPlayers,
        handlers: Mapping[ChoiceKind, Callable[[PromptChoice], None]],
    ) -> None:
        """Share this table with others; `handlers` are of choices about the people."""
        self.others = self.ending.others = others
        here = {kind: self._handlers[kind] for kind in ENDING}
        self._handlers |= handlers
        for kind, answer in here.items():
            self._handlers[kind] = partial(self._answer_end, answer, handlers[kind])
        others.notice_bar.chosen.connect(self._choose)
        self.dock.add_chat(others.chat)
        self.side_sheet.refresh_appearance()

    def _outdate(self, _news: object = None) -> None:
        """Have the status made again when it is read next."""
        self._status = None

    def _wire(self) -> None:
        scene, dock = self.scene, self.dock
        self.adviser.failed.connect(self.forget)
        scene.gripped.connect(self.prompt.hide_reason)
        scene.animator.told.connect(self._show_told)
        scene.choice.refused.add(self._explain)
        scene.ruled.connect(dock.turn_to)
        scene.seat_menu.connect(self._open_menu_of_seat)
        scene.settled.connect(self.switch.on_animation_finished)
        self.box.laid.connect(self.switch.resume)
        scene.arranged.connect(self.refresh)
        scene.half_made.connect(self._say_again, Qt.ConnectionType.QueuedConnection)
        scene.choice.answer_sent.add(self._note_act)
        scene.look.delayed.connect(self.refresh)
        self.recap.changed.connect(self.refresh)
        self.recap.seen.connect(self._show_cards_of_act)
        self.consent.changed.connect(self.refresh)
        self.hot_seat.received.connect(self._note_news)
        self.hot_seat.called.connect(self._call_viewer)
        self.side_sheet.laid.connect(self._keep_clear)
        self.side_sheet.closed.connect(self.take_focus)
        dock.moves.played.connect(self.play)
        dock.moves.lit.connect(scene.choice.show_advice)
        self.tutor.dismissed.connect(self.refresh)
        # after what is asked, which a lesson is about
        self.tutor.told.connect(self.spoken.say, Qt.ConnectionType.QueuedConnection)
        self.tutor.hidden_changed.connect(self._mark_now)
        dock.now.played.connect(self._play_back)
        dock.log.chosen.connect(self._show_cards_of)
        self.speaker.clock.ticked.connect(self.refresh)
        self.prompt.rule_requested.connect(dock.turn_to)
        self.prompt.chosen.connect(self._choose)
        self.prompt.reason_shown.connect(self.spoken.say)
        self.ending.asked.connect(self.asked)
        self.context.changed.connect(self._note_changed)

    def begin(self) -> None:
        """Let the first one look."""
        if self.seated.match is not None:
            shown = partial(_shown_match, self.seated)
            self.tutor.take(tutorial.make_course(self.seated.match, shown))
        if not self.context.settings.docks:
            self.size_dock()
        self.take_size()
        self.hot_seat.guard(self.window())
        self.take_focus()  # a curtain takes it from here
        self.switch.start()

    # State

    @property
    def status(self) -> TableStatus:
        """The table's status for its viewer, the same until something changes."""
        if self._status is None:
            self._status = self._find_status()
        return self._status

    def _find_status(self) -> TableStatus:
        seated, choice, record = self.seated, self.scene.choice, self.seated.record
        return status_at(
            self.words,
            self.kit,
            record.table_people,
            self.switch.shown_seat or seated.seat(AUDIENCE),
            public=seated.view,
            capabilities=record.capabilities,
            viewing=viewing_at(seated, self.switch),
            half_made=HalfMade(
                held=choice.picked_card,
                choosing=choice.listed_verb,
                arranged=choice.multi_selection.verbs,
                odds=self._odds,
                unanswered=self.scene.look.waits,
            ),
            screen=ScreenState(
                sheet_over=self.table_area.covered > 0,
                recalling=self.recap.playing,
                taking_back=self.consent.question == "take back",
                conceding=self.consent.question == "end",
                reaction_pause=self.context.settings.reaction_pause,
                keys={name: shortcut_text(self.context, name) for name in KEYED},
            ),
        )

    @property
    def told(self) -> ShownState | None:
        """What the viewer has been told of the table; what has been is played back meanwhile."""
        seat = self.switch.shown_seat
        if seat is not None and self.scene.seat is not seat:
            return ShownState(seat.view, seat.log)
        return self.scene.told

    def _odds(self, move: Move) -> str:
        seat = self.switch.shown_seat
        return odds.in_words(self.words, self.kit, seat, [move]) if seat is not None else ""

    def refresh(self) -> None:
        """Make the prompt line, the dock and the menus fit the table."""
        self._outdate()
        seat, status = self.switch.shown_seat, self.status
        self.scene.set_speed("off" if status.viewing.hurried else self.context.speed)
        if not status.over:
            self.ending.take_away()
        self._mark_seats()
        if seat is not None and not status.viewing.covered:
            self.adviser.attend(seat)
            self.dock.question = paragraph_of(status, status.asks or status.view.asks)
            self.dock.moves.show_moves(
                [] if status.viewing.due else self.scene.choice.legal_moves(), self.words, seat.view
            )
            if not status.viewing.moving:
                self.tutor.show_lesson()
                self._tell_story(seat, status)
            self._say(status)
            self._show_told()
            self.ending.show_when_heard()
        self._show_notice()
        if status.viewing.covered:
            self.spoken.cover(self.curtain.description)
        self.allowed.emit(allowed_commands(status))
        if seat is None or status.viewing.covered:
            self._tell_title(status.view)

    def _show_told(self) -> None:
        """Show beside the table what has been told so far, and nothing that is still to come."""
        seat, told = self.switch.shown_seat, self.told
        if seat is None or told is None or self.curtain.drawn:
            return
        self.dock.show_table(self.seated.players, seat.number, told)
        self.spoken.hear(seat, told, self.words, self.speaker.question)
        self._tell_title(told.view)

    def _tell_title(self, view: State) -> None:
        self.titled.emit(self.words(self.kit.box.title), self.words.heading(view))

    def _say(self, status: TableStatus) -> None:
        self.speaker.speak(status)
        self.keys.order()

    def count_down(self) -> None:
        """Let what is about the whole table follow the seconds."""
        self._outdate()
        self._show_notice()

    def _show_notice(self) -> None:
        """Show what is about the whole table, where other computers sit at it."""
        if self.others is not None:
            found = (each for each in before_game(self.status) if each.notice)
            self.others.notice_bar.show_prompt(next(found, None))

    def _say_again(self) -> None:
        """Have the prompt follow a half-made move, or a sheet that comes over the table or goes."""
        self._outdate()
        if self.switch.shown_seat is not None and not self.status.viewing.covered:
            self._say(self.status)

    # Actions

    def _choose(self, choice: PromptChoice) -> None:
        """Do what a choice of a prompt says, once the person is sure."""
        asks = bool(choice.sure)
        if asks and not ask_to_confirm(self.context, self, choice.kind, choice.sure, choice.text):
            return
        self._handlers[choice.kind](choice)

    def _play_choice(self, choice: PromptChoice) -> None:
        assert choice.move is not None
        self.play(choice.move)

    def do(self, name: str) -> None:
        """Do what a command of the menus says."""
        self.recap.stop()
        if act := self._commands.get(name, self.arranging.get(name)):
            act()
        else:
            refuse_unknown(name)

    def end_turn(self) -> None:
        """Ctrl+Enter: hand over, or send the arrangement."""
        if self.switch.decision.handover_due:
            self.switch.hand_over()
        elif self.scene.choice.multi_selection.is_complete:
            self.scene.choice.send_selection()

    def undo(self) -> None:
        """Take the own last move back, or ask whether all agree to go further back."""
        if self.curtain.drawn or self.switch.is_animating:
            return
        self.forget()
        seat = self.switch.shown_seat
        if seat is not None and seat.undoable:
            seat.undo()
        elif self.status.can_agree:
            self.ending.step_aside()
            self.consent.ask("take back")

    def redo(self) -> None:
        """Play again what the viewer took back last."""
        if self.switch.shown_seat is not None:
            self.switch.shown_seat.redo()

    def pass_(self) -> None:
        """Answer with a pass, where the question admits one."""
        move = find_pass(self.status)
        if move is not None and not self.curtain.drawn and not self.switch.is_animating:
            self.play(move)

    def concede(self) -> None:
        """Give the match up for the viewer, once they are sure; where others play on here, ask
        whether all want it to end."""
        status, words = self.status, self.context.words
        if not allowed_commands(status)["concede"]:
            return
        self.forget()
        if status.people.all_here and not concession_ends(status):
            self.consent.ask("end")
        elif ask_to_confirm(
            self.context, self, "concede", concede_question(status), words("Concede")
        ):
            self.consent.concede()

    def hint(self) -> None:
        """Think for the viewer, and say what the best move seems to be."""
        seat, status = self.switch.shown_seat, self.status
        if seat is not None and allowed_commands(status)["hint"]:
            self.adviser.think(seat, status.asks[0])

    def _say_aloud_again(self) -> None:
        """Say what is asked, and the lesson or the hint on it."""
        if not self.curtain.drawn:
            texts = (self.prompt.spoken_text, self.tutor.aloud)
            self.spoken.say(self.words.sentences(texts))

    def play(self, move: Move) -> None:
        """Answer with this move."""
        self.recap.stop()
        self.scene.choice.play(move)

    def hurry(self, hurried: bool) -> None:
        """Let bots play on at once until a person is asked, or not any more."""
        self.seated.record.hurry(hurried)
        if hurried:
            self.scene.skip()
        self.refresh()

    def _note_act(self, _move: Move) -> None:
        """The viewer has sent an answer."""
        self._outdate()
        self.forget()

    def _answer_end(
        self,
        here: Callable[[PromptChoice], None],
        elsewhere: Callable[[PromptChoice], None],
        choice: PromptChoice,
    ) -> None:
        """Answer whether the match ends: as all here are asked, or else as the table asks."""
        (here if self.consent.question == "end" else elsewhere)(choice)

    def forget(self) -> None:
        """A question, a reason or a hint on the prompt line has had its day."""
        self.adviser.forget()
        self.prompt.hide_reason()
        if self.consent.question:
            self.consent.ask("")

    def _explain(self, reason: Reason) -> None:
        seat = self.switch.shown_seat
        if seat is not None and not self.curtain.drawn:
            self.sounds.play("refuse")
            self.prompt.explain(reason, self.words, seat.number)

    def _look_at(self, card: int | None) -> None:
        if not self.curtain.drawn:
            super()._look_at(card)

    def _note_news(self) -> None:
        """React to an update at once, before all of it has been seen."""
        self._outdate()
        self.recap.stop()
        if self.switch.is_animating:
            self.refresh()

    def _call_viewer(self, waited: bool) -> None:
        if waited:
            self.sounds.play("turn")
        if not self.isActiveWindow():
            QApplication.alert(self.window())

    def open_reactions_menu(self) -> None:
        """Have the players here say how they wish to be asked for reactions."""
        here = self.seated
        names = [here.players[seat].name for seat in here.people]
        self._open_menu(reactions_menu(self.context, names, self.switch.is_single_human, self))

    def open_stand_in_menu(
        self, seats: Collection[int] | None = None, point: QPoint | None = None
    ) -> None:
        """Have bots play for people here, or the people again: at these seats, or at all."""
        if self.switch.shown_seat is None or not self.status.can_stand_in:
            return
        menu = stand_in_menu(self.context, self.seated, seats, self)
        if menu is not None:
            self._open_menu(menu, point)

    def _open_menu(self, menu: QMenu, point: QPoint | None = None) -> None:
        """Open a menu at this point of the screen, or above the prompt."""
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(point or self.prompt.mapToGlobal(QPoint(0, -menu.sizeHint().height())))

    # as a lambda, this and the next would keep the screen in memory: the scene would hold it
    def _open_menu_of_seat(self, seat: int, point: QPoint) -> None:
        self.open_stand_in_menu((seat,), point)

    def _show_cards_of_act(self, act: PlayerAct) -> None:
        self._show_cards_of(act.lines[-1])

    def _show_cards_of(self, said: Said) -> None:
        """A line of the log: its cards light up, and the first of them is shown large."""
        if not self.curtain.drawn:
            self.scene.recall(said)
        cards = [card for card in said.cards if is_face(card)]
        if cards:
            self.dock.card.show_card(cards[0])

    def _tell_story(self, seat: Seat, status: TableStatus) -> None:
        """Show what the others did; nothing while another person is to look next."""
        acts = self.seated.story(seat.number).acts if not status.viewing.due else ()
        self.dock.now.show_story(acts, seat.number, self.seated.players, self.words)
        self._mark_now()

    def _mark_now(self) -> None:
        self.side_sheet.mark_now(self.tutor.crowded or self.dock.now.concerned)

    def _play_back(self, act: PlayerAct | None) -> None:
        """Play an act back, or with None all that the others did; then its cards and places are
        lit."""
        if not (self.curtain.drawn or self.switch.is_animating):
            self.forget()
            self.recap.begin(act)

    # Looks

    def refresh_appearance(self) -> None:
        """Update everything for the chosen language and theme."""
        self._update_frame(self.seated.players)
        self.prompt.refresh_appearance()
        self.ending.show_verdict()
        self.ending.reprint()
        self.refresh()

    def _note_changed(self, changed: frozenset[str]) -> None:
        if changed & MOTION:
            self.scene.set_speed(self.context.speed)
        if changed & LOOKS:
            self.refresh_appearance()

    # The viewer (`hot_seat`)

    def leave(self) -> None:
        """Take the table of who looked away."""
        self._outdate()
        self.recap.drop()
        self.board_view.close_board()
        self.scene.leave()
        self.dock.clear()

    def wipe(self) -> None:
        """Take everything of who looked away: no sentence or tip is left."""
        QToolTip.hideText()
        QApplication.sendEvent(self.view, QEvent(QEvent.Type.Leave))
        self.leave()
        self.forget()
        self.speaker.fall_silent()

    def cover(self, covered: bool) -> None:
        """Let nothing under the curtain be used, or again."""
        for widget in (self.table_area, self.side_sheet.rail, self.dock):
            widget.setEnabled(not covered)

    def sit(self, seat: Seat) -> None:
        """Show the table of this seat."""
        # an open table comes again with every change
        boxed = not self.seated.open_table and self.box.is_new_to(seat)
        self.scene.sit(seat, boxed=boxed)
        self.prompt.show()
        if boxed:
            self._mark_seats()
            self.box.open()
        if self.seated.over:
            self.ending.show()

    def _mark_seats(self) -> None:
        people, view = self.seated.record.table_people, self.seated.view
        self.scene.stage.set_marks(seat_marks(people, view))

    def take_focus(self) -> None:
        """Give the keys to the table."""
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def close_table(self) -> None:
        """Leave for good: this screen gets no more messages."""
        self._stop_listening()
        self.ending.close()
        self.curtain.put_away()
        self.adviser.close()
        self.leave()
        self.speaker.fall_silent()
        self.hot_seat.close()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.side_sheet.fit()
        self.ending.fit()

    def _keep_clear(self) -> None:
        """Keep the prompt line clear of a sheet over the table, and the curtain over it."""
        if self.table_area.cover(self.side_sheet.covered) and self.seated.over:
            self._say_again()
        if self.curtain.drawn:
            self.curtain.raise_()

    def _reset_layout(self) -> None:
        if self.side_sheet.over:
            self.side_sheet.close()
        else:
            super()._reset_layout()


def _shown_match(seated: SeatedTable) -> MatchSnapshot:
    """Return the match as far as the people here have the news."""
    assert seated.snapshot is not None  # a table knows its match from beginning to end, or never
    return seated.snapshot
