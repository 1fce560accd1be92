"""The screen of a running match: the table, the prompt line, the sidebar and the curtain."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QMenu, QToolTip, QWidget

from tabletop.engine.events import Said
from tabletop.engine.model import AUDIENCE, Move, Reason, State, is_face
from tabletop.language import odds
from tabletop.language.answer_buttons import rulebook_paragraph
from tabletop.language.prompt import ChoiceKind, PromptChoice, prompts_before_game
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
from ui.match.box_opener import BoxOpener
from ui.match.consent_question import ConsentQuestion
from ui.match.curtain import Curtain
from ui.match.enabled_commands import allowed_commands, find_pass
from ui.match.hint_controller import HintController
from ui.match.hot_seat import HotSeat
from ui.match.prompt.answer_keys import AnswerKeys
from ui.match.prompt.carried_card_overlay import CarriedCardOverlay
from ui.match.prompt.other_players import OtherPlayers
from ui.match.prompt.prompt_fader import PromptFader
from ui.match.prompt.prompt_speaker import PromptSpeaker
from ui.match.recap import RecapPlayer
from ui.match.result.ending import Ending
from ui.match.seated_table import SeatedTable
from ui.match.stand_in_menu import build_stand_in_menu
from ui.match.table_frame import TableFrame
from ui.match.table_sounds import TableSounds
from ui.match.tutor import Tutor
from ui.shell.app_context import APPEARANCE_SETTINGS, MOTION_SETTINGS, AppContext
from ui.shell.commands import reject_unknown_command
from ui.shell.shortcut_text import shortcut_text
from ui.table.scene import ShownState
from ui.widgets.confirm import ask_to_confirm
from ui.widgets.popup_menu import open_for_keys
from ui.widgets.prompt_line import PromptLine
from ui.widgets.reactions_menu import reactions_menu

CONCESSION_CHOICES: tuple[ChoiceKind, ...] = ("play_on", "end_by_consent")
"""Prompt choices that decide whether a match ends when a player concedes."""
COMMANDS_WITH_SHORTCUTS = ("undo", "pass", "end_turn")
"""Names of the commands that are also prompt buttons, whose tooltips show the keyboard shortcut."""


class TableScreen(TableFrame):
    """The screen of a running match, at which the local players take turns.

    Builds the widgets, turns prompt choices and menu commands into actions, and refreshes
    everything when the table or the viewer changes.
    """

    def __init__(self, context: AppContext, seated: SeatedTable, parent: QWidget) -> None:
        super().__init__(context, seated.kit, seated.players, parent)
        self.seated = seated
        self.curtain = Curtain(context, seated.kit, self)
        self.hot_seat = HotSeat(context, seated, self.curtain, self)
        self.switch = switch = self.hot_seat.switch
        self.scene.set_speed(context.animation_speed)
        self.setCentralWidget(self.table_area)
        self._status: TableStatus | None = None
        """The cached value of `status`, or None after a change."""
        self._stop_listening = seated.client.listen(self._invalidate_status)
        self.other_players: OtherPlayers | None = None
        """The players on other computers, or None at a local table."""
        self.sounds = TableSounds(context, seated.kit, switch, self.scene.animator)
        self.prompt = PromptLine(context, self.table_area)
        self.table_area.set_floating_line(self.prompt)
        self.speaker = PromptSpeaker(context, self.prompt)
        self._prompt_fader = PromptFader(self.prompt, self.view)
        self._carried_card_overlay = CarriedCardOverlay(self.prompt, self.view)
        self.box = BoxOpener(context, seated.kit, self.view)
        self.ending = Ending(seated, switch, self)
        self.recap = RecapPlayer(self.scene, seated, switch)
        self.tutor = Tutor(self, self.prompt)
        self.keys = AnswerKeys(self.view, self.prompt, self.dock, self.tutor.page)
        self.adviser = HintController(self, seated, switch, self.prompt, self.tutor)
        self.consent = ConsentQuestion(seated, switch)
        self._handlers: dict[ChoiceKind, Callable[[PromptChoice], None]] = {
            "play": self._play_choice,
            "commit": lambda choice: self.scene.choice.send_selection(choice.name),
            "choose": lambda choice: self.scene.choice.toggle_move_list(choice.moves),
            "undo": lambda _: self.undo(),
            "agree": lambda _: self.consent.undo(),
            "forget": lambda _: self.clear_transient_messages(),
            "play_on": lambda _: self.consent.hand_to_bot(),
            "end_by_consent": lambda _: self.consent.end_match(),
            "call": lambda choice: switch.call_player(choice.number),
            "regret": lambda choice: switch.undo_answer(choice.number),
            "pass_all": lambda _: switch.pass_all(),
            "reactions": lambda _: self.open_reactions_menu(),
            "hand_over": lambda _: switch.hand_over(),
            "score_sheet": lambda _: self.ending.show(),
            "hurry": lambda _: self.set_bots_hurried(True),
            "wait_for_bots": lambda _: self.set_bots_hurried(False),
            "stop_recap": lambda _: self.recap.stop(),
        }
        """The handler of each kind of prompt choice. `connect_other_players` adds more."""
        self._commands: Mapping[str, Callable[[], None]] = {
            "undo": self.undo,
            "redo": self.redo,
            "end_turn": self.end_turn,
            "hint": self.request_hint,
            "tell": lambda: self.spoken.show_report(self.shown_state, self.words),
            "say_again": self._repeat_announcement,
            "concede": self.concede,
            "stand_ins": self.open_stand_in_menu,
            "pass": self.pass_,
            "reactions": self.open_reactions_menu,
            "sort_hand": self.scene.sort_hand,
            "actions": partial(self.dock.show_tab, "actions"),
            "chat": partial(self.dock.show_tab, "chat"),
        }
        self._connect_signals()

    def connect_other_players(
        self,
        other_players: OtherPlayers,
        handlers: Mapping[ChoiceKind, Callable[[PromptChoice], None]],
    ) -> None:
        """Show the chat and the notices of the remote players who share this table.

        Args:
            other_players: The chat and notice bar of the remote players.
            handlers: Run the prompt choices about the remote players. A choice about conceding goes
                to the local handler instead while the local players have an open question about it.
        """
        self.other_players = self.ending.other_players = other_players
        local = {kind: self._handlers[kind] for kind in CONCESSION_CHOICES}
        self._handlers |= handlers
        for kind, handler in local.items():
            self._handlers[kind] = partial(self._run_concession_choice, handler, handlers[kind])
        other_players.notice_bar.chosen.connect(self._run_choice)
        self.keys.add_notice_bar(other_players.notice_bar)
        self.dock.add_chat(other_players.chat)
        self.side_sheet.refresh_appearance()

    def _invalidate_status(self, _news: object = None) -> None:
        """Clear the cached status, so that the next read of `status` computes it again."""
        self._status = None

    def _connect_signals(self) -> None:
        scene, dock = self.scene, self.dock
        self.adviser.failed.connect(self.clear_transient_messages)
        scene.interaction_started.connect(self.prompt.hide_reason)
        scene.animator.ribbons.ribbon_shown.connect(self._announce_phase)
        scene.animator.progressed.connect(self._show_shown_state)
        scene.choice.refused.add(self._show_refusal)
        scene.rule_requested.connect(dock.open_rulebook)
        scene.seat_menu_requested.connect(self._open_menu_of_seat)
        scene.settled.connect(self.switch.on_animation_finished)
        self.box.table_laid.connect(self.switch.resume)
        scene.arrangement_changed.connect(self.refresh)
        scene.selection_changed.connect(self._refresh_prompt, Qt.ConnectionType.QueuedConnection)
        scene.choice.answer_sent.add(self._on_answer_sent)
        scene.selection_view.pending_shown_changed.connect(self.refresh)
        self.recap.playback_changed.connect(self.refresh)
        self.recap.finished.connect(self._highlight_act_cards)
        self.consent.question_changed.connect(self.refresh)
        self.hot_seat.news_received.connect(self._on_news)
        self.hot_seat.viewer_asked.connect(self._alert_viewer)
        self.side_sheet.geometry_changed.connect(self._avoid_side_sheet)
        self.side_sheet.tabs_closed.connect(self.focus_table)
        dock.moves.move_chosen.connect(self.play)
        dock.moves.move_focused.connect(scene.choice.show_advice)
        self.tutor.dismissed.connect(self.refresh)
        # queued, so that a lesson is read out after the question it explains
        self.tutor.text_shown.connect(self.spoken.speak, Qt.ConnectionType.QueuedConnection)
        self.tutor.crowded_changed.connect(self._update_now_mark)
        dock.now.replay_requested.connect(self._play_back)
        dock.log.line_chosen.connect(self._highlight_log_line)
        self.view.reminder_requested.connect(self._repeat_announcement)
        self.speaker.clock.ticked.connect(self.refresh)
        self.prompt.rule_requested.connect(dock.open_rulebook)
        self.prompt.chosen.connect(self._run_choice)
        self.prompt.reason_shown.connect(self.spoken.speak)
        self.ending.command_requested.connect(self.command_requested)
        self.context.changed.connect(self._on_settings_changed)

    def start(self) -> None:
        """Load the lessons, size the sidebar, and show the table to the first viewer."""
        if self.seated.match is not None:
            snapshot = partial(_current_snapshot, self.seated)
            self.tutor.set_course(tutorial.make_course(self.seated.match, snapshot))
        if not self.context.settings.docks:
            self.reset_dock_width()
        self.apply_size()
        self.hot_seat.cover_when_unattended(self.window())
        self.focus_table()  # before the curtain takes it
        self.switch.start()

    # State

    @property
    def status(self) -> TableStatus:
        """The table's status for its viewer, cached until something changes."""
        if self._status is None:
            self._status = self._compute_status()
        return self._status

    def _compute_status(self) -> TableStatus:
        seated, choice, record = self.seated, self.scene.choice, self.seated.record
        return status_at(
            self.words,
            self.kit,
            record.table_people,
            self.switch.shown_seat or seated.seat(AUDIENCE),
            public=seated.view,
            capabilities=record.capabilities,
            viewing=self.hot_seat.viewing,
            half_made=HalfMade(
                held=choice.picked_card,
                choosing=choice.listed_verb,
                arranged=choice.multi_selection.verbs,
                outcome=self._outcome_text(),
                odds=self._odds_text,
                unanswered=self.scene.selection_view.shows_pending,
            ),
            screen=ScreenState(
                is_sheet_open=self.table_area.covered_width > 0,
                plays_recap=self.recap.is_playing,
                asks_undo=self.consent.question == "take back",
                conceding=self.consent.question == "end",
                reaction_pause=self.context.settings.reaction_pause,
                keys={name: shortcut_text(self.context, name) for name in COMMANDS_WITH_SHORTCUTS},
            ),
        )

    @property
    def shown_state(self) -> ShownState | None:
        """The view and log up to the last move that was animated for the current viewer.

        During a replay of past acts, this is the viewer's latest state, not the replayed one.
        """
        seat = self.switch.shown_seat
        if seat is not None and self.scene.seat is not seat:
            return ShownState(seat.view, seat.log)
        return self.scene.shown_state

    def _outcome_text(self) -> str:
        """Return the preview of the arranged cards without a target as text, or ""."""
        seat, move = self.switch.shown_seat, self.scene.choice.multi_selection.move_to_preview()
        preview = seat.preview(move) if seat is not None and move is not None else None
        if seat is None or move is None or preview is None:
            return ""
        notes = (self.words.note(note, seat.number) for note in preview.notes)
        return self.words.sentences((*notes, self._odds_text(move)))

    def _odds_text(self, move: Move) -> str:
        seat = self.switch.shown_seat
        return odds.odds_text(self.words, self.kit, seat, [move]) if seat is not None else ""

    def refresh(self) -> None:
        """Recompute `status` and update everything that depends on it."""
        self._invalidate_status()
        seat, status = self.switch.shown_seat, self.status
        self.scene.set_speed("off" if status.viewing.hurried else self.context.animation_speed)
        if not status.over:
            self.ending.remove_result()
        self._mark_seats()
        if seat is not None and not status.viewing.covered:
            self.adviser.watch_seat(seat)
            self.dock.question_paragraph = rulebook_paragraph(
                status, status.asks or status.view.asks
            )
            self.dock.moves.show_moves(
                [] if status.viewing.due else self.scene.choice.legal_moves(), self.words, seat.view
            )
            if not status.viewing.moving:
                self.tutor.show_lesson()
                self._show_story(seat, status)
            self._update_prompt(status)
            self._show_shown_state()
            self._announce_question(seat)
            self.ending.show_after_announcement()
        self._show_notice()
        if status.viewing.covered:
            self.spoken.announce_curtain(self.curtain.description)
        self.allowed_commands_changed.emit(allowed_commands(status))
        if seat is None or status.viewing.covered:
            self._emit_title(status.view)

    def _show_shown_state(self) -> None:
        """Update the log, the standings and the title up to the last animated move.

        Moves that are yet to be animated aren't revealed.
        """
        seat, told = self.switch.shown_seat, self.shown_state
        if seat is None or told is None or self.curtain.is_drawn:
            return
        self.dock.show_table(self.seated.players, seat.number, told, self.words)
        self.spoken.announce_news(seat, told, self.words)
        self._emit_title(told.view)

    def _announce_question(self, seat: Seat) -> None:
        self.spoken.announce_question(seat, self.speaker.question, self.words)

    def _emit_title(self, view: State) -> None:
        self.title_changed.emit(self.words(self.kit.box.title), self.words.heading(view))

    def _update_prompt(self, status: TableStatus) -> None:
        self.speaker.show_status(status)
        self.keys.set_tab_order()

    def refresh_countdown(self) -> None:
        """Update the notice bar, which shows the remaining seconds."""
        self._invalidate_status()
        self._show_notice()

    def _show_notice(self) -> None:
        """Show the first prompt that is a notice in the notice bar of a shared table."""
        if self.other_players is not None:
            found = (each for each in prompts_before_game(self.status) if each.notice)
            self.other_players.notice_bar.show_prompt(next(found, None))
            self.keys.set_tab_order()

    def _refresh_prompt(self) -> None:
        """Update only the prompt, for instance after the selected cards have changed."""
        self._invalidate_status()
        seat = self.switch.shown_seat
        if seat is not None and not self.status.viewing.covered:
            self._update_prompt(self.status)
            self._announce_question(seat)

    # Actions

    def _run_choice(self, choice: PromptChoice) -> None:
        """Run the handler of `choice`, after a confirmation if the choice asks for one."""
        kind, question = choice.kind, choice.sure
        if question and not ask_to_confirm(self.context, self, kind, question, choice.text):
            return
        self._handlers[choice.kind](choice)

    def _play_choice(self, choice: PromptChoice) -> None:
        assert choice.move is not None
        self.play(choice.move)

    def run_command(self, name: str) -> None:
        """Stop a replay of past acts, then run the menu command `name`."""
        self.recap.stop()
        if command := self._commands.get(name, self.view_commands.get(name)):
            command()
        else:
            reject_unknown_command(name)

    def end_turn(self) -> None:
        """Hand over to the next viewer if one is due, or else play the arranged cards if legal."""
        if self.switch.decision.handover_due:
            self.switch.hand_over()
        elif self.scene.choice.multi_selection.is_complete:
            self.scene.choice.send_selection()

    def undo(self) -> None:
        """Undo the viewer's last move, after asking all local players if any must agree."""
        if self.curtain.is_drawn or self.switch.is_animating:
            return
        self.clear_transient_messages()
        seat = self.switch.shown_seat
        if seat is not None and seat.undoable:
            seat.undo()
        elif self.status.can_agree:
            self.ending.uncover_table()
            if self.status.people.is_alone:
                self.consent.undo()
            else:
                self.consent.ask("take back")

    def redo(self) -> None:
        """Play the viewer's last undone move again."""
        if self.switch.shown_seat is not None:
            self.switch.shown_seat.redo()

    def pass_(self) -> None:
        """Pass, if the viewer's question allows passing."""
        move = find_pass(self.status)
        if move is not None and not self.curtain.is_drawn and not self.switch.is_animating:
            self.play(move)

    def concede(self) -> None:
        """Concede for the viewer, after a confirmation.

        If other local players would play on, ask all of them whether the match should end instead.
        """
        status, words = self.status, self.context.words
        if not allowed_commands(status)["concede"]:
            return
        self.clear_transient_messages()
        if status.people.all_here and not concession_ends(status):
            self.consent.ask("end")
        elif ask_to_confirm(
            self.context, self, "concede", concede_question(status), words("Concede")
        ):
            self.consent.concede()

    def request_hint(self) -> None:
        """Start searching for a hint on the first question the viewer has to answer."""
        seat, status = self.switch.shown_seat, self.status
        if seat is not None and allowed_commands(status)["hint"]:
            self.adviser.start_search(seat, status.asks[0])

    def _repeat_announcement(self) -> None:
        """Read out again what the screen says now.

        Under the curtain, that is the curtain's text. Otherwise, a notice comes first, then the
        result or the prompt, then the visible lesson or hint.
        """
        if self.curtain.is_drawn:
            self.spoken.announcer.say(self.curtain.description, urgent=True)
            return
        texts = [self.other_players.notice_bar.spoken_text] if self.other_players else []
        if self.ending.is_shown:
            texts.append(self.ending.sheet.spoken_text)
        if (question := self.speaker.question) is not None:
            texts.append(question.full_text(self.words))
        elif not self.prompt.isHidden():
            texts.append(self.prompt.spoken_text or self.prompt.text)
        self.spoken.speak(self.words.sentences((*texts, self.tutor.spoken_text)))

    def play(self, move: Move) -> None:
        """Answer a question of the viewer with `move`."""
        self.recap.stop()
        self.scene.choice.play(move)

    def set_bots_hurried(self, hurried: bool) -> None:
        """Set whether bots play without pauses until a person has to answer."""
        self.seated.record.set_bots_hurried(hurried)
        if hurried:
            self.scene.skip_animations()
        self.refresh()

    def _on_answer_sent(self, _move: Move) -> None:
        self._invalidate_status()
        if (seat := self.switch.shown_seat) is not None:
            self.spoken.announce_question(seat, None, self.words)
        self.clear_transient_messages()

    def _run_concession_choice(
        self,
        local: Callable[[PromptChoice], None],
        remote: Callable[[PromptChoice], None],
        choice: PromptChoice,
    ) -> None:
        """Run `local` if the local players are being asked to end the match, or else `remote`."""
        (local if self.consent.question == "end" else remote)(choice)

    def clear_transient_messages(self) -> None:
        """Clear the hint, the refusal reason and the open question to all local players."""
        self.adviser.clear_hint()
        self.prompt.hide_reason()
        if self.consent.question:
            self.consent.ask("")

    def _show_refusal(self, reason: Reason) -> None:
        seat = self.switch.shown_seat
        if seat is not None and not self.curtain.is_drawn:
            self.sounds.play("refuse")
            self.prompt.explain(reason, self.words, seat.number)

    def _show_pointed_card(self, card: int | None) -> None:
        if not self.curtain.is_drawn:
            super()._show_pointed_card(card)

    def _on_news(self) -> None:
        """Stop the replay of past acts, and refresh if an animation is running.

        Without an animation, showing the news refreshes the screen anyway.
        """
        self._invalidate_status()
        self.recap.stop()
        if self.switch.is_animating:
            self.refresh()

    def _alert_viewer(self, waited: bool) -> None:
        if waited:
            self.sounds.play("reaction" if self._is_reaction_asked() else "turn")
        if not self.isActiveWindow():
            QApplication.alert(self.window())

    def _is_reaction_asked(self) -> bool:
        """Return whether all that the viewer is asked for is a reaction."""
        seat, reactions = self.switch.shown_seat, self.seated.kit.meaning.reactions
        asked = [ask.what for ask in seat.view.asks if ask.seat == seat.number] if seat else []
        return bool(asked) and all(what in reactions for what in asked)

    def open_reactions_menu(self) -> None:
        """Open the menu in which local players choose when to be asked for reactions."""
        seated = self.seated
        names = [seated.players[seat].name for seat in seated.people]
        self._open_menu(reactions_menu(self.context, names, self.switch.is_single_human, self))

    def open_stand_in_menu(
        self, seats: Collection[int] | None = None, point: QPoint | None = None
    ) -> None:
        """Open the menu in which bots take over local players' seats or hand them back.

        Args:
            seats: The seats to list, or None for all.
            point: The menu's screen position, or None to place it above the prompt.
        """
        if self.switch.shown_seat is None or not self.status.can_stand_in:
            return
        menu = build_stand_in_menu(self.context, self.seated, seats, self)
        if menu is not None:
            self._open_menu(menu, point)

    def _open_menu(self, menu: QMenu, point: QPoint | None = None) -> None:
        """Open `menu` at the screen position `point`, or above the prompt if that is None."""
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if point is not None:
            menu.popup(point)
        else:
            above = QPoint(0, -menu.sizeHint().height())
            open_for_keys(menu, self.prompt.mapToGlobal(above))

    # Methods, not lambdas: the scene would hold a lambda and keep this screen in memory.
    def _open_menu_of_seat(self, seat: int, point: QPoint) -> None:
        self.open_stand_in_menu((seat,), point)

    def _announce_phase(self, text: str) -> None:
        if not self.curtain.is_drawn:
            self.spoken.announce_phase(text)

    def _highlight_act_cards(self, act: PlayerAct) -> None:
        self._highlight_log_line(act.lines[-1])

    def _highlight_log_line(self, said: Said) -> None:
        """Highlight the cards in a log line, and show the first face-up one in the Card tab."""
        if not self.curtain.is_drawn:
            self.scene.highlight_log_line(said)
        cards = [card for card in said.cards if is_face(card)]
        if cards:
            self.dock.card.show_card(cards[0])

    def _show_story(self, seat: Seat, status: TableStatus) -> None:
        """Show the others' acts since the viewer's last turn, or none if a handover is due."""
        acts = self.seated.story(seat.number).acts if not status.viewing.due else ()
        self.dock.now.show_story(acts, seat.number, self.seated.players, self.words)
        self._update_now_mark()

    def _update_now_mark(self) -> None:
        self.side_sheet.set_now_marked(self.tutor.crowded or self.dock.now.concerns_viewer)

    def _play_back(self, act: PlayerAct | None) -> None:
        """Replay `act`, or everything since the viewer's last turn if `act` is None."""
        if not (self.curtain.is_drawn or self.switch.is_animating):
            self.clear_transient_messages()
            self.recap.start(act)

    # Appearance

    def refresh_appearance(self) -> None:
        """Update everything for the chosen language and theme."""
        self._update_frame(self.seated.players)
        self.prompt.refresh_appearance()
        self.ending.show_fairness_verdict()
        self.ending.refresh_result()
        self.refresh()

    def _on_settings_changed(self, changed: frozenset[str]) -> None:
        if changed & MOTION_SETTINGS:
            self.scene.set_speed(self.context.animation_speed)
        if changed & APPEARANCE_SETTINGS:
            self.refresh_appearance()

    # Effects of the viewer switch (`hot_seat.CurtainedScreen`)

    def clear_table(self) -> None:
        """Remove the table and sidebar content of the current viewer, and cancel a replay."""
        self._invalidate_status()
        self.recap.cancel()
        self.board_view.close_board()
        self.scene.clear_seat()
        self.dock.clear()

    def clear_private_content(self) -> None:
        """Remove everything the current viewer could see, including prompts and tooltips."""
        QToolTip.hideText()
        QApplication.sendEvent(self.view, QEvent(QEvent.Type.Leave))
        self.clear_table()
        self.clear_transient_messages()
        self.speaker.silence()

    def set_covered(self, covered: bool) -> None:
        """Disable the table and the sidebar if the curtain covers them, or else enable them."""
        for widget in (self.table_area, self.side_sheet.rail, self.dock):
            widget.setEnabled(not covered)

    def show_seat(self, seat: Seat) -> None:
        """Show the table as seen from `seat`.

        At the start of a match, animate the opening of the game's box. If the match is over, also
        show the result.
        """
        # an open table shows the seat again at every change
        boxed = not self.seated.open_table and self.box.claim_opening(seat)
        self.scene.show_seat(seat, boxed=boxed)
        self.prompt.show()
        if boxed:
            self._mark_seats()
            self.box.open()
        if self.seated.is_over:
            self.ending.show()

    def _mark_seats(self) -> None:
        people, view = self.seated.record.table_people, self.seated.view
        self.scene.stage.set_marks(seat_marks(people, view))

    def focus_table(self) -> None:
        """Give the table keyboard focus."""
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def close_table(self) -> None:
        """Stop all listeners, timers and animations of this screen and clear it."""
        self._stop_listening()
        self.ending.close()
        self.curtain.detach()
        self.adviser.close()
        self.clear_table()
        self.speaker.silence()
        self.hot_seat.close()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.side_sheet.fit_frame()
        self.ending.fit_window()

    def _avoid_side_sheet(self) -> None:
        """Move the prompt away from an open side sheet, and raise the curtain above both."""
        if self.table_area.set_covered_width(self.side_sheet.covered_width) and self.seated.is_over:
            self._refresh_prompt()
        if self.curtain.is_drawn:
            self.curtain.raise_()

    def _reset_layout(self) -> None:
        if self.side_sheet.overlays_table:
            self.side_sheet.close_tabs()
        else:
            super()._reset_layout()


def _current_snapshot(seated: SeatedTable) -> MatchSnapshot:
    """Return a snapshot of the whole match as of the local players' latest news."""
    assert seated.snapshot is not None  # known whenever the match is
    return seated.snapshot
