"""A player who hears the program through Orca, and has nothing else to go by than what is spoken.

    dbus-run-session -- xvfb-run -a bash -c '… "$@"' … python -m tests.ui.desktops.blind_player GAME

The keys are the desktop's (xdotool). Prints all that was heard and pressed, in order; the last line
tells how the match went.
"""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from jeepney import DBusAddress, Properties
from jeepney.io.blocking import open_dbus_connection

from tabletop.storage import settings
from tests.server.server_command import ROOT

ORCA = ROOT / "tests" / "ui" / "desktops" / "orca_aloud.py"
PATIENCE = 120
"""Seconds after which what is waited for is not heard any more."""
PAUSE, QUIET = 0.02, 0.35
"""Seconds between two looks at what was heard, and after which nothing more is expected."""
PATIENT, MOST = 4, 3.0
"""Times the slowest answer until now, after which a key has led nowhere; and the seconds that it is
taken for at most."""
MOST_KEYS = 1500
ME = "Player 1"
TITLES = {
    "sun": "Children of the Sun",
    "chains": "Chains",
    "sisters": "Planetary Sisters",
    "awss": "AWSSterra",
    "royale": "Sister Royale",
}
ENDED = re.compile(r"^(.+ wins?( together)?|A draw|Everyone loses)\b")
MINE = re.compile(rf"{ME}( 's turn|'s turn|:)")
MOVED = re.compile(rf"\b{ME} (?!begins|is |draws |wins)\w+")
SHEET = "Score page tab"
LIST = "Legal actions."
NUMBERED = re.compile(r", (\d+) of \d+\b")
CHOICE = re.compile(r"^(?!Undo|Reactions)(.+) push button\.?$")
DIGIT, SENDS = re.compile(r"\b1: "), re.compile(r"\bCtrl\+(Enter|Return): ")


