"""A .po of a stranger is read, or refused with one error."""

from contextlib import suppress
from pathlib import Path

import pytest

from tabletop.text.translations import BrokenCatalogue, load_translations

HEAD = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset={}\\n"\n"Plural-Forms: {}\\n"\n\n'
HAND = 'msgid "Hand"\nmsgstr "手札"\n'
TWO = "nplurals=2; plural=(n != 1);"


@pytest.mark.parametrize("plurals", [TWO, "nplurals = 1;", "", 'nplu"\n"rals=2;'])
def test_plural_forms_of_languages_are_read(plurals: str, tmp_path: Path) -> None:
    (tmp_path / "ja.po").write_text(HEAD.format("UTF-8", plurals) + HAND, "utf-8")
    assert load_translations(tmp_path / "ja.po").gettext("Hand") == "手札"


@pytest.mark.parametrize(
    "plurals",
    [
        "nplurals=999999999; plural=0;",
        'nplu"\n"rals=99999"\n"9999; plural=0;',
        "nplurals*0=99999; nplurals*1=9999;",
        "NPLURALS=999999999;",
        "nplurals=many;",
        "nplurals=2; plural=" + "n?n:" * 9_000 + "n;",
        "nplurals=2; plural=" + "(" * 900 + "n" + ")" * 900 + ";",
    ],
)
def test_other_plural_forms_are_refused(plurals: str, tmp_path: Path) -> None:
    (tmp_path / "ja.po").write_text(HEAD.format("UTF-8", plurals) + HAND, "utf-8")
    with pytest.raises(BrokenCatalogue):
        load_translations(tmp_path / "ja.po")


@pytest.mark.parametrize("charset", ["zlib_codec", "undefined", "rot13", "x" * 300, "idna"])
def test_odd_charsets_are_one_error(charset: str, tmp_path: Path) -> None:
    (tmp_path / "ja.po").write_text(HEAD.format(charset, TWO) + HAND, "utf-8")
    with suppress(BrokenCatalogue):
        assert load_translations(tmp_path / "ja.po").gettext("Hand")


def test_odd_dates_are_one_error(tmp_path: Path) -> None:
    date = "9" * 5_000
    text = f'msgid ""\nmsgstr "POT-Creation-Date: {date}\\n"\n'
    (tmp_path / "ja.po").write_text(text, "utf-8")
    with pytest.raises(BrokenCatalogue):
        load_translations(tmp_path / "ja.po")
