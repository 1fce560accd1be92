"""Two real windows in two processes: one hosts, the other joins, both play a game to its end."""

import os
import subprocess
import sys
from pathlib import Path

from tests.net.loopback import HANGS
from tests.ui.child_home import with_templates


def window(home: Path, *arguments: str) -> "subprocess.Popen[str]":
    """A process with a window; with TABLETOP_PICTURES set to a folder it keeps pictures there."""
    environment = os.environ | {
        "TABLETOP_HOME": str(with_templates(home)),
        "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    return subprocess.Popen(
        [sys.executable, "-m", "tests.ui.online.window_process", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env=environment,
    )


def line(player: "subprocess.Popen[str]") -> str:
    return player.stdout.readline().strip()


def test_two_windows_host_join_and_play_to_the_score_sheet(tmp_path: Path) -> None:
    with window(tmp_path / "host", "host") as host:
        code, _, port = line(host).partition(" ")
        assert len(code) == 6
        with window(tmp_path / "guest", "guest", code, port) as guest:
            for player in (host, guest):
                assert line(player).startswith("played ")
            ends = [line(player) for player in (host, guest)]
            chats = [line(player) for player in (host, guest)]
            guest.communicate("", timeout=HANGS)
        host.communicate("", timeout=HANGS)
    assert (host.returncode, guest.returncode) == (0, 0)
    scores = [end.partition(")")[0] for end in ends]
    assert scores[0] == scores[1]
    assert ends[0].endswith("Shuffle and dice verified.")
    assert ends[1].endswith("シャッフルとサイコロが公正だったことを確認しました。")
    for chat in chats:
        assert "Hinata  Welcome!" in chat
        assert "Kaname  よろしくお願いします" in chat


def test_who_plays_at_one_computer_loads_nothing_of_the_network() -> None:
    code = (
        "import sys, ui.app, ui.shelf.shelf_screen, ui.match.screen.table_screen;"
        "import ui.match.local_match;"
        "print(*{'websockets', 'zeroconf', 'cryptography', 'segno', 'spake2'} & set(sys.modules))"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    finished = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert finished.stdout.strip() == ""
