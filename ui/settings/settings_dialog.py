"""The settings: every change holds at once."""

from collections.abc import Mapping

from msgspec.structs import asdict
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QSlider,
    QSpinBox,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from tabletop.language.words import Words
from tabletop.match.reactions import NO_WISH, POLICIES
from tabletop.storage.settings import Settings
from tabletop.text.phrases import phrase
from ui.settings.colour_page import ColourPage
from ui.settings.shortcuts import ShortcutsEditor
from ui.shell.app_context import AppContext, named
from ui.shell.commands import PACES, THEMES
from ui.shell.language import offered_languages
from ui.shell.player_names import LONGEST, plain
from ui.style.card_style import SIZES, STOCKS
from ui.widgets.confirm import QUESTIONS
from ui.widgets.form import NamedForm
from ui.widgets.surface import button, fitting, label

NAMES = (
    phrase("First player"),
    phrase("Second player"),
    phrase("Third player"),
    phrase("Fourth player"),
)
"""So many names are kept here; a new game asks for all."""

SECOND_CURTAIN = phrase(
    "The table is covered when you minimise the window, and one minute after you "
    "switch to another program. On some systems a locked screen also takes a minute."
)
KEPT = frozenset({"players", "tables", "languages", "reactions", "geometry", "docks"})
"""What the usual settings leave alone: people, and where things lie on the screen."""

USUAL = QSize(680, 760)
"""The dialog, where the window has room for it; in pixels."""
TABS = (phrase("Table"), phrase("Players"), phrase("Colours"), phrase("Keys"))


