"""The dialog that offers to download a table's game from its host if the game isn't installed."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from tabletop.engine.model import Reason
from tabletop.net.guest.missing_game import GameTransfer, MissingGame
from ui.online.remote_table import RemoteTable
from ui.received.take_game_dialog import GameDownloadDialog
from ui.shell.app_context import AppContext

LEFT = Reason("You left the table because its game isn't installed here.")


class GameOffer(QObject):
    """Shows the download dialog for one table; deleted together with the table."""

    def __init__(self, context: AppContext, parent: QWidget, remote: RemoteTable) -> None:
        super().__init__(remote)
        self._context = context
        self._parent = parent
        self._remote = remote
        self.dialog: GameDownloadDialog | None = None
        remote.game_missing.connect(self._show_dialog)
        remote.download_progressed.connect(self._show_progress)
        remote.connection_ended.connect(self._close_dialog)
        remote.changed.connect(self._on_changed)

    def _show_dialog(self, missing: MissingGame) -> None:
        self._close_dialog()
        self.dialog = dialog = GameDownloadDialog(self._context, self._parent, missing)
        dialog.download_requested.connect(self._remote.download_game)
        dialog.rejected.connect(self._on_rejected)
        self.destroyed.connect(dialog.deleteLater)  # if the table is left
        dialog.open()

    def _show_progress(self, transfer: GameTransfer) -> None:
        if self.dialog is not None:
            self.dialog.show_progress(transfer)

    def _on_changed(self) -> None:
        if self._remote.info is not None:
            self._close_dialog()

    def _on_rejected(self) -> None:
        if self.dialog is not None:
            self._remote.connection_ended.emit(LEFT)

    def _close_dialog(self, *_: object) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.close()
            dialog.deleteLater()
