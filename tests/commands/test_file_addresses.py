"""The addresses by which desktops and browsers name a file on the command line."""

import socket
from pathlib import Path

import pytest

from tabletop.commands import command_line

STARTS = ("file://", "file://localhost", "FILE://", "file:", f"file://{socket.gethostname()}", "")


@pytest.mark.parametrize("start", STARTS)
def test_a_file_is_named_by_its_address(
    start: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "my match.tabletop"
    file.write_bytes(b"")
    opened: list[list[str]] = []
    monkeypatch.setattr(command_line, "open_window", lambda files, public: opened.append(files))
    path = str(file).replace(" ", "%20") if start else str(file)
    command_line.main([start + path])
    assert opened == [[str(file)]]
