"""The settings page, where every change takes effect immediately."""

from functools import partial

from msgspec.structs import asdict
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from tabletop.language import labels
from tabletop.match.reactions import DEFAULT_POLICY_LABEL, POLICY_LABELS
from tabletop.storage.settings import Settings
from tabletop.text.phrases import phrase
from ui.settings.live_card import CardPreview
from ui.settings.shortcuts import ShortcutsEditor
from ui.settings.sound_kind import SOUND_KINDS, SoundKind
from ui.shell.app_context import APPEARANCE_SETTINGS, AppContext, name_widget
from ui.shell.commands import PACES, THEMES
from ui.shell.language import offered_languages
from ui.shell.player_names import MAX_LENGTH, clean_name
from ui.style.card_style import SIZES, STOCKS
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.confirm import QUESTIONS
from ui.widgets.fields import ComboBox, DoubleSpinBox, Slider
from ui.widgets.form import NamedForm, set_choices
from ui.widgets.page_screen import PageScreen
from ui.widgets.styled_widgets import FittingScrollArea, button, label, scale_pixels
from ui.widgets.text_fields import TextField

NAME_LABELS = (
    phrase("First player"),
    phrase("Second player"),
    phrase("Third player"),
    phrase("Fourth player"),
)
"""Labels for the stored player names. The form for a new match asks for further names."""

KEPT_SETTINGS = frozenset(
    {"players", "tables", "languages", "reactions", "shelf", "geometry", "docks"}
)
"""Settings that "Restore defaults" keeps, such as players and the layout of window and shelf."""

SPEECH_LEVELS = {
    "all": phrase("Everything"),
    "turns": phrase("Turns and what concerns me"),
    "mine": phrase("Only my turn"),
}
CHOICES = {
    "theme": THEMES,
    "cards": STOCKS,
    "card_size": SIZES,
    "animation": PACES,
    "speech": SPEECH_LEVELS,
}
SWITCHES = {
    "reduced_motion": phrase("Reduce motion: move everything instantly"),
    "sounds": phrase("Sounds"),
    "second_curtain": phrase("Cover the table when you're away"),
}
PAGE_WIDTH_PX, PAGE_HEIGHT_PX = 1080, 728
"""Size of the page in pixels."""
PAUSE_FIELD_WIDTH_PX = 132
"""Width in pixels of a field for a pause in seconds."""
TAB_MARGIN_PX = 16
"""Space in pixels above the contents of a tab."""
MIN_PREVIEW_WIDTH_PX = 760
"""Minimum window width in pixels at which the preview card is shown."""
MS_PER_S = 1000
"""Milliseconds per second, to convert pauses for display in seconds."""
TABS = (labels.TABLE, phrase("Sound"), labels.PLAYERS, phrase("Keys"))


