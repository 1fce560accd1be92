"""A whole match played by what Debian's screen reader says, and by nothing else: each own move is
heard before it is played, each line of the log and each question once, and the result whole; and
something after each key.

With TABLETOP_LONG=1 one of each game, and one in Japanese.
"""

import shutil
from pathlib import Path

import pytest

from tests.net.loopback import LONG
from tests.ui.desktops.blind_player import GAMES, SILENT, WORDINGS, heard_match, task_of
from tests.ui.desktops.curtain_holder import DOWN, REPEATS, RIGHT, UP
from tests.ui.desktops.desktop_display import LONGEST, NEEDED, WANTED, on_display

pytestmark = pytest.mark.skipif(
    not WANTED or not all(map(shutil.which, ("orca", "openbox", "dbus-run-session", *NEEDED))),
    reason="Orca, or a desktop for it, is missing",
)
DESKTOP = """
openbox &
until xdotool get_num_desktops >/dev/null 2>&1; do sleep 0.1; done
QT_QPA_PLATFORM=xcb "$@"
ended=$?
kill %1
exit $ended
"""


HOUR = 3600
"""Seconds that the longest of all may take where others use the machine."""
SHORT_ONES = ["sun", "sun/en/all/normal"]
"""One match without animation, and one with it."""
LONG_ONES = [
    *GAMES,
    *("sun/ja", "royale/ja", "sun/en/turns", "sun/en/mine"),
    *(f"{game}/en/all/normal" for game in GAMES),
]


@pytest.mark.parametrize("text", LONG_ONES if LONG else SHORT_ONES)
def test_a_match_is_played_by_what_is_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    longest = HOUR if LONG or task_of(text).animation != "off" else LONGEST
    bus = ("dbus-run-session", "--")
    out, err = on_display(tmp_path, DESKTOP, text, *bus, player="blind_player", longest=longest)
    course, task = out.splitlines(), task_of(text)
    ended = course[-1] if course else ""
    assert WORDINGS[task.language].ended.search(ended), f"{out}\n{err}"
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    heard = heard_match(tmp_path, task)
    *course, silent, _, _ = course  # without what is told of the course
    assert silent == SILENT, out
    heard.hear(course)
    assert heard.questions_missed() == [], out
    assert heard.not_heard() == [], out
    assert heard.heard_twice() == [], out
    assert heard.heard_anyway() == [], out
    assert heard.played_unheard() == [], out
    # the result is heard whole: nothing stops it before the next key
    assert "-" not in course[course.index(ended) + 1 :], out


def test_space_is_held_on_the_curtain_and_stops_no_speech(tmp_path: Path) -> None:
    bus = ("dbus-run-session", "--")
    out, err = on_display(tmp_path, DESKTOP, "", *bus, player="curtain_holder")
    course = out.splitlines()
    assert RIGHT in course, f"{out}\n{err}"
    held = course[course.index(DOWN) : course.index(UP)]
    assert held.count("-") == 1, out  # the key's first press
    assert course[course.index(RIGHT) :].count("-") >= REPEATS, "no key repeats here"
