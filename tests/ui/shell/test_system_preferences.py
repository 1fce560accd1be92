"""What the system asks for is followed where nobody has chosen anything."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import asdict
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from tabletop.storage import settings
from tabletop.storage.settings import Settings
from ui.settings.settings_screen import SettingsScreen
from ui.shell.app_context import AppContext
from ui.widgets import styled_widgets
from ui.widgets.styled_widgets import ScalingMixin, scale_factor_in

pytestmark = pytest.mark.usefixtures("qapp")
ROOT = Path(__file__).parents[3]
ASKED = """
import sys
from PySide6.QtDBus import QDBusPendingCallWatcher
from PySide6.QtGui import QGuiApplication
program = QGuiApplication([])
QGuiApplication.platformName = lambda: sys.argv[1]
from ui.shell.system_preferences import SystemPreferences
wishes = SystemPreferences()
wishes.query()
print(len(wishes.findChildren(QDBusPendingCallWatcher)), "waited for by nobody")
while sys.argv[2] != "hangs" and wishes.findChildren(QDBusPendingCallWatcher):
    program.processEvents()
print(wishes.reduced_motion, wishes.text_scale)
"""
"""Asks the desktop that is said to be on this platform."""


def wish(context: AppContext, *, contrast: bool = False, still: bool = False) -> None:
    context.system_preferences.high_contrast, context.system_preferences.reduced_motion = (
        contrast,
        still,
    )
    context.system_preferences.changed.emit()


def test_contrast_and_little_motion_are_followed(qtbot: QtBot) -> None:
    context = AppContext(Settings())
    page = SettingsScreen(context)
    qtbot.addWidget(page)
    wish(context, contrast=True, still=True)
    assert (context.theme.name, context.animation_speed) == ("contrast", "off")
    assert page.choices["theme"].currentData() == "contrast"
    assert page.switches["reduced_motion"].isChecked()
    wish(context)
    assert (context.theme.name, context.animation_speed) == ("light", "normal")
    assert page.choices["theme"].currentData() == "light"
    assert not page.switches["reduced_motion"].isChecked()


def test_what_was_chosen_holds_against_the_system(home: Path) -> None:
    context = AppContext(Settings(theme="dark"))
    wish(context, contrast=True, still=True)
    assert (context.theme.name, context.animation_speed) == ("dark", "off")
    context.change_settings(theme="light")
    assert context.theme.name == "light", "somebody has chosen it"
    context.change_settings(reduced_motion=False)
    assert context.animation_speed == "normal"
    context.close()  # all is written
    again, _ = settings.load()
    assert again.followed == ()


def test_defaults_follow_again(home: Path) -> None:
    context = AppContext(Settings())
    wish(context, contrast=True)
    context.change_settings(theme="light")
    assert context.theme.name == "light"
    context.change_settings(**asdict(Settings()))
    assert context.theme.name == "contrast"
    context.close()


def test_qt_tells_of_high_contrast_as_it_comes() -> None:
    context = AppContext(Settings())
    context.system_preferences.query()
    style = QGuiApplication.styleHints()
    hints = style.accessibility()
    hints.contrastPreferenceChanged.emit(Qt.ContrastPreference.HighContrast)
    assert context.theme.name == "contrast"
    hints.contrastPreferenceChanged.emit(Qt.ContrastPreference.NoPreference)
    assert context.theme.name == "light"


def test_larger_letters_are_followed_as_far_as_there_is_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    small, roomy = QSize(1024, 600), QSize(2560, 1440)
    usual = scale_factor_in(roomy)
    monkeypatch.setattr(ScalingMixin, "text_scale", 1.5)
    assert scale_factor_in(small) == 1.0
    assert scale_factor_in(QSize(1280, 800)) == pytest.approx(1.2)
    assert usual * 1.4 < scale_factor_in(roomy) <= styled_widgets.MAX_GROWTH


needs_bus = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("dbus-run-session") is None,
    reason="a desktop's portal is Linux', and is met on a bus",
)


def asked(platform: str, *portal: str, hangs: bool = False) -> list[str]:
    """The wishes of a desktop that has this portal, on this platform."""
    ask = [sys.executable, "-c", ASKED, platform, "hangs" if hangs else ""]
    said = subprocess.run(
        ["dbus-run-session", "--", *portal, *ask],
        cwd=ROOT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=300,
    )
    return said.stdout.splitlines()


def portal_with(*words: str) -> list[str]:
    return [sys.executable, "-m", "tests.ui.shell.portal", *words, "--"]


@needs_bus
@pytest.mark.parametrize(
    ("answers", "platform", "wished"),
    [
        (["reduced-motion=u 1", "text-scaling-factor=d 1.5"], "xcb", "True 1.0"),
        (["reduced-motion=u 1", "text-scaling-factor=d 1.5"], "wayland", "True 1.5"),
        (["enable-animations=b 0", "text-scaling-factor=d 90"], "wayland", "True 1.0"),
        (["enable-animations=b 1"], "wayland", "False 1.0"),
    ],
    ids=["X11", "Wayland", "GNOME", "nothing"],
)
def test_a_desktops_portal_is_asked(answers: list[str], platform: str, wished: str) -> None:
    assert asked(platform, *portal_with(*answers))[-1] == wished


@needs_bus
def test_nobody_waits_for_a_desktop() -> None:
    waiting = ["3 waited for by nobody", "False 1.0"]
    assert asked("wayland") == waiting
    assert asked("wayland", *portal_with("hangs=b 1"), hangs=True) == waiting
