"""The host of a window loads nothing that only a club's server needs."""

import subprocess
import sys
from pathlib import Path

HOSTS = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from ui.online.network_thread import NetworkThread

app = QCoreApplication([])
network = NetworkThread(Path(sys.argv[1]))
network.hosting_started.connect(lambda place: (print("hosting", place.port), app.quit()))
network.hosting_failed.connect(lambda why: (print("failed", why), app.quit()))
network.start_hosting()
app.exec()
network.close()
print([name for name in sys.modules if name.startswith("tabletop.server")])
"""


def test_hosting_in_a_window_loads_no_server(tmp_path: Path) -> None:
    words = [sys.executable, "-c", HOSTS, str(tmp_path / "hosted")]
    hosted = subprocess.run(words, capture_output=True, text=True, timeout=300, check=True)
    first, loaded = hosted.stdout.splitlines()
    assert first.startswith("hosting ")
    assert loaded == "[]"
