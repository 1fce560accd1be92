"""A folder that is shown, or a file that is opened, is another program's matter."""

import os
import stat
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tabletop.files import user_environment
from ui.widgets import file_dialogs


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems pass nothing on")
def test_it_gets_the_users_own_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    """As in a package, whose start has set paths of libraries."""
    said = tmp_path / "said"
    opener = tmp_path / "bin" / "xdg-open"
    opener.parent.mkdir()
    opener.write_text(f'#!/bin/sh\n{{ echo "$1"; env; }} >"{said}.new"\nmv "{said}.new" "{said}"\n')
    opener.chmod(opener.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(user_environment, "_saved_environment", {})
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setenv("PATH", str(opener.parent) + os.pathsep + os.environ["PATH"])
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    monkeypatch.setenv("QT_PLUGIN_PATH", "/opt/tabletop/plugins")
    monkeypatch.setenv("OF_THE_USER", "はるか")
    assert file_dialogs.open_externally(tmp_path / "my 対局")
    qtbot.waitUntil(said.exists)
    url, *environment = said.read_text(encoding="utf-8").splitlines()
    assert url.startswith("file:///")
    names = {line.partition("=")[0] for line in environment}
    assert not names & {"LD_LIBRARY_PATH", "QT_PLUGIN_PATH"}
    assert "OF_THE_USER=はるか" in environment
