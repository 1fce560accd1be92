"""The offer to take a table's game from its host, where it is not here."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from tabletop.engine.model import Reason
from tabletop.net.guest.missing_game import GameTransfer, MissingGame
from ui.online.remote_table import RemoteTable
from ui.received.take_game_dialog import GameDownloadDialog
from ui.shell.app_context import AppContext

LEFT = Reason("You left the table because its game isn't installed here.")


class GameOffer(QObject):
    """The dialog at one table; it goes with the table."""

    def __init__(self, context: AppContext, parent: QWidget, remote: RemoteTable) -> None:
        super().__init__(remote)
        self._context = context
        self._parent = parent
        self._remote = remote
        self.dialog: GameDownloadDialog | None = None
        remote.lacking.connect(self._ask)
        remote.fetching.connect(self._show)
        remote.ended.connect(self._put_away)
        remote.changed.connect(self._look)

    def _ask(self, lacking: MissingGame) -> None:
        self._put_away()
        self.dialog = dialog = GameDownloadDialog(self._context, self._parent, lacking)
        dialog.download_requested.connect(self._remote.take_game)
        dialog.rejected.connect(self._end_visit)
        self.destroyed.connect(dialog.deleteLater)  # the table was left for another
        dialog.open()

    def _show(self, transfer: GameTransfer) -> None:
        if self.dialog is not None:
            self.dialog.show_progress(transfer)

    def _look(self) -> None:
        if self._remote.info is not None:
            self._put_away()

    def _end_visit(self) -> None:
        if self.dialog is not None:
            self._remote.ended.emit(LEFT)

    def _put_away(self, *_: object) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.close()
            dialog.deleteLater()
