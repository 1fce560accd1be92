"""A check box for encrypting the connection to phones, with an explanation."""

from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from ui.shell.app_context import AppContext
from ui.widgets.box_layout import lay
from ui.widgets.styled_widgets import label


class EncryptionSwitch(QWidget):
    """A check box for the setting `phones_encrypted`; all instances stay in sync."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self.check_box, self.caption = QCheckBox(), label("caption", wrap=True)
        self.check_box.toggled.connect(lambda on: context.change_settings(phones_encrypted=on))
        lay(QVBoxLayout(self), [self.check_box, self.caption], spacing=2, margins=0)
        context.changed.connect(self._on_settings_changed)
        self.refresh_appearance()

    def refresh_appearance(self) -> None:
        """Update the texts and the state."""
        words, encrypted = self._context.words, self._context.settings.phones_encrypted
        self.check_box.setText(words("Encrypt the connection to phones"))
        self.check_box.setChecked(encrypted)
        self.caption.setText(
            words("Encrypted with this computer's certificate. Each phone shows a warning once.")
            if encrypted
            else words("Not encrypted: anyone who records this network's traffic could read hands.")
        )

    def _on_settings_changed(self, changed: frozenset[str]) -> None:
        if "phones_encrypted" in changed:
            self.refresh_appearance()
