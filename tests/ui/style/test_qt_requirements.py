"""The requirements of Qt and of the fonts are in one list, and are met here."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QImageReader
from PySide6.QtPrintSupport import QPrinterInfo

from ui import program
from ui.style import qt_requirements
from ui.style.card_pictures import KINDS
from ui.style.qt_requirements import (
    FONT_STYLES,
    PLUGINS,
    QtPlugin,
    find_missing,
    read_font_features,
)

ROOT = Path(__file__).parents[3]


def test_nothing_is_lacking_here() -> None:
    assert find_missing(load=True) == []


def test_a_plugin_that_is_lacking_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qt_requirements, "PLUGINS", (*PLUGINS, QtPlugin("imageformats", "qgone")))
    assert find_missing() == ["Qt lacks its plugin imageformats/qgone."]


def test_a_plugin_that_cannot_be_loaded_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = QtPlugin("imageformats", "qbroken")
    (tmp_path / "imageformats").mkdir()
    (tmp_path / "imageformats" / broken.file_name).write_bytes(b"no library")
    QCoreApplication.addLibraryPath(str(tmp_path))
    try:
        monkeypatch.setattr(qt_requirements, "PLUGINS", (broken,))
        assert find_missing() == []
        (said,) = find_missing(load=True)
    finally:
        QCoreApplication.removeLibraryPath(str(tmp_path))
    assert said.startswith("Qt can't load its plugin imageformats/qbroken: ")


def test_a_feature_that_fonts_are_lacking_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qt_requirements, "FONT_FEATURES", ("kern", "none"))
    said = find_missing()
    assert len(said) == len(FONT_STYLES)
    assert all(sentence.endswith("lacks none.") for sentence in said)


def test_every_kind_of_picture_on_cards_has_its_plugin() -> None:
    named = {each.name for each in PLUGINS if each.folder == "imageformats"}
    built_in = {".png"}
    kinds = {{".jpg": ".jpeg"}.get(kind, kind) for kind in KINDS} - built_in
    assert {f"q{kind[1:]}" for kind in kinds} <= named
    assert {kind[1:] for kind in KINDS} <= {
        bytes(each.data()).decode() for each in QImageReader.supportedImageFormats()
    }


def test_linux_prints_by_cups() -> None:
    assert QtPlugin("printsupport", "cupsprintersupport", ("linux",)) in PLUGINS
    QPrinterInfo.availablePrinterNames()  # loads it


def test_the_list_of_carried_libraries_has_every_plugin() -> None:
    listed = (ROOT / "packaging" / "carried.txt").read_text(encoding="utf-8")
    carried = set(re.findall(r"^PySide6/Qt/plugins/(.+)/lib(.+)\.so$", listed, re.MULTILINE))
    assert carried == {(each.folder, each.name) for each in PLUGINS if "linux" in each.systems}


def test_a_run_from_source_says_what_is_lacking(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(qt_requirements, "PLUGINS", (QtPlugin("imageformats", "qgone"),))
    program.log_missing_qt_parts()
    assert "Qt lacks its plugin imageformats/qgone." in caplog.text


def test_features_are_read_from_both_tables_of_a_font() -> None:
    path = qt_requirements.noto_cjk.font_path("sans", "jp", "regular")
    assert {"locl", "kern"} <= read_font_features(path)