class SettingsDialog(QDialog):
    """Language, theme, motion, sizes, names, questions and keys."""

    def __init__(self, context: AppContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._filling = False
        self._forms: list[NamedForm] = []
        self.tabs = QTabWidget()
        self._language, self._theme, self._speed = QComboBox(), QComboBox(), QComboBox()
        self._cards, self._size = QComboBox(), QComboBox()
        self._reduced = QCheckBox()
        self._sounds, self._volume = QCheckBox(), QSlider(Qt.Orientation.Horizontal)
        self._volume.setRange(0, 100)
        self._volume.setTracking(False)
        self._pause = QSpinBox()
        self._pause.setRange(0, 10_000)
        self._pause.setSingleStep(100)
        self._names = [QLineEdit() for _ in NAMES]
        for field in self._names:
            field.setMaxLength(LONGEST)
        self._languages = [QComboBox() for _ in NAMES]
        self._reaction = QComboBox()
        self._reaction_pause = QSpinBox()
        self._reaction_pause.setRange(500, 20_000)
        self._reaction_pause.setSingleStep(500)
        self._second = QCheckBox()
        self._ask = label("caption")
        self._questions = {name: QCheckBox() for name in QUESTIONS}
        self._colours = ColourPage(context)
        self._keys = ShortcutsEditor(context)
        for page in (self._table_page(), self._players_page(), self._colours, self._keys):
            self.tabs.addTab(_scrolled(page), "")
        self._before = context.settings
        self._usual, self._back = button("quiet"), button("quiet")
        self._usual.clicked.connect(lambda: self._put(Settings()))
        self._back.clicked.connect(lambda: self._put(self._before))
        self._done = button("primary")
        self._done.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.addWidget(self._usual)
        row.addWidget(self._back)
        row.addStretch()
        row.addWidget(self._done)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(12)
        column.addWidget(self.tabs, 1)
        column.addLayout(row)
        self._wire()
        context.changed.connect(self.dress)
        self.dress()
        self.resize(fitting(parent, USUAL))

    def dress(self) -> None:
        """Put texts and values on."""
        words, settings = self._context.words, self._context.settings
        self._filling = True
        self.setWindowTitle(words("Settings"))
        named(self.tabs, words("Settings"))
        for number, text in enumerate(TABS):
            self.tabs.setTabText(number, words(text))
        for form in self._forms:
            form.dress(words)
        self._dress_table(words, settings)
        self._dress_players(words, settings)
        self._colours.dress()
        self._keys.dress()
        self._usual.setText(words("Restore defaults"))
        self._usual.setEnabled(_liked(settings) != _liked(Settings()))
        self._back.setText(words("Undo changes"))
        self._back.setEnabled(_liked(settings) != _liked(self._before))
        self._done.setText(words("Done"))
        self._filling = False

    def _dress_table(self, words: Words, settings: Settings) -> None:
        languages = {"auto": words("System default")} | offered_languages()
        _fill(self._language, languages, settings.language)
        _fill(self._theme, {name: words(THEMES[name]) for name in THEMES}, settings.theme)
        _fill(self._cards, {name: words(STOCKS[name]) for name in STOCKS}, settings.cards)
        _fill(self._size, {name: words(SIZES[name]) for name in SIZES}, settings.card_size)
        _fill(self._speed, {name: words(PACES[name]) for name in PACES}, settings.animation)
        self._reduced.setText(words("Reduce motion: move everything instantly"))
        self._reduced.setChecked(settings.reduced_motion)
        self._sounds.setText(words("Sounds"))
        self._sounds.setChecked(settings.sounds)
        self._volume.setValue(settings.volume)
        self._volume.setEnabled(settings.sounds)
        self._pause.setSuffix(words(" ms"))
        self._pause.setValue(settings.bot_pause)

    def _dress_players(self, words: Words, settings: Settings) -> None:
        asking = {"usual": words(NO_WISH)} | {way: words(POLICIES[way]) for way in POLICIES}
        _fill(self._reaction, asking, settings.reaction)
        self._reaction_pause.setSuffix(words(" ms"))
        self._reaction_pause.setValue(settings.reaction_pause)
        for seat, field in enumerate(self._names):
            name = settings.players[seat] if seat < len(settings.players) else ""
            if not field.hasFocus():
                field.setText(name)
            field.setPlaceholderText(words("Player {n}", n=seat + 1))
            self._fill_language(seat)
        for name, box in self._questions.items():
            box.setText(words(QUESTIONS[name]))
            box.setChecked(settings.confirmations.get(name, True))
        self._second.setText(words("Cover the table when you're away"))
        self._second.setChecked(settings.second_curtain)
        self._ask.setText(words("Ask me"))

    def _table_page(self) -> QWidget:
        page = QWidget()
        form = self._form(page)
        form.add(phrase("Language"), self._language)
        form.tell(phrase("The language of this window; players may read another."))
        form.add(phrase("Theme"), self._theme)
        form.tell(phrase("Colours of the table and all windows."))
        form.add(phrase("Cards"), self._cards)
        form.tell(phrase("The look of the cards."))
        form.add(phrase("Card size"), self._size)
        form.tell(phrase("Size of the cards in your hand."))
        form.add(phrase("Speed"), self._speed)
        form.tell(phrase("How fast cards and pieces move, and how soon bots play."))
        form.addRow(self._reduced)
        form.addRow(self._sounds)
        form.add(phrase("Volume"), self._volume)
        form.tell(phrase("How loud sounds are. Move the slider to hear one."))
        form.add(phrase("Pause before a bot plays"), self._pause)
        form.tell(phrase("How long bots wait before they move, at normal speed."))
        return page

    def _players_page(self) -> QWidget:
        page = QWidget()
        form = self._form(page)
        for text, field, language in zip(NAMES, self._names, self._languages, strict=True):
            both = QWidget()
            row = QHBoxLayout(both)
            row.setContentsMargins(0, 0, 0, 0)
            row.addWidget(field, 1)
            row.addWidget(language)
            form.add(text, both)
        form.add(phrase("Chances to react"), self._reaction)
        form.tell(
            phrase(
                "When you're asked for reactions. Default: always; alone against bots, "
                "only when you can react."
            ),
            wrap=True,
        )
        form.add(phrase("Pause before a pass"), self._reaction_pause)
        form.tell(phrase("How long a pass takes, so nobody can tell whether you could react."))
        form.addRow(self._second)
        form.tell(SECOND_CURTAIN, wrap=True)
        form.addRow(self._ask)
        for box in self._questions.values():
            form.addRow(box)
        return page

    def _form(self, page: QWidget) -> NamedForm:
        form = NamedForm(page)
        form.setContentsMargins(16, 16, 16, 16)
        form.setHorizontalSpacing(20)
        form.setVerticalSpacing(6)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._forms.append(form)
        return form

    def _wire(self) -> None:
        self._language.activated.connect(lambda _: self._change(language=_chosen(self._language)))
        self._theme.activated.connect(lambda _: self._change(theme=_chosen(self._theme)))
        self._cards.activated.connect(lambda _: self._change(cards=_chosen(self._cards)))
        self._size.activated.connect(lambda _: self._change(card_size=_chosen(self._size)))
        self._speed.activated.connect(lambda _: self._change(animation=_chosen(self._speed)))
        self._reduced.toggled.connect(lambda on: self._change(reduced_motion=on))
        self._sounds.toggled.connect(lambda on: self._change(sounds=on))
        self._volume.valueChanged.connect(self._turn_volume)
        self._pause.valueChanged.connect(lambda value: self._change(bot_pause=value))
        self._second.toggled.connect(lambda on: self._change(second_curtain=on))
        self._reaction.activated.connect(
            lambda _: self._change(reaction=_chosen(self._reaction), reactions={})
        )
        self._reaction_pause.valueChanged.connect(lambda n: self._change(reaction_pause=n))
        for field in self._names:
            field.editingFinished.connect(self._keep_names)
        for seat, language in enumerate(self._languages):
            language.activated.connect(lambda _, seat=seat: self._keep_language(seat))
        for box in self._questions.values():
            box.toggled.connect(lambda _: self._keep_questions())

    def _change(self, **changes: object) -> None:
        if not self._filling:
            self._context.change(**changes)

    def _put(self, settings: Settings) -> None:
        self._context.change(**_liked(settings))

    def _turn_volume(self, volume: int) -> None:
        if not self._filling:
            self._change(volume=volume)
            self._context.sounds.play("card")

    def _keep_names(self) -> None:
        names = [plain(field.text()) for field in self._names]
        while names and not names[-1]:
            names.pop()
        self._context.remember(players=tuple(names))
        for seat in range(len(NAMES)):
            self._fill_language(seat)

    def _fill_language(self, seat: int) -> None:
        """What the player of this name reads."""
        words, name = self._context.words, plain(self._names[seat].text())
        texts = {"": words("Same as the window")} | offered_languages()
        language = self._languages[seat]
        _fill(language, texts, self._context.reads(name) or "")
        language.setEnabled(bool(name))
        named(language, words("{name}'s language", name=name))

    def _keep_language(self, seat: int) -> None:
        name, chosen = plain(self._names[seat].text()), _chosen(self._languages[seat])
        others = {n: v for n, v in self._context.settings.languages.items() if n != name}
        self._context.remember(languages=others | ({name: chosen} if chosen else {}))

    def _keep_questions(self) -> None:
        self._change(confirmations={name: box.isChecked() for name, box in self._questions.items()})


def _liked(settings: Settings) -> dict[str, object]:
    return {name: value for name, value in asdict(settings).items() if name not in KEPT}


def _scrolled(page: QWidget) -> QScrollArea:
    scroll = QScrollArea()
    scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    scroll.setWidgetResizable(True)
    scroll.setWidget(page)
    return scroll


def _fill(box: QComboBox, texts: Mapping[str, str], chosen: str) -> None:
    box.clear()
    for value, text in texts.items():
        box.addItem(text, value)
    box.setCurrentIndex(box.findData(chosen))


def _chosen(box: QComboBox) -> str:
    return str(box.currentData())
