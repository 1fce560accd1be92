"""What the system asks of its programs for those who see or bear less: high contrast, little
motion, larger text."""

from __future__ import annotations

import sys

from PySide6.QtCore import QObject, QSettings, Qt, Signal
from PySide6.QtGui import QGuiApplication

PORTAL = "org.freedesktop.portal.Desktop"
PORTAL_PATH = "/org/freedesktop/portal/desktop"
PORTAL_SETTINGS = "org.freedesktop.portal.Settings"
APPEARANCE, GNOME = "org.freedesktop.appearance", "org.gnome.desktop.interface"
PATIENCE = 500
"""Milliseconds after which the desktop does not answer any more."""
ANIMATED = 0x1042
"""SPI_GETCLIENTAREAANIMATION: whether Windows moves what is in its windows."""
EASE_OF_ACCESS = "HKEY_CURRENT_USER\\Software\\Microsoft\\Accessibility"
LARGEST = 3.0
"""The greatest factor of letters that a system can mean."""


class SystemWishes(QObject):
    """The wishes of this computer's system; none before `ask`."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.contrast = False
        """Whether everything is to be in high contrast."""
        self.still = False
        """Whether nothing is to move that need not."""
        self.text_scale = 1.0
        """The factor of letters, where Qt does not know it."""

    def ask(self) -> None:
        """Ask the system; high contrast is followed from now on."""
        style = QGuiApplication.styleHints()  # with which PySide6 lets go of what it gave
        hints = style.accessibility()
        hints.contrastPreferenceChanged.connect(self._note_contrast)
        self._note_contrast(hints.contrastPreference())
        if sys.platform == "win32":
            self.still, self.text_scale = not _windows_moves(), _windows_text_scale()
        elif sys.platform == "linux":
            self.still, self.text_scale = _desktop_wishes()
        if self.still or self.text_scale != 1.0:
            self.changed.emit()

    def _note_contrast(self, wished: Qt.ContrastPreference) -> None:
        contrast = wished is Qt.ContrastPreference.HighContrast
        if contrast != self.contrast:
            self.contrast = contrast
            self.changed.emit()


def _windows_moves() -> bool:
    import ctypes

    moves = ctypes.c_int(1)
    ctypes.windll.user32.SystemParametersInfoW(ANIMATED, 0, ctypes.byref(moves), 0)  # type: ignore[attr-defined]
    return bool(moves.value)


def _windows_text_scale() -> float:
    """The factor of letters of Windows' ease of access, which Qt does not take."""
    kept = QSettings(EASE_OF_ACCESS, QSettings.Format.NativeFormat).value("TextScaleFactor", 100)
    return _scale(kept, 100)


def _desktop_wishes() -> tuple[bool, float]:
    """Whether the desktop wants nothing to move, and its factor of letters."""
    from PySide6.QtDBus import QDBus, QDBusConnection, QDBusMessage, QDBusVariant

    bus = QDBusConnection.sessionBus()
    if not bus.isConnected():
        return False, 1.0

    def read(group: str, name: str) -> object:
        question = QDBusMessage.createMethodCall(PORTAL, PORTAL_PATH, PORTAL_SETTINGS, "Read")
        question.setArguments([group, name])
        answer = bus.call(question, QDBus.CallMode.Block, PATIENCE)
        value = answer.arguments()[0] if answer.arguments() else None
        while isinstance(value, QDBusVariant):
            value = value.variant()
        return value if answer.type() is QDBusMessage.MessageType.ReplyMessage else None

    still = read(APPEARANCE, "reduced-motion") == 1 or read(GNOME, "enable-animations") is False
    # under X11 the desktop tells Qt its factor as a finer screen
    wayland = QGuiApplication.platformName().startswith("wayland")
    return still, _scale(read(GNOME, "text-scaling-factor"), 1.0) if wayland else 1.0


def _scale(value: object, usual: float) -> float:
    """A factor of letters; 1 where it is none."""
    try:
        factor = float(str(value)) / usual
    except ValueError:
        return 1.0
    return factor if 1.0 <= factor <= LARGEST else 1.0
