"""The dialog that offers to download a table's game from its host, and shows the progress."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QProgressBar, QVBoxLayout, QWidget

from tabletop.language import labels
from tabletop.net.guest.missing_game import GameTransfer, MissingGame
from tabletop.text.phrases import phrase
from tabletop.text.size_text import size_text
from ui.shell.app_context import AppContext
from ui.shell.window_privacy import WindowPrivacy, set_privacy
from ui.widgets.box_layout import lay
from ui.widgets.sheet_dialog import make_sheet
from ui.widgets.styled_widgets import label, set_style_kind

DIALOG_WIDTH_PX = 460
KEPT_SEPARATE_NOTE = phrase(
    "It's kept separate from your own games, and you can remove it from the shelf."
)


class GameDownloadDialog(QDialog):
    """A dialog with the name, version, digest and size
    of the missing game, and later a progress bar.

    `rejected` is emitted if the user declines or cancels.
    """

    download_requested = Signal()
    """Emitted when the user agrees to the download."""

    def __init__(self, context: AppContext, parent: QWidget, lacking: MissingGame) -> None:
        super().__init__(parent)
        set_privacy(self, WindowPrivacy.PUBLIC)
        self._words = words = context.words
        self.setWindowTitle(words("Game not installed"))
        self.setMinimumWidth(DIALOG_WIDTH_PX)
        self.reason = label(wrap=True, text=words.reason(lacking.reason))
        self._kept = label("caption", wrap=True, text=words(KEPT_SEPARATE_NOTE))
        self.bar = QProgressBar(textVisible=False)
        buttons = QDialogButtonBox()
        self.download_button = buttons.addButton(
            words("Download"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        set_style_kind(self.download_button, "primary")
        self.cancel_button = buttons.addButton(
            words("Not now"), QDialogButtonBox.ButtonRole.RejectRole
        )
        self.download_button.setDefault(True)
        buttons.accepted.connect(self._take)
        buttons.rejected.connect(self.reject)
        rows = [self.reason, self._kept, self.bar, buttons]
        self._column = lay(QVBoxLayout(self), rows, spacing=12, margins=(20, 18, 20, 16))
        make_sheet(self, with_title=True)
        self.bar.hide()
        self._fit_height()

    def _fit_height(self) -> None:
        """Resize the dialog so that all lines are visible.
        Qt's initial size doesn't consider word wrap.
        """
        self.reason.ensurePolished()
        self.resize(DIALOG_WIDTH_PX, self._column.totalHeightForWidth(DIALOG_WIDTH_PX))

    def show_progress(self, transfer: GameTransfer) -> None:
        """Show the progress of the download."""
        self.bar.setRange(0, max(1, transfer.total_bytes))
        self.bar.setValue(transfer.received_bytes)
        so_far, whole = size_text(transfer.received_bytes), size_text(transfer.total_bytes)
        self._kept.setText(self._words("{done} of {whole}", done=so_far, whole=whole))

    def _take(self) -> None:
        self.download_button.hide()
        self.cancel_button.setText(self._words(labels.CANCEL))
        self.bar.show()
        self._fit_height()
        self.download_requested.emit()
