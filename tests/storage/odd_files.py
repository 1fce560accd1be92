"""Odd things in the place of a file: each function puts one there."""

import os
import random
import socket
from collections.abc import Callable
from pathlib import Path

HUGE = 700 * 1024 * 1024
"""More than any of the files may hold; sparse, so that it takes no room."""


def bound_socket(path: Path) -> None:
    here = os.open(path.parent, os.O_RDONLY)  # the name of a socket must be short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(f"/proc/self/fd/{here}/{path.name}")
    finally:
        os.close(here)


def huge(path: Path) -> None:
    path.touch()
    os.truncate(path, HUGE)


ODD: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo if hasattr(os, "mkfifo") else Path.touch,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "terminal": lambda path: path.symlink_to("/dev/tty"),
    "socket": bound_socket,
    "folder": Path.mkdir,
    "full folder": lambda path: (path / "inside").mkdir(parents=True),
    "loop": lambda path: path.symlink_to(path.name),
    "unreadable": lambda path: path.write_bytes(b"{}"),  # and then forbidden
    "noise": lambda path: path.write_bytes(random.Random("noise").randbytes(5000)),
    "zeros": lambda path: path.write_bytes(bytes(5000)),
    "huge": huge,
    "empty": Path.touch,
    "nothing behind it": lambda path: path.symlink_to("gone"),
}
