"""The system's accessibility preferences: high contrast, reduced motion and text scale."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, Qt, Signal
from PySide6.QtGui import QGuiApplication

from ui.shell.desktop_bus import Endpoint, call_async

if TYPE_CHECKING:
    from PySide6.QtDBus import QDBusMessage

PORTAL = Endpoint(
    "org.freedesktop.portal.Desktop",
    "/org/freedesktop/portal/desktop",
    "org.freedesktop.portal.Settings",
)
APPEARANCE, GNOME = "org.freedesktop.appearance", "org.gnome.desktop.interface"
GET_CLIENT_AREA_ANIMATION = 0x1042
"""SPI_GETCLIENTAREAANIMATION, which tells whether Windows animates controls inside windows."""
ACCESSIBILITY_KEY = "HKEY_CURRENT_USER\\Software\\Microsoft\\Accessibility"
MAX_TEXT_SCALE = 3.0
"""The largest plausible text scale; larger values are ignored."""


class SystemPreferences(QObject):
    """The system's accessibility preferences. They have default values until `query` is called."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.high_contrast = False
        """Whether the system prefers high contrast."""
        self.reduced_motion = False
        """Whether the system prefers reduced motion."""
        self.text_scale = 1.0
        """The text scale factor, without the scaling that Qt applies itself."""

    def query(self) -> None:
        """Read the preferences, and follow later changes of the contrast.

        A Linux desktop answers asynchronously or not at all.
        """
        style = QGuiApplication.styleHints()  # PySide6 frees the hints below together with this
        hints = style.accessibility()
        hints.contrastPreferenceChanged.connect(self._on_contrast_changed)
        self._on_contrast_changed(hints.contrastPreference())
        if sys.platform == "win32":
            self._set_reduced_motion(not _windows_animates())
            self._set_text_scale(_windows_text_scale())
        elif sys.platform == "linux":
            self._query_desktop()

    def _query_desktop(self) -> None:
        self._read_setting(
            APPEARANCE, "reduced-motion", lambda value: self._set_reduced_motion(value == 1)
        )
        self._read_setting(
            GNOME, "enable-animations", lambda value: self._set_reduced_motion(value is False)
        )
        # under X11 the desktop passes its factor to Qt as a higher screen resolution
        if QGuiApplication.platformName().startswith("wayland"):
            scale = "text-scaling-factor"
            self._read_setting(GNOME, scale, lambda value: self._set_text_scale(_scale(value, 1.0)))

    def _read_setting(self, group: str, name: str, on_value: Callable[[object], None]) -> None:
        """Read a desktop setting, and call `on_value` with its value if the setting exists."""
        from PySide6.QtDBus import QDBusConnection

        bus = QDBusConnection.sessionBus()
        if bus.isConnected():
            call_async(
                self, bus, PORTAL, "Read", (group, name), lambda answer: _unwrap(answer, on_value)
            )

    def _set_reduced_motion(self, reduced: bool) -> None:
        if reduced and not self.reduced_motion:
            self.reduced_motion = True
            self.changed.emit()

    def _set_text_scale(self, scale: float) -> None:
        if scale != self.text_scale:
            self.text_scale = scale
            self.changed.emit()

    def _on_contrast_changed(self, preference: Qt.ContrastPreference) -> None:
        contrast = preference is Qt.ContrastPreference.HighContrast
        if contrast != self.high_contrast:
            self.high_contrast = contrast
            self.changed.emit()


def _windows_animates() -> bool:
    import ctypes

    animates = ctypes.c_int(1)
    user32 = ctypes.windll.user32  # type: ignore[attr-defined]
    user32.SystemParametersInfoW(GET_CLIENT_AREA_ANIMATION, 0, ctypes.byref(animates), 0)
    return bool(animates.value)


def _windows_text_scale() -> float:
    """Return the text scale in Windows' accessibility settings, which Qt ignores."""
    value = QSettings(ACCESSIBILITY_KEY, QSettings.Format.NativeFormat).value(
        "TextScaleFactor", 100
    )
    return _scale(value, 100)


def _unwrap(answer: QDBusMessage | None, on_value: Callable[[object], None]) -> None:
    """Pass the value in `answer` to `on_value`, unwrapping the nested variants of older portals."""
    from PySide6.QtDBus import QDBusVariant

    value = answer.arguments()[0] if answer is not None and answer.arguments() else None
    while isinstance(value, QDBusVariant):
        value = value.variant()
    if value is not None:
        on_value(value)


def _scale(value: object, base: float) -> float:
    """Return `value` divided by `base` as a text scale; 1.0 if that isn't plausible."""
    try:
        factor = float(str(value)) / base
    except ValueError:
        return 1.0
    return factor if 1.0 <= factor <= MAX_TEXT_SCALE else 1.0
