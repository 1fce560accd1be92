"""Times, dates and numbers follow the system's region; words follow the chosen language."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
from datetime import UTC, datetime
from PySide6.QtCore import QDate, QLocale, QTime
from tabletop.language.words import Words
from ui.settings.statistics_page import _mean
from ui.shell.language import system_language, when_text
from ui.shell.regional_format import clock_text, long_date_text, short_date_text
day, time = QDate(2026, 11, 28), QTime(17, 33)
print(system_language())
for language in ("en", "ja"):
    print(clock_text(time, language), short_date_text(day, language))
    print(long_date_text(day, language), _mean(-1.5, language))
    now = when_text(Words(language), datetime.now(UTC))
    assert any(mark in now for mark in ("AM", "PM", "午")) == ("5:33" in clock_text(time, language))
"""


def printed(**variables: str) -> list[str]:
    """Return what a program prints that starts on a desktop with these locale variables."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LC_")}
    environment = kept | {"LANG": "", "LANGUAGE": "", "QT_QPA_PLATFORM": "offscreen"} | variables
    output = subprocess.check_output(
        [sys.executable, "-c", SCRIPT], env=environment, encoding="utf-8"
    )
    return output.replace("\u202f", " ").splitlines()


UNIX_ONLY = pytest.mark.skipif(
    sys.platform in ("win32", "darwin"), reason="the system's settings aren't in the environment"
)

FORMATS = [
    (
        {"LANG": "en_US.UTF-8", "LC_TIME": "de_DE.UTF-8", "LC_NUMERIC": "de_DE.UTF-8"},
        ["17:33 28.11.26", "Saturday, 28 November 2026 −1,5"],
        ["17:33 28.11.26", "2026年11月28日土曜日 −1,5"],
    ),
    (
        {"LANG": "en_US.UTF-8"},
        ["5:33 PM 11/28/26", "Saturday, November 28, 2026 −1.5"],
        ["午後5:33 11/28/26", "2026年11月28日土曜日 −1.5"],
    ),
    (
        {"LANG": "ja_JP.UTF-8"},
        ["17:33 2026/11/28", "Saturday, November 28, 2026 −1.5"],
        ["17:33 2026/11/28", "2026年11月28日土曜日 −1.5"],
    ),
    (  # its short date ends with the word for year
        {"LANG": "bg_BG.UTF-8"},
        ["17:33 28.11.26", "Saturday, 28 November 2026 −1,5"],
        ["17:33 28.11.26", "2026年11月28日土曜日 −1,5"],
    ),
    (  # no region: the language's own formats
        {"LANG": "C.UTF-8"},
        ["5:33 PM 11/28/26", "Saturday, November 28, 2026 −1.5"],
        ["17:33 2026/11/28", "2026年11月28日土曜日 −1.5"],
    ),
]


@UNIX_ONLY
@pytest.mark.parametrize(("variables", "english", "japanese"), FORMATS)
def test_formats_follow_the_region_and_words_the_language(
    variables: dict[str, str], english: list[str], japanese: list[str]
) -> None:
    _, *lines = printed(**variables)
    assert lines == english + japanese


@UNIX_ONLY
@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({"LANG": "fr_FR.UTF-8", "LANGUAGE": "fr:ja"}, "ja"),
        ({"LANG": "ja_JP.UTF-8", "LANGUAGE": "de:en:ja"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_TIME": "ja_JP.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "C", "LANGUAGE": "ja"}, "en"),
    ],
)
def test_the_first_supported_language_is_chosen(variables: dict[str, str], language: str) -> None:
    assert printed(**variables)[0] == language
