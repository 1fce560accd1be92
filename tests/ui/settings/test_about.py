"""The page about the program: whose the games are, what is original, and all licences."""

from importlib.metadata import PathDistribution
from pathlib import Path

import msgspec
import pytest
from PySide6.QtWidgets import QLabel

from tabletop import __version__
from tabletop.catalogue import catalogue
from tests.ui.window_driver import Open, click, page
from ui.settings import licences
from ui.settings.about import AboutScreen, notices
from ui.settings.licences import Licence, licences_in_use, needed_packages, requirements
from ui.shell.language import game_title


@pytest.mark.parametrize("language", ["en", "ja"])
def test_it_tells_the_version_and_gives_every_game_its_credit(opened: Open, language: str) -> None:
    window = opened(language=language)
    about = page(window, "about")
    assert isinstance(about, AboutScreen)
    texts = [each.text() for each in about.findChildren(QLabel)]
    assert any(__version__ in text for text in texts)
    for kit in catalogue.shelf():
        assert game_title(kit, language) in texts
        assert window.context.game_words(kit)(kit.box.credit) in texts
    for heading, lines in notices(window.context):
        assert heading in texts
        assert "\n".join(lines) in texts


def test_the_licences_can_be_read_one_by_one(opened: Open) -> None:
    window = opened()
    about = page(window, "about")
    assert isinstance(about, AboutScreen)
    click(about.licences_button)
    assert about.title.text() == "Licences"
    shown = about.list
    assert shown.isVisible()
    assert shown.list.count() == len(licences_in_use())
    names = [each.name for each in licences_in_use()]
    shown.list.setCurrentRow(names.index("msgspec"))
    assert "Redistribution" in shown.text.toPlainText()
    shown.list.setCurrentRow(names.index("PySide6_Essentials"))  # its wheel brings no text
    assert "LGPL" in shown.text.toPlainText()
    click(about.licences_button)
    assert about.title.text() == "About Tabletop"
    assert not shown.isVisible()


def test_all_that_is_asked_for_is_told_of_and_nothing_else() -> None:
    names = {name.lower().replace("-", "_") for name in needed_packages()}
    assert {"pyside6_essentials", "shiboken6", "msgspec", "noto_cjk_sans_jp_bold"} <= names
    assert "pytest" not in names
    assert "noto_cjk_sans_kr_bold" not in names
    assert requirements("no-such-package") == []


def test_a_bundle_adds_what_it_holds_beside_python_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    qt = Licence("Qt", "6.0", "LGPL-3.0-only", "You may")
    monkeypatch.setattr(licences, "BUNDLED_LICENCES", tmp_path / "licences.json")
    licences.BUNDLED_LICENCES.write_bytes(msgspec.json.encode([qt]))
    assert qt in licences_in_use()


def test_a_licence_is_named_by_its_short_name(
    tmp_path: Path,
) -> None:
    metadata = tmp_path / "it-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: it\nVersion: 1\nLicense: {'long ' * 30}\n"
        "Classifier: License :: OSI Approved :: ISC License\n"
    )
    assert licences.licence_of(PathDistribution(metadata)) == Licence("it", "1", "ISC License", "")
