"""The table screen: the scene large, the prompt line, the dock, and the curtain over all of it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMainWindow

from tabletop import lessons
from tabletop.bots.thought import Thought
from tabletop.engine.events import Said
from tabletop.engine.model import Ask, Move, Reason
from tabletop.engine.play import Illegal
from ui.screens.allowed import allowed
from ui.screens.curtain import Curtain
from ui.screens.desk import Desk
from ui.screens.dock import Dock
from ui.screens.hand_over import HandOver
from ui.screens.hint import Adviser, advice
from ui.screens.line import line
from ui.screens.prompt import Prompt
from ui.screens.question import agreed
from ui.screens.reactions import reactions_menu
from ui.screens.room import Room
from ui.screens.score_sheet import ScoreSheet
from ui.screens.sitting import Sitting
from ui.screens.tasks import asks, heading, task_paragraph
from ui.table.scene import TableScene
from ui.table.view import TableView

if TYPE_CHECKING:
    from ui.screens.company import Company


class TableScreen(QMainWindow):
    """One sitting on the screen. It is a window within the window, so that its dock can move."""

    titled = Signal(str)
    """What stands over the table now, as rich text."""
    allowed = Signal(object)
    """Which commands make sense now, by name."""
    asked = Signal(str)
    """The score sheet's buttons, by name."""

    def __init__(self, room: Room, sitting: Sitting) -> None:
        super().__init__()
        self.room = room
        self.sitting = sitting
        self.words = room.of(sitting.kit, sitting.players)
        self.scene = TableScene(sitting.kit, room.art, self.words, room.theme)
        self.scene.set_speed(room.speed)
        self.view = TableView(self.scene)
        self.setWindowFlags(Qt.WindowType.Widget)
        self.desk = Desk(self.view)
        self.setCentralWidget(self.desk)
        self.dock = Dock(room, sitting.kit)
        self.company: Company | None = None
        """The others at a table that several computers share."""
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
        self.prompt = Prompt(room, self.desk)
        self.sheet = ScoreSheet(room, self.desk)
        self.curtain = Curtain(room, self)
        self.adviser = Adviser(room)
        self.agreeing = False
        """Whether all are being asked to take moves back."""
        self.arranged = False
        """Whether the cards put together are an answer."""
        self._read_of = ""
        """The paragraph of the question at which the rules were opened last."""
        self.moving = False
        """Whether the scene still shows what happened."""
        self.hand_over = HandOver(self)
        self._wire()

    def join(self, company: Company) -> None:
        """Share this table with others."""
        self.company = company
        self.dock.add_chat(company.chat)
        self.sheet.offer(company.after)

    def _wire(self) -> None:
        scene, dock = self.scene, self.dock
        self.adviser.found.connect(self._advise)
        scene.animator.heard.connect(self.room.sounds.hear)
        scene.refused.connect(self._explain)
        scene.prompted.connect(self.refresh)
        scene.focused.connect(self._look_at)
        scene.about.connect(self._tell_about)
        scene.ruled.connect(self.turn_to)
        scene.settled.connect(self._note_settled)
        scene.arranged.connect(self._note_arranged)
        scene.acted.connect(self._note_acted)
        dock.actions.played.connect(self.play)
        dock.actions.lit.connect(scene.light)
        dock.slip.put_by.connect(self.refresh)
        dock.rules_opened.connect(self._turn_to_question)
        dock.log.pointed.connect(self._point)
        self.prompt.asked.connect(dock.turn_to)
        self.prompt.resized.connect(self._place)
        self.prompt.left.connect(self.view.setFocus)
        self.desk.resized.connect(self._place)
        self.sheet.asked.connect(self._ask_sheet)
        self.room.changed.connect(self.dress)

    def begin(self) -> None:
        """Let the first one look."""
        if self.sitting.match is not None:
            self.dock.slip.take(lessons.course(self.sitting.kit, self.sitting.match))
        if not self.room.settings.docks:
            self._size_dock()
        self.hand_over.go_on()

    # What is to be done

    def refresh(self) -> None:
        """Make the prompt line, the dock and the menus fit the table."""
        sitting, link = self.sitting, self.sitting.link
        if link is not None and not self.curtain.drawn:
            self.adviser.notice(link)
            self.dock.show_table(sitting)
            self.dock.actions.show_moves(
                [] if self.hand_over.due else self.scene.legal(), self.words, link.view
            )
            self.dock.slip.show_lesson(self.words)
            self._say()
            if sitting.over and self.sheet.isHidden() and not self.moving:
                self.show_sheet()
        self.allowed.emit(allowed(self))
        self.titled.emit(heading(self.room, sitting, self.words))

    def _say(self) -> None:
        told = line(self)
        self.prompt.say(told.text, told.active, told.choices)
        # The end is not told before it has been seen, nor anything laid over what tells it.
        self.prompt.setVisible(not (self.sitting.over and self.moving))
        chain = [self.view, *self.prompt.buttons, self.dock.tabs]
        for before, after in pairwise(chain):
            self.setTabOrder(before, after)

    # What the person does

    def do(self, name: str) -> None:
        """Do what a command of the menus says."""
        match name:
            case "undo":
                self.undo()
            case "redo":
                self.redo()
            case "end_turn":
                self.end_turn()
            case "hint":
                self.hint()
            case "concede":
                self.concede()
            case "reactions":
                self.choose_reactions()
            case "sort_hand":
                self.scene.sort_hand()
            case "copy_log":
                self.dock.log.copy()
            case "card" | "log" | "score" | "actions" | "chat":
                self.dock.bring(name)
            case "zoom_in":
                self.view.zoom_in()
            case "zoom_out":
                self.view.zoom_out()
            case "zoom_usual":
                self.view.zoom_whole()
            case "reset_layout":
                self.reset_layout()

    def end_turn(self) -> None:
        """Ctrl+Enter: hand over, or send what lies arranged."""
        if self.hand_over.due:
            self.hand_over.begin()
        elif self.arranged:
            self.scene.commit()

    def undo(self) -> None:
        """Take the own last move back, or ask whether all agree to go further back."""
        if self.curtain.drawn or self.moving:
            return
        self.forget()
        if self.sitting.can_undo:
            self.sitting.undo()
        elif self.sitting.can_agree:
            self.agreeing = True
            self._hide_sheet()
            self.refresh()

    def redo(self) -> None:
        """Play again what was taken back."""
        self.sitting.redo()

    def call(self, seat: int) -> None:
        """A player has said that she reacts: the curtain for her."""
        self.sitting.call(seat)
        if self.sitting.hides(seat):
            self.hand_over.draw(seat)
        else:
            self.hand_over.go_on()

    def regret(self, seat: int) -> None:
        """A player takes back what she answered while the others still choose."""
        self.sitting.regret(seat)

    def choose_reactions(self) -> None:
        """Open the menu in which the players here say how they wish to be asked."""
        sitting = self.sitting
        names = [sitting.players[seat].name for seat in sitting.people]
        menu = reactions_menu(self.room, names, self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        above = self.prompt.mapToGlobal(QPoint(0, 0)) - QPoint(0, menu.sizeHint().height())
        menu.popup(above)

    def concede(self) -> None:
        """The viewer gives the match up, once she is sure."""
        sitting, words = self.sitting, self.room.words
        if not allowed(self)["concede"]:
            return
        text = (
            words("{name} concedes: the others win. Nobody can take it back.", name=sitting.name)
            if len(sitting.players) > 1
            else words("Give this game up? It cannot be taken back.")
        )
        if agreed(self.room, self, "concede", text, words("Concede")):
            sitting.concede()

    def hint(self) -> None:
        """Think for the viewer, and say what the best move seems to be."""
        link = self.sitting.link
        open_asks = asks(link)
        if link is None or self.curtain.drawn or self.hand_over.due or not open_asks:
            return
        self.adviser.think(self.sitting.kit, link, open_asks[0])
        self.prompt.advise(self.room.words("Thinking…"))

    def _advise(self, ask: Ask, thought: Thought) -> None:
        link = self.sitting.link
        if link is None or self.curtain.drawn or ask not in asks(link):
            return
        self.scene.light(thought.move)
        self.prompt.advise(advice(thought, link, self.room, self.words))

    def turn_to(self, paragraph: str = "") -> None:
        """Open the rules beside the table, at a paragraph or where the present question is."""
        if self.curtain.drawn:
            return
        self.dock.bring("rules")
        if paragraph := paragraph or task_paragraph(self.sitting):
            self.dock.rules.turn_to(paragraph)

    def _turn_to_question(self) -> None:
        """The rules come to the front: they open where the question is, if it is another one than
        when they were opened last; who goes back to the same one wants to read on."""
        paragraph = task_paragraph(self.sitting)
        if paragraph and paragraph != self._read_of and not self.curtain.drawn:
            self._read_of = paragraph
            self.dock.rules.turn_to(paragraph)

    def reset_layout(self) -> None:
        """Put the dock where it was at first."""
        self.dock.setFloating(False)
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
        self.dock.show()
        self._size_dock()

    def _size_dock(self) -> None:
        wide = max(248, min(340, self.width() // 4 - 20))
        self.resizeDocks([self.dock], [wide], Qt.Orientation.Horizontal)

    def play(self, move: Move) -> None:
        """Answer with this move."""
        try:
            self.scene.play(move)
        except Illegal as refused:
            self._explain(refused.reason)

    def agree(self) -> None:
        """All have agreed to take the last move back."""
        self.agreeing = False
        self._hide_sheet()
        self.sitting.agree()

    def forget(self) -> None:
        """A question, a reason or a hint on the prompt line has had its day."""
        self.adviser.forget()
        self.prompt.forget_reason()
        if self.agreeing:
            self.agreeing = False
            self.refresh()

    def _explain(self, reason: Reason) -> None:
        link = self.sitting.link
        if link is not None and not self.curtain.drawn:
            self.prompt.explain(reason, self.words, link.seat)

    def _look_at(self, card: int | None) -> None:
        if not self.curtain.drawn and card is not None:
            self.dock.card.show_card(card, self.words)

    def _tell_about(self, card: int) -> None:
        self._look_at(card)
        self.dock.bring("card")

    def _note_acted(self, _: object) -> None:
        self.forget()
        if self.scene.waits:
            self.refresh()

    def _note_settled(self) -> None:
        self.moving = False

    def _note_arranged(self, ready: bool) -> None:
        self.arranged = ready
        self.refresh()

    def _point(self, said: Said) -> None:
        """A line of the log: its cards light up, and the first of them is shown large."""
        if not self.curtain.drawn:
            self.scene.recall(said)
        cards = [card for card in said.cards if card >= 0]
        if cards:
            self.dock.card.show_card(cards[0], self.words)

    def _ask_sheet(self, name: str) -> None:
        if name == "table":
            self._hide_sheet()
        else:
            self.asked.emit(name)

    def show_sheet(self) -> None:
        """Lay the score sheet over the table."""
        result = self.sitting.view.result
        if result is None:
            return
        self.sheet.show_result(result, self.sitting.players, self.words)
        self.sheet.show()
        self.sheet.raise_()
        self._place()
        self.sheet.take_focus()

    def show_verdict(self) -> None:
        """Print on the score sheet whether shuffle and dice were fair, where that was checked."""
        if self.company is not None:
            self.sheet.show_verdict(*self.company.verdict())
            self.sheet.offer(self.company.after)
            self._place()

    def _hide_sheet(self) -> None:
        self.sheet.hide()

    # How it looks

    def dress(self) -> None:
        """Put everything on anew in the room's language, theme and speed."""
        room, sitting = self.room, self.sitting
        self.words = room.of(sitting.kit, sitting.players)
        self.scene.set_theme(room.theme, room.art)
        self.scene.set_words(self.words)
        self.scene.set_speed(room.speed)
        self.dock.dress()
        self.show_verdict()
        if not self.sheet.isHidden():
            self.show_sheet()
        self.refresh()

    def close_table(self) -> None:
        """Leave for good: nothing is told to this screen any more."""
        self.adviser.forget()
        self.scene.leave()
        self.dock.clear()
        self.sitting.close()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.curtain.drawn:
            self.curtain.setGeometry(self.rect())

    def _place(self) -> None:
        """Lay the prompt line and the sheet where the scene leaves room for them."""
        self.desk.lay_prompt(self.prompt)
        if not self.sheet.isHidden():
            self.desk.lay_sheet(self.sheet)
