"""The operating system's accessibility preferences: high contrast, reduced motion, text scale."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, Qt, Signal
from PySide6.QtGui import QGuiApplication

from ui.shell.desktop_bus import Endpoint, ask

if TYPE_CHECKING:
    from PySide6.QtDBus import QDBusMessage

PORTAL = Endpoint(
    "org.freedesktop.portal.Desktop",
    "/org/freedesktop/portal/desktop",
    "org.freedesktop.portal.Settings",
)
APPEARANCE, GNOME = "org.freedesktop.appearance", "org.gnome.desktop.interface"
ANIMATED = 0x1042
"""SPI_GETCLIENTAREAANIMATION: whether Windows animates controls inside windows."""
EASE_OF_ACCESS = "HKEY_CURRENT_USER\\Software\\Microsoft\\Accessibility"
LARGEST = 3.0
"""The largest plausible text scale; larger values are ignored."""


class SystemPreferences(QObject):
    """The system's accessibility preferences, at their defaults until `query` is called."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.contrast = False
        """Whether the system prefers high contrast."""
        self.still = False
        """Whether the system prefers reduced motion."""
        self.text_scale = 1.0
        """The text scale factor beyond the one that Qt applies itself."""

    def ask(self) -> None:
        """Read the preferences, and follow changes of the contrast.

        A Linux desktop answers later or never.
        """
        style = QGuiApplication.styleHints()  # PySide6 frees the hints below together with this
        hints = style.accessibility()
        hints.contrastPreferenceChanged.connect(self._note_contrast)
        self._note_contrast(hints.contrastPreference())
        if sys.platform == "win32":
            self._note_stillness(not _windows_moves())
            self._note_text_scale(_windows_text_scale())
        elif sys.platform == "linux":
            self._ask_desktop()

    def _ask_desktop(self) -> None:
        self._read(APPEARANCE, "reduced-motion", lambda kept: self._note_stillness(kept == 1))
        self._read(GNOME, "enable-animations", lambda kept: self._note_stillness(kept is False))
        # under X11 the desktop passes its factor to Qt as a higher screen resolution
        if QGuiApplication.platformName().startswith("wayland"):
            scale = "text-scaling-factor"
            self._read(GNOME, scale, lambda kept: self._note_text_scale(_scale(kept, 1.0)))

    def _read(self, group: str, name: str, take: Callable[[object], None]) -> None:
        """Read a desktop setting; `take` isn't called if the setting doesn't exist."""
        from PySide6.QtDBus import QDBusConnection

        bus = QDBusConnection.sessionBus()
        if bus.isConnected():
            ask(self, bus, PORTAL, "Read", (group, name), lambda answer: _open(answer, take))

    def _note_stillness(self, still: bool) -> None:
        if still and not self.still:
            self.still = True
            self.changed.emit()

    def _note_text_scale(self, scale: float) -> None:
        if scale != self.text_scale:
            self.text_scale = scale
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
    """Return the text scale of Windows' ease of access, which Qt ignores."""
    kept = QSettings(EASE_OF_ACCESS, QSettings.Format.NativeFormat).value("TextScaleFactor", 100)
    return _scale(kept, 100)


def _open(answer: QDBusMessage | None, take: Callable[[object], None]) -> None:
    """Pass the value in `answer` to `take`, unwrapping the nested variants of older portals."""
    from PySide6.QtDBus import QDBusVariant

    value = answer.arguments()[0] if answer is not None and answer.arguments() else None
    while isinstance(value, QDBusVariant):
        value = value.variant()
    if value is not None:
        take(value)


def _scale(value: object, usual: float) -> float:
    """Return `value` divided by `usual` as a text scale; 1.0 if it isn't a plausible one."""
    try:
        factor = float(str(value)) / usual
    except ValueError:
        return 1.0
    return factor if 1.0 <= factor <= LARGEST else 1.0
