"""Programs of others get the user's environment, and nothing that a package has set in it."""

import os
import re
import sys
from pathlib import Path

import pytest

from tabletop.files import user_environment

ROOT = Path(__file__).parents[2]
BUNDLE = "/opt/tabletop/_internal"
OWN = {"HOME": "/home/ann", "PATH": "/usr/bin", "LANG": "ja_JP.UTF-8"}


@pytest.fixture
def packed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", BUNDLE, raising=False)
    monkeypatch.setattr(user_environment, "_saved_environment", {})


def seen(
    monkeypatch: pytest.MonkeyPatch, now: dict[str, str], started: dict[str, str]
) -> dict[str, str]:
    monkeypatch.setattr(os, "environ", now)
    monkeypatch.setattr(user_environment, "_start_environment", lambda: started)
    return user_environment.user_environment()


def test_a_package_takes_its_variables_out(packed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    start = {**OWN, "LD_LIBRARY_PATH": BUNDLE, "_PYI_ARCHIVE_FILE": "/opt/tabletop/tabletop"}
    now = {**start, "QT_PLUGIN_PATH": f"{BUNDLE}/PySide6/Qt/plugins", "QML2_IMPORT_PATH": BUNDLE}
    assert seen(monkeypatch, now, start) == OWN


def test_what_the_user_had_set_comes_back(packed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = {**OWN, "QT_PLUGIN_PATH": "/usr/lib/qt6/plugins", "QT_IM_MODULE": "fcitx"}
    start = {
        **mine,
        "LD_LIBRARY_PATH": f"{BUNDLE}:/usr/local/lib",
        "LD_LIBRARY_PATH_ORIG": "/usr/local/lib",
    }
    now = {**start, "QT_PLUGIN_PATH": f"{BUNDLE}/PySide6/Qt/plugins"}
    found = seen(monkeypatch, now, start)
    assert found == {**mine, "LD_LIBRARY_PATH": "/usr/local/lib"}


def test_an_appimage_leaves_nothing_of_it(packed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    image = {
        "APPIMAGE": "/home/ann/t.AppImage",
        "APPDIR": "/tmp/.mount_t",
        "ARGV0": "t",
        "OWD": "/",
    }
    assert seen(monkeypatch, {**OWN, **image}, {**OWN, **image}) == OWN


def test_the_folder_of_libraries_leaves_the_path(
    packed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = {**OWN, "PATH": os.pathsep.join([BUNDLE, "/usr/bin"])}
    assert seen(monkeypatch, now, {}) == OWN


def test_a_run_from_source_keeps_what_it_began_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_environment, "_saved_environment", {})
    monkeypatch.setattr(os, "environ", dict(OWN))
    user_environment.save_environment()
    os.environ["QT_NO_GUI_THREADPOOL"] = "1"
    assert user_environment.user_environment() == OWN


def test_what_is_lent_comes_back(packed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = os.pathsep.join([BUNDLE, "/usr/bin"])
    monkeypatch.setenv("PATH", whole)
    with user_environment.use_user_environment():
        assert os.environ["PATH"] == "/usr/bin"
    assert os.environ["PATH"] == whole


STARTS = re.compile(
    r"openUrl|\bsubprocess\.\w+\(|QProcess\(|startDetached|os\.startfile|webbrowser\."
)
KNOWN = {
    "tabletop/commands/user_menu.py": "user_environment()",
    "ui/widgets/file_dialogs.py": "user_environment()",
    # this program itself, which needs its package's environment
    "ui/online/phone_gateway.py": "own_process",
    "ui/studio/workshop/trial_session.py": "own_process",
}


def test_every_program_of_others_gets_that_environment() -> None:
    starting = {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
        for package in ("tabletop", "ui")
        for path in (ROOT / package).rglob("*.py")
        if STARTS.search(path.read_text("utf-8"))
    }
    assert starting.keys() == KNOWN.keys()
    for name, text in starting.items():
        assert KNOWN[name] in text, name
