"""The plugins and font features that the program needs from Qt.

`packaging/tabletop.spec` packs only these plugins, `packaging/fonts.py` keeps these features, and
`packaging/modules.py` makes a package check itself with `find_missing`. Run from source, the
program checks itself at the start.
"""

import struct
import sys
from collections.abc import Iterator
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import NamedTuple

import noto_cjk
from PySide6.QtCore import QCoreApplication, QPluginLoader

EVERYWHERE = ("linux", "win32", "darwin")
LINUX, WINDOWS, MAC = (("linux",), ("win32",), ("darwin",))


class QtPlugin(NamedTuple):
    """A Qt plugin: its folder, its name, and the platforms (`sys.platform`) that need it."""

    folder: str
    name: str
    systems: tuple[str, ...] = EVERYWHERE

    @property
    def file_name(self) -> str:
        """The plugin's file name on this platform."""
        return f"{self.name}.dll" if sys.platform == "win32" else f"lib{self.name}{_SUFFIX}"


_SUFFIX = ".dylib" if sys.platform == "darwin" else ".so"

PLUGINS = (
    QtPlugin("iconengines", "qsvgicon"),
    QtPlugin("imageformats", "qjpeg"),  # photographs on cards of free tables
    QtPlugin("imageformats", "qsvg"),
    QtPlugin("imageformats", "qwebp"),  # pictures for phones
    QtPlugin("platforms", "qoffscreen"),  # pictures drawn by commands and for phones
    QtPlugin("platforms", "qxcb", LINUX),
    QtPlugin("platforms", "qwayland", LINUX),
    QtPlugin("platforms", "qwindows", WINDOWS),
    QtPlugin("platforms", "qcocoa", MAC),
    QtPlugin("platforminputcontexts", "ibusplatforminputcontextplugin", LINUX),  # fcitx uses it too
    QtPlugin("platforminputcontexts", "composeplatforminputcontextplugin", LINUX),
    # GTK's theme would need the build machine's GTK
    QtPlugin("platformthemes", "qxdgdesktopportal", LINUX),
    QtPlugin("printsupport", "cupsprintersupport", LINUX),  # other systems print without one
    QtPlugin("styles", "qmodernwindowsstyle", WINDOWS),
    QtPlugin("styles", "qmacstyle", MAC),
    QtPlugin("wayland-decoration-client", "bradient", LINUX),
    QtPlugin("wayland-shell-integration", "xdg-shell", LINUX),
)

FONT_STYLES = ("regular", "bold")
FONT_FEATURES = ("ccmp", "kern", "liga", "locl")
"""The font features needed for shaping: combining characters, kerning, ligatures and
language-specific forms. Without them, an English … isn't on the baseline.
"""


def required_plugins() -> tuple[QtPlugin, ...]:
    """Return the plugins that this platform needs."""
    return tuple(each for each in PLUGINS if sys.platform in each.systems)


def find_missing(load: bool = False) -> list[str]:
    """Return a sentence for each missing plugin and font
    feature. If `load`, also try to load every plugin.
    """
    return [*_missing_plugins(load), *_missing_features()]


def _missing_plugins(load: bool) -> Iterator[str]:
    places = [Path(place) for place in QCoreApplication.libraryPaths()]
    for each in required_plugins():
        found = [place / each.folder / each.file_name for place in places]
        file = next((file for file in found if file.is_file()), None)
        if file is None:
            yield f"Qt lacks its plugin {each.folder}/{each.name}."
        elif load and not (loader := QPluginLoader(str(file))).load():
            yield f"Qt can't load its plugin {each.folder}/{each.name}: {loader.errorString()}"


def _missing_features() -> Iterator[str]:
    for style in FONT_STYLES:
        path = noto_cjk.font_path("sans", "jp", style)
        lacks = sorted(set(FONT_FEATURES) - read_font_features(path))
        if lacks:
            yield f"The font {path.name} lacks {', '.join(lacks)}."


def read_font_features(path: Path) -> set[str]:
    """Return the OpenType features of the font at `path`."""
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as font:
        return set(_features_in(font))


def _features_in(font: mmap) -> Iterator[str]:
    """Yield the features listed in the tables GSUB and GPOS of `font`."""
    (count,) = struct.unpack_from(">H", font, 4)
    for entry in range(count):
        tag, _, table, _ = struct.unpack_from(">4sIII", font, 12 + 16 * entry)
        if tag in (b"GSUB", b"GPOS"):
            listed = table + struct.unpack_from(">H", font, table + 6)[0]
            (features,) = struct.unpack_from(">H", font, listed)
            for number in range(features):
                yield font[listed + 2 + 6 * number :][:4].decode("ascii")
