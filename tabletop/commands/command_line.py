"""The command line. If no command is given, the window opens without loading a command's module."""

import errno
import os
import signal
import sys
import threading
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from tabletop.commands.window import PUBLIC_OPTION, is_file, is_folder, is_link, open_window
from tabletop.files.file_url import path_from_url
from tabletop.files.folders import SUFFIX


def main(arguments: list[str]) -> int:
    """Run the command line and return the exit status.

    Every error is printed as one sentence. In Python's development mode (`-X dev`), internal errors
    show their traceback.
    """
    before = signal.getsignal(signal.SIGINT)
    try:
        try:
            _set_interrupt_handler(signal.default_int_handler)
            return _run_and_report([path_from_url(word) or word for word in arguments])
        finally:
            _set_interrupt_handler(before)
    except KeyboardInterrupt:  # a second Ctrl+C during the cleanup too
        _set_interrupt_handler(before)
        return 130


def _set_interrupt_handler(handler: Any) -> None:
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, handler)


def _run_and_report(words: list[str]) -> int:
    out: TextIO | None = sys.stdout  # None without a console
    for stream in (out, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding=_encoding(stream), errors="replace")
    try:
        try:
            code = _run(words)
        finally:
            if out:
                out.flush()
    except Exception as error:
        if _is_closed_pipe(error):
            _discard_output()
            return 1
        return _report_refusal(error)
    return code


def _encoding(stream: TextIO) -> str | None:
    """Return the encoding to set for `stream`; None to keep its own.

    Files and pipes use UTF-8, because Windows would use cp1252 or cp932. A terminal keeps its
    encoding, and characters that it lacks, such as 卓, become "?". Only ASCII, the default of the
    "C" locale, is replaced by UTF-8.
    """
    if os.environ.get("PYTHONIOENCODING"):
        return None
    plain = stream.encoding.lower() in ("ascii", "us-ascii", "ansi_x3.4-1968", "646")
    return "utf-8" if plain or not stream.isatty() else None


def _is_closed_pipe(error: Exception) -> bool:
    """Return whether `error` means that the output pipe is closed.

    Windows reports this as an invalid argument.
    """
    return isinstance(error, BrokenPipeError) or (
        sys.platform == "win32"
        and isinstance(error, OSError)
        and error.errno == errno.EINVAL
        and error.filename is None
    )


def _report_refusal(error: Exception) -> int:
    from tabletop.catalogue.catalogue import BrokenGame, UnknownGame
    from tabletop.commands.usage import UsageError, refuse
    from tabletop.files.errors import BadFile, StorageError
    from tabletop.games.typed_toml import BrokenFile

    if isinstance(error, UsageError):
        return refuse(getattr(error, "format_message", error.__str__)())
    if isinstance(error, UnknownGame | BrokenGame | BrokenFile | BadFile | StorageError):
        return refuse(str(error))
    if isinstance(error, OSError):
        _discard_output()
        return refuse(_refusal_text(error))
    if sys.flags.dev_mode:
        raise error
    return refuse(f"This can't be done: {type(error).__name__}: {error}")


def _refusal_text(error: OSError) -> str:
    """Return a message for an operating system error that no command has handled."""
    name = error.filename
    place = f' "{Path(os.fsdecode(name)).name}"' if isinstance(name, str | bytes) else ""
    return f"The system refuses{place}: {error.strerror or error}."


def _discard_output() -> None:
    """Flush standard output. If it is closed, redirect it so that Python's exit doesn't fail."""
    with suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()
        return
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(words: list[str]) -> int:
    public = words[:1] == [PUBLIC_OPTION]
    named = words[public:]
    if not named or named[0].endswith(SUFFIX) or is_link(named[0]):
        return open_window(named, public)
    from tabletop.commands import all_commands

    if named[0] not in all_commands.COMMANDS:
        if is_file(named[0]):
            return open_window(named, public)
        if len(named) == 1 and is_folder(named[0]):
            from tabletop.commands.agreement import resolve_game_id

            return open_window([], public, resolve_game_id(named[0]))
    return all_commands.run(words)