class Ears:
    """What Orca says, as it says it."""

    def __init__(self, file: Path) -> None:
        file.touch()
        self._file = file.open(encoding="utf-8")
        self.course: list[str] = []
        """All that was heard and pressed."""
        self._part = ""
        self.first = 0.0
        """When the first words were heard that were waited for last."""

    def listen(self) -> list[str]:
        """What was said since the last time."""
        self._part += self._file.read()
        *lines, self._part = self._part.split("\n")
        said = [line for line in lines if line]
        self.course += [line or "-" for line in lines]
        return said

    def until(self, heard: Callable[[str], object], what: str) -> str:
        """Wait until something like this is said."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for line in self.listen():
                if heard(line):
                    return line
            time.sleep(PAUSE)
        raise AssertionError(f"{what} was not heard:\n" + "\n".join(self.course))

    def hear_out(self, longest: float) -> list[str]:
        """What is said from now on until it becomes quiet; nothing after `longest` seconds."""
        said: list[str] = []
        late, quiet = time.monotonic() + longest, 0.0
        while time.monotonic() < (quiet if said else late):
            if new := self.listen():
                self.first = self.first if said else time.monotonic()
                said += new
                quiet = time.monotonic() + QUIET
            time.sleep(PAUSE)
        return said


class BlindPlayer:
    """Plays one match by keys, each chosen from what was heard."""

    def __init__(self, ears: Ears) -> None:
        self.ears = ears
        self.keys = 0
        self._slowest = 0.5
        """The longest time that anything was waited for after a key, in seconds."""
        self.ended = ""
        self._said: list[str] = []
        """What was said after the last key."""

    def press(self, key: str, sure: bool = False) -> list[str]:
        """Press a key, and hear what is said then; where it is not `sure` that anything is, for
        a few times as long as anything was waited for until now."""
        self.ears.course.append(f"[{key}]")
        self.keys += 1
        begun = time.monotonic()
        subprocess.run(["xdotool", "key", "--clearmodifiers", key], check=True)
        said = self.ears.hear_out(PATIENCE if sure else PATIENT * self._slowest)
        if said:
            self._slowest = min(MOST, max(self._slowest, self.ears.first - begun))
        self._said = said
        return self._note(said)

    def _note(self, said: list[str]) -> list[str]:
        self.ended = next(filter(ENDED.search, said), self.ended)
        if not self.ended and any(line.startswith(SHEET) for line in said):
            self.ended = self.ears.until(ENDED.search, "the result")
        return said

    def begin(self, title: str) -> list[str]:
        """From the shelf to the table of a game."""
        focus = ""
        while not focus.startswith(f"Play {title} now"):
            said = self.press("Tab", sure=True)
            focus = next((line for line in reversed(said) if CHOICE.search(line)), "")
        return self.press("Return", sure=True)

    def play(self, said: list[str]) -> None:
        """Play to the end."""
        way = self._ways()
        while not self.ended:
            assert self.keys < MOST_KEYS, "no end was heard"
            if not said:
                said = self._note(self.ears.hear_out(PATIENT * self._slowest))
                if self.ended:
                    break
            answer = self._answer(said)
            said = self.press(answer, sure=True) if answer else self.press(next(way))
            if any(map(MOVED.search, said)):
                way = self._ways()

    def _ways(self) -> Iterator[str]:
        """Keys that lead round the table, where nothing else was heard to press; in the end to the
        list of all that can be done."""
        while True:
            before: list[str] = []
            yield "1"
            while self._said != before:  # another card is taken each time
                before = self._said
                yield "1"
            number, heard = 0, self._number()
            while heard > number:  # along the cards of one place
                yield "Right"
                number, heard = heard, self._number()
            yield "ctrl+l"

    def _number(self) -> int:
        """The number of the card in its place that was heard last."""
        heard = [found for line in self._said if (found := NUMBERED.search(line))]
        return int(heard[-1][1]) if heard else 0

    def _answer(self, said: list[str]) -> str:
        """The key for what was said last that can be done."""
        if LIST in said:
            return "Return"
        for line in reversed(said):
            if " can be chosen." in line or "can be played" in line:
                return "Return"
            if DIGIT.search(line):
                return "1"
            if CHOICE.search(line):
                return "Return"
            if SENDS.search(line):
                return "ctrl+Return"
        return ""


@contextmanager
def running(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that ends with what is done meanwhile."""
    with subprocess.Popen(command, cwd=ROOT, stdout=sys.stderr) as begun:
        try:
            yield begun
        finally:
            begun.kill()


def switch_on() -> None:
    """Tell the session that a screen reader is there, as a desktop does."""
    status = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Status")
    with open_dbus_connection("SESSION") as session:
        for name in ("IsEnabled", "ScreenReaderEnabled"):
            session.send_and_get_reply(Properties(status).set(name, "b", True), timeout=PATIENCE)


def main(game: str) -> None:
    """Play this game from its box to its result, which is heard out."""
    home = Path(os.environ["HOME"])
    settings.save(settings.Settings(language="en", animation="off", bot_pause=0))
    ears = Ears(home / "heard")
    switch_on()
    with running("/usr/bin/python3", str(ORCA), str(home / "heard"), str(home / "orca")):
        ears.until(lambda line: line == "Screen reader on.", "Orca")
        with running(sys.executable, "-m", "tabletop"):
            ears.until(lambda line: line.endswith(" frame."), "the window")
            player = BlindPlayer(ears)
            begun = time.monotonic()
            try:
                player.play(player.begin(TITLES[game]))
                ears.hear_out(1.0)
            finally:
                took = time.monotonic() - begun
                print(*ears.course, sep="\n")
    uttered = sum(not line.startswith(("[", "-")) for line in ears.course)
    moves = sum(bool(MOVED.search(line)) for line in ears.course)
    print(f"{moves} moves, {player.keys} keys, {uttered} utterances, {took:.0f} s")
    print(player.ended, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
