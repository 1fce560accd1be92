"""The table screen: the scene large, the prompt line, the dock, and the curtain over all of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QMenu, QToolTip, QWidget

from tabletop.bots.decision import Decision
from tabletop.engine.events import Event, Said
from tabletop.engine.model import AUDIENCE, Ask, Move, Reason, State, is_face
from tabletop.games.sounds import SoundName
from tabletop.language import odds
from tabletop.language.answer_buttons import paragraph_of
from tabletop.language.prompt import ChoiceKind, PromptChoice, before_game
from tabletop.language.rare_actions import concede_question, concession_ends
from tabletop.language.table_status import TableStatus
from tabletop.match import tutorial
from tabletop.match.open_asks import awaited_seats
from tabletop.match.reactions import has_chances
from tabletop.match.seat import Seat
from tabletop.match.story import PlayerAct
from ui.match.curtain import Curtain
from ui.match.enabled_commands import allowed_commands, find_pass
from ui.match.hand_over import HandOver
from ui.match.hint import Adviser, hint_of
from ui.match.hot_seat import persons
from ui.match.lesson.page import Hint
from ui.match.lesson.tutor import Tutor
from ui.match.opened_box import open_box
from ui.match.private_windows import PrivateWindows
from ui.match.prompt.other_players import OtherPlayers
from ui.match.prompt.prompt_speaker import PromptSpeaker
from ui.match.prompt.prompt_yield import PromptYield
from ui.match.reactions_here import ReactionsHere
from ui.match.recap import RecapPlayer
from ui.match.result.ending import Ending
from ui.match.seats_here import SeatsHere
from ui.match.table_frame import TableFrame
from ui.shell.app_context import LOOKS, MOTION, AppContext
from ui.shell.shortcut_text import shortcut_text
from ui.shell.sound_files import set_of
from ui.style.rich_text import literal
from ui.table.scene import Told
from ui.widgets.confirm import ask_to_confirm
from ui.widgets.prompt_line import PromptLine
from ui.widgets.reactions_menu import reactions_menu

if TYPE_CHECKING:
    from ui.match.result.score_sheet import ScoreSheet

KEYED = ("undo", "pass", "end_turn")
"""The commands that are buttons as well, with their keys in the tool tips."""


class TableScreen(TableFrame):
    """One match on the screen, as the people of this computer sit at it."""

    def __init__(
        self, context: AppContext, seats_here: SeatsHere, parent: QWidget | None = None
    ) -> None:
        super().__init__(context, seats_here.kit, seats_here.players, grows=True, parent=parent)
        self.seats_here = seats_here
        self.scene.set_speed(context.speed)
        self.setCentralWidget(self.table_area)
        self.others: OtherPlayers | None = None
        """The others at a table that several computers share."""
        self._sounds = set_of(seats_here.kit)
        self.prompt = PromptLine(context, self.table_area)
        self.speaker = PromptSpeaker(self.prompt)
        self._yielding = PromptYield(self.prompt, self.view)
        self.shelf_place: QPoint | None = None
        """Where the game's box stood on the shelf, in the window, if it was seen there."""
        self._laid_for: set[int] = set()
        """The viewers who have seen how the table is laid at the beginning."""
        self._laying = False
        """Whether they see it now."""
        self.curtain = Curtain(context, seats_here.kit, self)
        self.private_windows = PrivateWindows(self)
        self.ending = Ending(context, seats_here, self.dock, self.side_sheet, self)
        self.adviser = Adviser(context)
        self.recap = RecapPlayer(self.scene)
        dock, over = self.dock, (self.prompt, self.dock)
        self.tutor = Tutor(
            context, self.table_area, self.view, dock.slip, over, lambda: not dock.isHidden()
        )
        self.agreeing = False
        """Whether all are being asked to take moves back."""
        self.conceding = False
        """Whether all here are being asked if the match ends, as the viewer concedes."""
        self._hinted = False
        """Whether a hint was shown, or is being thought about, that has not had its day."""
        self._question = ""
        """What is asked, as it is read out; empty while others only play on."""
        self._read_of = ""
        """The paragraph of the question at which the rules were opened last."""
        self.reactions = reactions = ReactionsHere(context, seats_here)
        self.hand_over = HandOver(context, seats_here, reactions, self.curtain, self)
        self._handlers: dict[ChoiceKind, Callable[[PromptChoice], None]] = {
            "play": self._play_choice,
            "commit": lambda choice: self.scene.choice.commit(choice.name),
            "choose": lambda choice: self.scene.choice.choose_among(choice.moves),
            "undo": lambda _: self.undo(),
            "agree": lambda _: self.agree(),
            "forget": lambda _: self.forget(),
            "play_on": lambda _: self._leave_to_bot(),
            "end_by_consent": lambda _: self._concede(),
            "call": lambda choice: self.call(choice.number),
            "regret": lambda choice: reactions.regret(choice.number),
            "pass_all": lambda _: reactions.pass_all(),
            "reactions": lambda _: self.choose_reactions(),
            "hand_over": lambda _: self.hand_over.begin(),
            "score_sheet": lambda _: self.show_sheet(),
            "hurry": lambda _: self.hurry(True),
            "wait_for_bots": lambda _: self.hurry(False),
            "stop_recap": lambda _: self.stop_recap(),
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
            "stand_ins": self.open_seat_menu,
            "pass": self.pass_,
            "reactions": self.choose_reactions,
            "sort_hand": self.scene.sort_hand,
            "actions": partial(self.dock.bring, "actions"),
            "chat": partial(self.dock.bring, "chat"),
        }
        self._wire()

    def join(self, others: OtherPlayers) -> None:
        """Share this table with others."""
        self.others = others
        self._handlers |= others.handlers
        others.notice_bar.chosen.connect(self._choose)
        self.dock.add_chat(others.chat)
        self.side_sheet.apply_looks()

    def _wire(self) -> None:
        scene, dock = self.scene, self.dock
        self.adviser.found.connect(self._advise)
        self.adviser.failed.connect(self.forget)
        scene.animator.heard.connect(self._hear)
        scene.animator.sounded.connect(self._sound)
        scene.gripped.connect(self.prompt.forget_reason)
        scene.animator.told.connect(self._show_told)
        scene.choice.refused.add(self._explain)
        scene.ruled.connect(self.turn_to)
        scene.seat_menu.connect(self._open_menu_of_seat)
        scene.settled.connect(self.seats_here.settle)
        scene.settled.connect(self._note_settled)
        scene.arranged.connect(self.refresh)
        scene.half_made.connect(self._say_again, Qt.ConnectionType.QueuedConnection)
        scene.choice.acted.add(lambda _: self.forget())
        scene.look.delayed.connect(self.refresh)
        self.recap.changed.connect(self.refresh)
        self.seats_here.received.connect(self._note_news)
        self.hand_over.called.connect(self._call_viewer)
        self.side_sheet.laid.connect(self._keep_clear)
        self.side_sheet.closed.connect(self.take_focus)
        dock.moves.played.connect(self.play)
        dock.moves.lit.connect(scene.choice.advise)
        dock.moves.sentences.numbered.connect(self._answer_or_list)
        self.tutor.put_by.connect(self.refresh)
        # after what is asked, which a lesson is about
        self.tutor.told.connect(self.spoken.say, Qt.ConnectionType.QueuedConnection)
        self.tutor.hidden_changed.connect(lambda _: self._mark_now())
        dock.visibilityChanged.connect(lambda _: self.tutor.place())
        dock.now.played.connect(self._play_back)
        self.tutor.page.asked.connect(dock.turn_to)
        dock.rules_opened.connect(self._turn_to_question)
        dock.log.pointed.connect(self._show_cards_of)
        self.speaker.clock.ticked.connect(self.refresh)
        self.prompt.asked.connect(dock.turn_to)
        self.prompt.chosen.connect(self._choose)
        self.prompt.resized.connect(self._place_prompt_line)
        self.prompt.explained.connect(self.spoken.say)
        self.prompt.left.connect(self.view.setFocus)
        self.scene.keys.asked = lambda: self.prompt.first_answer is not None
        self.scene.keys.answer = self.prompt.press_answer
        self.view.first_answer = self._first_answer
        self.table_area.resized.connect(self._place_prompt_line)
        self.ending.asked.connect(self.asked)
        self.ending.told.connect(self.spoken.announcer.say)
        self.context.changed.connect(self._note_changed)

    def begin(self) -> None:
        """Let the first one look."""
        if self.seats_here.match is not None:
            self.tutor.take(tutorial.course(self.seats_here.kit, self.seats_here.match))
        if not self.context.settings.docks:
            self.size_dock()
        self.take_size()
        self.hand_over.guard(self.window())
        self.take_focus()  # a curtain takes it from here
        self.seats_here.begin()

    # State

    @property
    def status(self) -> TableStatus:
        """The table's status for its viewer."""
        here, seat, reactions = self.seats_here, self.seats_here.shown, self.reactions
        bar, following, waited = reactions.bar, reactions.following, awaited_seats(here.view)
        shared = self.others.shared if self.others is not None else None
        cut_off = shared is not None and not shared.connected
        sent = seat is not None and seat.pending is not None
        choice, local = self.scene.choice, here.match is not None
        return TableStatus(
            words=self.words,
            kit=here.kit,
            people=here.people,
            persons=persons(here.players) if here.hot_seat else (),
            view=seat.view if seat is not None else here.view,
            offers=seat.offers if seat is not None else {},
            shared=shared,
            odds=self._odds,
            looking=here.looking,
            following=following,
            waiting=waited,
            pending=self.scene.look.waits or (cut_off and sent),
            bots_wait=local and bool(waited) and not set(waited).intersection(here.people),
            reacting=bar.asks if here.looking == (AUDIENCE if bar.stays else following) else (),
            reacting_stays=bar.stays,
            reaction_pause=self.context.settings.reaction_pause,
            regretting=reactions.regretting,
            covered=self.curtain.drawn,
            local=local,
            over=here.over,
            sheet_over=self.table_area.covered > 0,
            due=self.hand_over.due,
            moving=here.moving,
            recalling=self.recap.playing,
            went_back=here.went_back,
            hurried=here.seating.hurried,
            passing=seat is not None and seat.passing,
            taking_back=self.agreeing,
            conceding=self.conceding,
            held=choice.picked,
            choosing=choice.choosing,
            arranged=choice.gathering.verbs,
            can_undo=seat is not None and seat.undoable,
            can_agree=here.seating.can_agree,
            can_redo=here.seating.move_to_redo(here.looking) is not None,
            wants_another=self.others.wants_another if self.others is not None else None,
            has_chances=has_chances(here.kit.meaning),
            keys={name: shortcut_text(self.context, name) for name in KEYED},
        )

    @property
    def sheet(self) -> ScoreSheet:
        """The score sheet at the end."""
        return self.ending.sheet

    @property
    def told(self) -> Told | None:
        """What the viewer has been told of the table; what has been is played back meanwhile."""
        seat = self.seats_here.shown
        if seat is not None and self.scene.seat is not seat:
            return Told(seat.view, seat.log)
        return self.scene.told

    def _odds(self, move: Move) -> str:
        seat = self.seats_here.shown
        return odds.in_words(self.words, self.kit, seat, [move]) if seat is not None else ""

    def refresh(self) -> None:
        """Make the prompt line, the dock and the menus fit the table."""
        seats_here, seat, status = self.seats_here, self.seats_here.shown, self.status
        self.scene.set_speed("off" if status.hurried else self.context.speed)
        if not seats_here.over:
            self.ending.take_away()
            self.scene.animator.marks.silent = False
        self._mark_bots()
        if seat is not None and not status.covered:
            self.adviser.notice(seat)
            self.dock.moves.show_moves(
                [] if status.due else self.scene.choice.legal_moves(), self.words, seat.view
            )
            if not seats_here.moving:
                self.tutor.show_lesson(self.words)
                self._tell_story(seat, status)
            self._say(status)
            self._show_told()
            if self._sheet_is_due:  # which takes its time: the last move is heard first
                self.spoken.announcer.then(self._lay_due_sheet)
        self.show_notice(status)
        if status.covered:
            self.spoken.cover(self.curtain.description)
        self.allowed.emit(allowed_commands(status))
        if seat is None or status.covered:
            self._tell_title(status.view)

    @property
    def _sheet_is_due(self) -> bool:
        here = self.seats_here
        return here.over and not (self.ending.shown or here.moving or self.curtain.drawn)

    def _lay_due_sheet(self) -> None:
        if self._sheet_is_due:
            self.show_sheet()

    def _show_told(self) -> None:
        """Show beside the table what has been told so far, and nothing that is still to come."""
        seat, told = self.seats_here.shown, self.told
        if seat is None or told is None or self.curtain.drawn:
            return
        self.dock.show_table(self.seats_here, told)
        self.spoken.hear(seat, told, self.words, self._question)
        self._tell_title(told.view)

    def _tell_title(self, view: State) -> None:
        self.titled.emit(self.words(self.kit.box.title), self.words.heading(view))

    def _say(self, status: TableStatus) -> None:
        self.speaker.speak(status)
        told = status.asks or self._tells_of_others(status)
        self._question = self.prompt.aloud if told and not status.pending else ""
        prompt, lesson = self.prompt.buttons, self.tutor.page.buttons
        asked = self.prompt.first_answer is not None
        chain = (
            *((*prompt, self.view) if asked else (self.view, *prompt)),
            self.dock.tabs,
            self.dock.now.play_back,
            self.dock.now.story,
            *lesson,
        )
        for before, after in pairwise(each for each in chain if each.window() is self.window()):
            self.setTabOrder(before, after)

    def _tells_of_others(self, status: TableStatus) -> bool:
        """Whether it is read out who is waited for: where all is told, bots are heard to play.
        What goes by without a question is none to be heard, nor that an answer is being sent."""
        speech = self.context.settings.speech
        own = status.passing or status.looking in status.waiting
        if own or (speech == "all" and status.bots_wait):
            return False
        return speech != "mine" or status.due or status.over

    def _first_answer(self) -> QWidget | None:
        """The button that Tab reaches before the table: where no card in hand answers."""
        return None if self.scene.keys.hand_plays else self.prompt.first_answer

    def show_notice(self, status: TableStatus | None = None) -> None:
        """Show what is about the whole table, where other computers sit at it."""
        if self.others is not None:
            found = (each for each in before_game(status or self.status) if each.notice)
            self.others.notice_bar.tell(next(found, None))

    def _say_again(self) -> None:
        """Have the prompt follow a half-made move, or a sheet that comes over the table or goes."""
        status = self.status
        if self.seats_here.shown is not None and not status.covered:
            self._say(status)

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
        self.stop_recap()
        if act := self._commands.get(name, self.arranging.get(name)):
            act()

    def end_turn(self) -> None:
        """Ctrl+Enter: hand over, or send the arrangement."""
        if self.hand_over.due:
            self.hand_over.begin()
        elif self.scene.choice.gathering.ready:
            self.scene.choice.commit()

    def undo(self) -> None:
        """Take the own last move back, or ask whether all agree to go further back."""
        if self.curtain.drawn or self.seats_here.moving:
            return
        self.forget()
        seat = self.seats_here.shown
        if seat is not None and seat.undoable:
            seat.undo()
        elif self.seats_here.seating.can_agree:
            self.agreeing = True
            self.ending.step_aside()
            self.refresh()

    def redo(self) -> None:
        """Play again what the viewer took back last, if it was the last thing done."""
        seat = self.seats_here.shown
        if (
            seat is not None
            and (move := self.seats_here.seating.move_to_redo(seat.number)) is not None
        ):
            seat.send(move)

    def call(self, seat: int) -> None:
        """Draw the curtain for a player who reacts."""
        self.reactions.call(seat)
        if self.seats_here.hides(seat):
            self.hand_over.draw(seat)
        else:
            self.hand_over.go_on()

    def choose_reactions(self) -> None:
        """Open the menu in which the players here say how they wish to be asked."""
        seats_here = self.seats_here
        names = [seats_here.players[seat].name for seat in seats_here.people]
        menu = reactions_menu(self.context, names, self.reactions.alone, self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        above = self.prompt.mapToGlobal(QPoint(0, 0)) - QPoint(0, menu.sizeHint().height())
        menu.popup(above)

    def pass_(self) -> None:
        """Answer with a pass, where the question admits one."""
        move = find_pass(self.status)
        if move is not None and not self.curtain.drawn and not self.seats_here.moving:
            self.play(move)

    def concede(self) -> None:
        """Give the match up for the viewer, once they are sure; where others play on here, ask
        whether all want it to end."""
        status, words = self.status, self.context.words
        if not allowed_commands(status)["concede"]:
            return
        self.forget()
        if status.shared is None and not concession_ends(status):
            self.conceding = True
            self.refresh()
            return
        if ask_to_confirm(
            self.context, self, "concede", concede_question(status), words("Concede")
        ):
            self._concede()

    def _concede(self) -> None:
        """The viewer concedes, and where several play here the others have agreed to end."""
        self.conceding = False
        seat = self.seats_here.shown
        if seat is not None and not self.seats_here.over:  # it may have ended meanwhile
            seat.concede()

    def _leave_to_bot(self) -> None:
        """A bot plays on for the viewer, who has conceded."""
        self.conceding = False
        self.seats_here.stand_in(self.seats_here.looking, True)

    def _open_menu_of_seat(self, seat: int, point: QPoint) -> None:
        self.open_seat_menu((seat,), point)

    def open_seat_menu(self, seats: tuple[int, ...] = (), point: QPoint | None = None) -> None:
        """Open the menu in which bots take the places of people and give them back; without any
        seats, for all."""
        here, words = self.seats_here, self.context.words
        persons = [s for s, player in enumerate(here.players) if player.kind != "bot"]
        persons = [seat for seat in persons if not seats or seat in seats]
        if self.curtain.drawn or not here.hot_seat or not persons:
            return
        menu = QMenu(self)
        for seat in persons:
            bot, name = seat in here.people, here.players[seat].name
            to_bot = words("A bot plays for {name}", name=name)
            text = to_bot if bot else words("{name} plays again", name=name)
            act = menu.addAction(literal(text))
            act.triggered.connect(partial(here.stand_in, seat, bot))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(point or self.prompt.mapToGlobal(QPoint(0, -menu.sizeHint().height())))

    def hint(self) -> None:
        """Think for the viewer, and say what the best move seems to be."""
        seat, status = self.seats_here.shown, self.status
        if seat is None or not allowed_commands(status)["hint"]:
            return
        self.adviser.think(self.seats_here.kit, seat, status.asks[0], self.words)
        self._show_hint(Hint(self.context.words("Thinking…")))

    def _advise(self, ask: Ask, decision: Decision) -> None:
        seat = self.seats_here.shown
        if seat is None or self.curtain.drawn or ask not in self.status.asks:
            return
        self.scene.choice.advise(decision.move)
        self.prompt.advise(decision.move)
        self._show_hint(hint_of(decision, seat, self.context, self.words))

    def _show_hint(self, hint: Hint) -> None:
        self._hinted = True
        self.tutor.show_hint(hint)

    def _answer_or_list(self, number: int) -> None:
        """A digit in the list of actions."""
        if not self.prompt.press_answer(number):
            self.dock.moves.go_to(number)

    def _say_aloud_again(self) -> None:
        """Say what is asked, and the lesson or the hint on it."""
        if not self.curtain.drawn:
            texts = (self.prompt.aloud, self.tutor.aloud)
            self.spoken.say(self.words.sentences(texts))

    def turn_to(self, paragraph: str = "") -> None:
        """Open the rules beside the table, at a paragraph or where the present question is."""
        if self.curtain.drawn:
            return
        self.dock.bring("rules")
        if not paragraph:  # by its key: to be read by keys
            self.dock.rules.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if paragraph := paragraph or self._paragraph():
            self.dock.rules.turn_to(paragraph)

    def _paragraph(self) -> str:
        """The paragraph of the rulebook that the viewer's question rests on, else anybody's."""
        status = self.status
        return paragraph_of(status, status.asks or status.view.asks)

    def _turn_to_question(self) -> None:
        """The rules come to the front: they open where the question is, if it is another one than
        when they were opened last; who goes back to the same one wants to read on."""
        paragraph = self._paragraph()
        if paragraph and paragraph != self._read_of and not self.curtain.drawn:
            self._read_of = paragraph
            self.dock.rules.turn_to(paragraph)

    def play(self, move: Move) -> None:
        """Answer with this move."""
        self.stop_recap()
        self.scene.choice.play(move)

    def hurry(self, hurried: bool) -> None:
        """Let bots play on at once until a person is asked, or not any more."""
        self.seats_here.seating.hurry(hurried)
        if hurried:
            self.scene.skip()
        self.refresh()

    def agree(self) -> None:
        """All have agreed to take the last move back."""
        self.agreeing = False
        self.seats_here.seating.agree(self.seats_here.looking)

    def forget(self) -> None:
        """A question, a reason or a hint on the prompt line has had its day."""
        if self._hinted:
            self._hinted = False
            self.adviser.forget()
            self.prompt.advise(None)
            self.tutor.forget_hint()
        self.prompt.forget_reason()
        if self.agreeing or self.conceding:
            self.agreeing = self.conceding = False
            self.refresh()

    def _explain(self, reason: Reason) -> None:
        seat = self.seats_here.shown
        if seat is not None and not self.curtain.drawn:
            self._sound("refuse")
            self.prompt.explain(reason, self.words, seat.number)

    def _hear(self, event: Event) -> None:
        """Play the sound that goes with an event, if one does."""
        sounds, strides = self.kit.layout.sounds, self.scene.stage.strides
        name = sounds.of(event, self.seats_here.looking, strides)
        if name is not None:
            self._sound(name)

    def _sound(self, name: SoundName) -> None:
        self.context.sounds.play(name, self._sounds)

    def _look_at(self, card: int | None) -> None:
        if not self.curtain.drawn:
            super()._look_at(card)

    def _note_news(self) -> None:
        """React to an update at once, before all of it has been seen."""
        self.stop_recap()
        if self.seats_here.moving:
            self.refresh()

    def _call_viewer(self, waited: bool) -> None:
        if waited:
            self._sound("turn")
        if not self.isActiveWindow():
            QApplication.alert(self.window())

    def _show_cards_of(self, said: Said) -> None:
        """A line of the log: its cards light up, and the first of them is shown large."""
        if not self.curtain.drawn:
            self.scene.recall(said)
        cards = [card for card in said.cards if is_face(card)]
        if cards:
            self.dock.card.show_card(cards[0], self.words)

    def _tell_story(self, seat: Seat, status: TableStatus) -> None:
        """Show what the others did; nothing while another person is to look next."""
        story = self.seats_here.story
        acts = story.acts if story is not None and not status.due else ()
        self.dock.now.show_story(acts, seat.number, self.seats_here.players, self.words)
        self._mark_now()

    def _mark_now(self) -> None:
        self.side_sheet.mark_now(self.tutor.crowded or self.dock.now.concerned)

    def _play_back(self, act: PlayerAct | None) -> None:
        """Play an act back, or with None all that the others did; then its cards and places are
        lit."""
        story = self.seats_here.story
        if story is None or not story.acts or self.curtain.drawn or self.seats_here.moving:
            return
        shown = act or story.acts[-1]

        def end() -> None:
            self._sit_again()
            self._show_cards_of(shown.lines[-1])

        self.forget()
        self.recap.begin(story, act, end)

    def stop_recap(self) -> None:
        """Show the table as it is now, where what has been was played back."""
        if self.recap.stop():
            self._sit_again()
            self.refresh()

    def _sit_again(self) -> None:
        if self.seats_here.shown is not None:
            self.scene.sit(self.seats_here.shown)

    def show_sheet(self) -> None:
        """Lay the score sheet beside the table, which then need not say it as well."""
        self.scene.animator.marks.silent = True
        if self.others is not None:
            self.sheet.offer(self.others.after)
        self.ending.show(self.words)

    def show_verdict(self) -> None:
        """Print on the score sheet whether shuffle and dice were fair, where that was checked."""
        if self.others is not None:
            self.sheet.show_verdict(*self.others.verdict())
            self.sheet.offer(self.others.after)
            self.ending.look_through()

    # Looks

    def apply_looks(self) -> None:
        """Update everything for the chosen language and theme."""
        self._update_frame(self.seats_here.players)
        self.prompt.apply_looks()
        self.show_verdict()
        self.ending.reprint(self.words)
        self.refresh()

    def _note_changed(self, changed: frozenset[str]) -> None:
        if changed & MOTION:
            self.scene.set_speed(self.context.speed)
        if changed & LOOKS:
            self.apply_looks()

    # The viewer (`hand_over`)

    def leave(self) -> None:
        """Take the table of who looked away."""
        self.recap.stop()
        self.board_view.close_board()
        self.scene.leave()
        self.dock.clear()

    def wipe(self, seat: int) -> None:
        """Take everything of this seat, which looked away: no sentence, tip or window is left."""
        QToolTip.hideText()
        self.private_windows.put_away(seat)
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
        first = seat.view.ply == 0 and seat.number not in self._laid_for
        first = first and not self.seats_here.open_table  # that one comes again with every change
        moves = first and bool(self.scene.animator.factor)
        self.scene.sit(seat, boxed=moves)
        self.private_windows.bring_back(seat.number)
        self.prompt.show()
        if first:
            self._laid_for.add(seat.number)
        if moves:
            self._open_box()
        if self.seats_here.over:
            self.show_sheet()

    def _mark_bots(self) -> None:
        if self.seats_here.match is not None:
            self.scene.stage.set_marks(dict.fromkeys(self.seats_here.match.bots, "bot"))

    def _open_box(self) -> None:
        """Show how the table is laid out of the game's box."""
        self._mark_bots()
        at, view = self.shelf_place, self.view
        stood = view.mapToScene(view.mapFrom(self.window(), at)) if at is not None else None
        open_box(self.context, self.kit, view, stood)
        self._laying = self.scene.animator.opening

    def _note_settled(self) -> None:
        """The table has been laid: what waited for that may come, as a lesson does."""
        if self._laying and not self.scene.animator.opening:
            self._laying = False
            self.seats_here.go_on()

    def take_focus(self) -> None:
        """Give the keys to the table."""
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def close_table(self) -> None:
        """Leave for good: this screen gets no more messages."""
        self.ending.close()
        self.private_windows.close()
        self.curtain.put_away()
        self.adviser.forget()
        self.leave()
        self.speaker.fall_silent()
        self.reactions.close()
        self.seats_here.close()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.side_sheet.fit()
        self.ending.fit()

    def _keep_clear(self) -> None:
        """Keep the prompt line clear of a sheet over the table, and the curtain over it."""
        dock, area = self.dock, self.table_area
        over = self.side_sheet.over and dock.isVisible() and dock.height() >= area.height()
        covered = max(0, area.geometry().right() - dock.geometry().left() + 1) if over else 0
        if covered != area.covered:
            area.covered = covered
            self._place_prompt_line()
            if self.seats_here.over:
                self._say_again()
        if self.curtain.drawn:
            self.curtain.raise_()

    def _reset_layout(self) -> None:
        if self.side_sheet.over:
            self.side_sheet.close()
        else:
            super()._reset_layout()

    def _place_prompt_line(self) -> None:
        """Lay the prompt line where the scene leaves room for it."""
        self.table_area.lay_prompt(self.prompt)
        self.tutor.place()
