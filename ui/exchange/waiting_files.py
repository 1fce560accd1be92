"""A queue of files that the user opened at the same time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from tabletop.catalogue.game_folders import is_game_folder
from tabletop.exchange.file_kinds import is_named_as_game
from tabletop.storage.record import is_record
from tabletop.text.phrases import phrase
from ui.shell.app_context import AppContext
from ui.widgets.banner import Banner

UNKNOWN = phrase("“{file}” can't be opened.")
SOME_UNKNOWN = phrase("{n} of the files can't be opened.")
OTHER_UNKNOWN = phrase("The other file can't be opened either.")
OTHERS_UNKNOWN = phrase("The other {n} files can't be opened either.")
NEXT_FILE = phrase("The next file is “{file}”.")
FILES_WAITING = phrase("{n} more files wait; the next is “{file}”.")


class FileQueue:
    """Opens the first of several files, and offers to open the next one in the window's banner.

    Closing the banner clears the queue.
    """

    def __init__(
        self, context: AppContext, banner: Banner, open_file: Callable[[Path], None]
    ) -> None:
        self._context = context
        self._banner = banner
        self._open_file = open_file
        self._files: tuple[Path, ...] = ()
        self._odd = ""
        """The message about files that can't be opened; empty if there are none."""
        self._offered = 0
        """The serial number of the banner message that offers the next file; 0 if there is none."""
        self._busy = False
        """Whether a file is being opened, so that banner messages are about that file."""

    def open(self, files: Sequence[Path]) -> None:
        """Open the first of `files`, queue the others, and report those that can't be opened."""
        named = [*dict.fromkeys(files)]
        able = [file for file in named if _can_be_opened(file)]
        odd = [file for file in named if file not in able]
        if not able:  # opening the first one shows the reason
            able, odd = odd[:1], odd[1:]
            one, several = OTHER_UNKNOWN, OTHERS_UNKNOWN
        else:
            one, several = UNKNOWN, SOME_UNKNOWN
        words = self._context.words
        self._files = tuple(able)
        match odd:
            case []:
                self._odd = ""
            case [file]:
                self._odd = words(one, file=file.name)
            case _:
                self._odd = words(several, n=len(odd))
        self._do(self._open_next)

    def show_message(
        self,
        text: str,
        sign: str,
        act: str = "",
        press: Callable[[], None] | None = None,
        code: str = "",
    ) -> None:
        """Show a message in the banner, and offer the next file in the queue.

        The parameters are those of `Banner.show_message`.
        """
        if (
            not self._busy and self._banner.message_number != self._offered
        ):  # the user closed the offer
            self._files, self._odd = (), ""
        if self._files or self._odd:
            words = self._context.words
            text = words.sentences(filter(None, (text, self._odd, self._offer())))
            if self._files and press is None:
                act, press = words("Open the next file"), self._open_next
            if press is not None:
                press = partial(self._go_on, press)
        self._banner.show_message(text, sign, act, press, code)
        self._offered = self._banner.message_number

    def _offer(self) -> str:
        words, waiting = self._context.words, len(self._files)
        if not waiting:
            return ""
        file = self._files[0].name
        return (
            words(FILES_WAITING, n=waiting, file=file)
            if waiting > 1
            else words(NEXT_FILE, file=file)
        )

    def _open_next(self) -> None:
        file, *rest = self._files
        self._files = tuple(rest)
        self._open_file(file)

    def _go_on(self, work: Callable[[], None]) -> None:
        """Run `work`, the action of the banner's button, and drop the message about unreadable
        files, which the user has seen.
        """
        self._odd = ""
        self._do(work)

    def _do(self, work: Callable[[], None]) -> None:
        """Run `work`, then offer the next file unless a message shown by `work` has done so."""
        self._offered, self._busy = 0, True
        try:
            work()
            if (self._files or self._odd) and not self._offered:
                self.show_message("", "info")
        finally:
            self._busy = False


def _can_be_opened(file: Path) -> bool:
    """Return whether `file` looks like a match record or a game."""
    return is_game_folder(file) or is_named_as_game(file) or is_record(file)