class SettingsScreen(PageScreen):
    """The settings in tabs, beside a card that previews them."""

    def __init__(self, context: AppContext) -> None:
        super().__init__(context, PAGE_WIDTH_PX, PAGE_HEIGHT_PX)
        self._filling = False
        self._forms: list[NamedForm] = []
        self.tabs = QTabWidget()
        self.choices = {name: ComboBox() for name in (*CHOICES, "language", "reaction")}
        """The drop-down for each setting with fixed choices, by the setting's name."""
        self.switches = {name: QCheckBox() for name in SWITCHES}
        self.pauses = {"bot_pause": DoubleSpinBox(), "reaction_pause": DoubleSpinBox()}
        self.pauses["bot_pause"].setRange(0, 10)
        self.pauses["bot_pause"].setSingleStep(0.1)
        self.pauses["reaction_pause"].setRange(0.5, 20)
        self.pauses["reaction_pause"].setSingleStep(0.5)
        self.volume = Slider(Qt.Orientation.Horizontal)
        self.volume.setRange(0, 100)
        self.volume.setTracking(False)
        self.kinds = {kind: SoundKind(context, kind) for kind in SOUND_KINDS}
        self.sound_kinds = {kind: each.switch for kind, each in self.kinds.items()}
        self._names = [TextField() for _ in NAME_LABELS]
        for field in self._names:
            field.setMaxLength(MAX_LENGTH)
        self.languages = [ComboBox() for _ in NAME_LABELS]
        self._ask = label()
        self._questions = {name: QCheckBox() for name in QUESTIONS}
        self.keys = ShortcutsEditor(context)
        self.card = CardPreview(context)
        table = QWidget()
        card = lay(QVBoxLayout(), [self.card], margins=(0, TAB_MARGIN_PX, 0, 0))
        both: list[Part] = [(FittingScrollArea(self._table_page()), 1), card]
        lay(QHBoxLayout(table), both, spacing=12, margins=0)
        for page in (
            table,
            *map(FittingScrollArea, (self._sound_page(), self._players_page(), self.keys)),
        ):
            self.tabs.addTab(page, "")
        self._before = context.settings
        self.defaults, self.undo = button("quiet", flush=True), button("quiet")
        self.defaults.clicked.connect(lambda: self._put(Settings()))
        self.undo.clicked.connect(lambda: self._put(self._before))
        self.lay_page(self.tabs, STRETCH, (self.defaults, self.undo))
        self._wire()
        self.refresh_appearance()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.card.setVisible(self.width() >= MIN_PREVIEW_WIDTH_PX)

    def take_focus(self) -> None:
        """Focus the tab bar."""
        self.tabs.tabBar().setFocus(Qt.FocusReason.OtherFocusReason)

    def _note_changed(self, changed: frozenset[str]) -> None:
        super()._note_changed(changed)
        if not changed & APPEARANCE_SETTINGS:  # a value of its own
            self.refresh_appearance()

    def refresh_appearance(self) -> None:
        """Update texts and values."""
        super().refresh_appearance()
        words, settings = self.context.words, self.context.settings
        self._filling = True
        self.show_heading(words("Settings"))
        self.card.refresh_appearance()
        name_widget(self.tabs, words("Settings"))
        for number, text in enumerate(TABS):
            self.tabs.setTabText(number, words(text))
        for form in self._forms:
            form.retranslate(words)
        widest = max(form.label_width for form in self._forms)
        for form in self._forms:  # no field may move when the tab changes
            form.set_label_width(widest)
        texts = CHOICES | {"reaction": {"usual": DEFAULT_POLICY_LABEL} | POLICY_LABELS}
        for name, choices in texts.items():
            shown = {value: words(text) for value, text in choices.items()}
            chosen = self.context.theme_name if name == "theme" else getattr(settings, name)
            set_choices(self.choices[name], shown, chosen)
        languages = {"auto": words("System default")} | offered_languages()
        set_choices(self.choices["language"], languages, settings.language)
        for name, switch in self.switches.items():
            switch.setText(words(SWITCHES[name]))
            still = name == "reduced_motion" and self.context.reduced_motion
            switch.setChecked(still or getattr(settings, name))
        for name, pause in self.pauses.items():
            pause.setFixedWidth(scale_pixels(self, PAUSE_FIELD_WIDTH_PX))
            pause.setDecimals(1)
            pause.setSuffix(words(" s"))
            pause.setValue(getattr(settings, name) / MS_PER_S)
        self.volume.setValue(settings.volume)
        self.volume.setEnabled(settings.sounds)
        for kind, each in self.kinds.items():
            each.refresh_appearance(kind not in settings.sounds_off, settings.sounds)
        for seat, field in enumerate(self._names):
            if not field.hasFocus():
                field.setText(settings.players[seat] if seat < len(settings.players) else "")
            field.setPlaceholderText(words("Player {n}", n=seat + 1))
            self._fill_language(seat)
        self._ask.setText(words("Ask me"))
        for name, question in self._questions.items():
            question.setText(words(QUESTIONS[name]))
            question.setChecked(settings.confirmations.get(name, True))
        self.keys.refresh_appearance()
        self.defaults.setText(words("Restore defaults"))
        self.defaults.setEnabled(_preferences(settings) != _preferences(Settings()))
        self.undo.setText(words("Undo changes"))
        self.undo.setEnabled(_preferences(settings) != _preferences(self._before))
        self._filling = False

    def _table_page(self) -> QWidget:
        page = QWidget()
        form = self._form(page)
        form.add_field(phrase("Language"), self.choices["language"])
        form.add_explanation(phrase("The language of this window. Players can choose their own."))
        form.add_field(phrase("Theme"), self.choices["theme"])
        form.add_field(phrase("Cards"), self.choices["cards"])
        form.add_field(phrase("Card size"), self.choices["card_size"])
        form.add_explanation(phrase("Size of the cards in your hand."))
        form.add_field(phrase("Speed"), self.choices["animation"])
        form.add_explanation(phrase("How fast cards and pieces move, and how soon bots play."))
        form.addRow("", self.switches["reduced_motion"])
        form.add_field(phrase("Pause before a bot plays"), self.pauses["bot_pause"])
        form.add_explanation(phrase("How long bots wait before they move, at normal speed."))
        return page

    def _sound_page(self) -> QWidget:
        page = QWidget()
        form = self._form(page)
        form.addRow("", self.switches["sounds"])
        form.add_field(phrase("Volume"), self.volume)
        form.add_explanation(phrase("Move the slider to hear a sound."))
        kinds = QWidget()
        grid = QGridLayout(kinds)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(10)
        for number, each in enumerate(self.kinds.values()):
            grid.setColumnStretch(number % 2, 1)
            grid.addWidget(each, number // 2, number % 2)
        form.add_field(phrase("Sounds of"), kinds)
        form.add_field(phrase("Spoken"), self.choices["speech"])
        form.add_explanation(phrase("What a screen reader says during a match."))
        return page

    def _players_page(self) -> QWidget:
        page = QWidget()
        form = self._form(page)
        for text, field, language in zip(NAME_LABELS, self._names, self.languages, strict=True):
            form.add_field(text, field, language)
        form.add_field(phrase("Ask about reactions"), self.choices["reaction"])
        form.add_explanation(
            phrase("“As usual”: always ask; alone against bots, only when you can react.")
        )
        form.add_field(phrase("Pause before a pass"), self.pauses["reaction_pause"])
        form.add_explanation(
            phrase("Every pass takes this long, so nobody can tell whether you could react.")
        )
        form.addRow("", self.switches["second_curtain"])
        form.add_explanation(
            phrase(
                "The table is covered when you minimise the window, and one minute after you "
                "switch to another program. On some systems a locked screen also takes a minute."
            )
        )
        questions = QWidget()
        lay(QVBoxLayout(questions), [*self._questions.values()], spacing=6, margins=0)
        form.addRow(self._ask, questions)
        return page

    def _form(self, page: QWidget) -> NamedForm:
        form = NamedForm(page)
        form.setContentsMargins(0, TAB_MARGIN_PX, 16, 16)
        form.setHorizontalSpacing(20)
        form.setVerticalSpacing(9)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._forms.append(form)
        return form

    def _wire(self) -> None:
        for name, choice in self.choices.items():
            choice.activated.connect(partial(self._choose, name))
        for name, switch in self.switches.items():
            switch.toggled.connect(lambda on, name=name: self._change(**{name: on}))
        for name, pause in self.pauses.items():
            pause.valueChanged.connect(
                lambda value, name=name: self._change(**{name: round(value * MS_PER_S)})
            )
        self.volume.valueChanged.connect(self._turn_volume)
        for kind, heard in self.sound_kinds.items():
            heard.toggled.connect(partial(self._hear_kind, kind))
        for field in self._names:
            field.editingFinished.connect(self._keep_names)
        for seat, language in enumerate(self.languages):
            language.activated.connect(lambda _, seat=seat: self._keep_language(seat))
        for box in self._questions.values():
            box.toggled.connect(lambda _: self._keep_questions())

    def _change(self, **changes: object) -> None:
        if not self._filling:
            self.context.change_settings(**changes)

    def _choose(self, name: str, _: int) -> None:
        changes: dict[str, object] = {name: self.choices[name].currentData()}
        if name == "reaction":  # it applies to everyone here
            changes["reactions"] = {}
        self._change(**changes)

    def _put(self, settings: Settings) -> None:
        self.context.change_settings(**_preferences(settings))

    def _turn_volume(self, volume: int) -> None:
        if not self._filling:
            self._change(volume=volume)
            self.context.sounds.play("lay")

    def _hear_kind(self, kind: str, heard: bool) -> None:
        """Turn the sounds of `kind` on or off, and play a sample after turning them on."""
        off = {each for each in self.context.settings.sounds_off if each != kind}
        self._change(sounds_off=tuple(sorted(off if heard else off | {kind})))
        if heard and not self._filling:
            self.kinds[kind].play()

    def _keep_names(self) -> None:
        names = [clean_name(field.text()) for field in self._names]
        names += self.context.settings.players[len(names) :]
        while names and not names[-1]:
            names.pop()
        self.context.store_settings(players=tuple(names))
        for seat in range(len(NAME_LABELS)):
            self._fill_language(seat)

    def _fill_language(self, seat: int) -> None:
        """Show the language of the player whose name is in the field at index `seat`."""
        words, name = self.context.words, clean_name(self._names[seat].text())
        texts = {"": words("Same as the window")} | offered_languages()
        language = self.languages[seat]
        set_choices(language, texts, self.context.language_of(name) or "")
        language.setEnabled(bool(name))
        name_widget(language, words("{name}'s language", name=name))

    def _keep_language(self, seat: int) -> None:
        name, chosen = clean_name(self._names[seat].text()), self.languages[seat].currentData()
        others = {n: v for n, v in self.context.settings.languages.items() if n != name}
        self.context.store_settings(languages=others | ({name: chosen} if chosen else {}))

    def _keep_questions(self) -> None:
        known = self.context.settings.confirmations
        asked = {name: box.isChecked() for name, box in self._questions.items()}
        changed = {name: on for name, on in asked.items() if on != known.get(name, True)}
        self._change(confirmations=known | changed)


def _preferences(settings: Settings) -> dict[str, object]:
    return {name: value for name, value in asdict(settings).items() if name not in KEPT_SETTINGS}
