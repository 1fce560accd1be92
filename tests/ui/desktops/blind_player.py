"""A player who hears the program through Orca, and has nothing else to go by than what is spoken.

    dbus-run-session -- xvfb-run -a bash -c '… "$@"' … python -m tests.ui.desktops.blind_player TASK

A task is a game, with a language and what is spoken of it where they aren't the usual ones:
"sun/ja", "sun/en/mine", "sun/en/all/normal" with animation. The keys are the desktop's (xdotool).
Prints all that was heard and pressed, in order; then the keys after which nothing was heard, how
much it was, and how the match went.
"""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from jeepney import DBusAddress, Properties
from jeepney.io.blocking import open_dbus_connection
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.language.words import Words
from tabletop.storage import settings
from tabletop.storage.settings import LastSeat, LastTable, Settings
from tests.server.server_command import ROOT
from tests.ui.desktops.heard_match import HeardMatch

ORCA = ROOT / "tests" / "ui" / "desktops" / "orca_aloud.py"
PATIENCE = 120
"""Seconds after which what is waited for is not heard any more."""
PAUSE, QUIET = 0.02, 0.35
"""Seconds between two looks at what was heard, and after which nothing more is expected."""
PATIENT, MOST = 4, 3.0
"""Times the slowest answer until now, after which a key has led nowhere; and the seconds that it is
taken for at most."""
MOST_KEYS = 1500
SILENT = "Silent keys:"
"""The line of the keys after which nothing was heard; they follow in it."""
GAMES = ("sun", "chains", "sisters", "awss", "royale")
SIGNS = ("moon", "leaf")
QUICK = {"royale": {"length": "4"}}
"""The options of games that would be long."""


class Task(NamedTuple):
    """What is played, and how much of it is spoken."""

    game: str
    language: str = "en"
    speech: Literal["all", "turns", "mine"] = "all"
    animation: Literal["off", "fast", "normal", "slow"] = "off"


def task_of(text: str) -> Task:
    """The task of this text."""
    return msgspec.convert(text.split("/"), Task)


class Wording(NamedTuple):
    """What tells a listener where the match is, in one language; Orca says the kinds of things in
    English."""

    me: str
    bots: tuple[str, ...]
    ended: re.Pattern[str]
    turn: re.Pattern[str]
    moved: re.Pattern[str]
    ready: re.Pattern[str]
    """What Enter would do something with."""
    chosen: re.Pattern[str]
    """A card that was put with others, by its number and the number of all."""
    numbered: re.Pattern[str]


WORDINGS = {
    "en": Wording(
        "Player 1",
        ("Mugi", "Hotaru"),
        re.compile(r"^([^.]+ wins?( together)?|A draw|Everyone loses)(\.|$)"),
        re.compile(r"\b(?:Your|Player 1's) turn: "),
        re.compile(r"\bYou (?!begin |are |draw |win)\w+"),
        re.compile(r"\bcan be chosen\.|\bcan be played\b"),
        re.compile(r", (?P<number>\d) of (?P<all>\d), chosen\b"),
        re.compile(r", (\d+) of \d+\b"),
    ),
    "ja": Wording(
        "プレイヤー1",
        ("むぎ", "ほたる"),
        re.compile(r"^([^、。]+の勝ち|引き分け|全員の負け)(。|$)"),
        re.compile("(?:あなた|プレイヤー1)の番："),
        re.compile("あなたが"),
        re.compile("選べます|出せます"),
        re.compile(r"(?P<all>\d)枚中(?P<number>\d)枚目、選択中"),
        re.compile(r"枚中(\d+)枚目"),
    ),
}
SHEET = re.compile("^(Score|得点) page tab")
OPENED = ("open", "開いています")
LIST = "ctrl+l"
"""The key of the list of all that can be done."""
CHOICE = re.compile(r"^(?!Undo|Reactions|元に戻す)(.+) push button\.?$")
AROUND = re.compile(r" page tab\.$|^List with |^(Legal actions|できる行動)\.?$")
"""What is said before the line of the list: who hears no more waits for it."""
DIGIT, SENDS = re.compile(r"\b1[:：]"), re.compile(r"Ctrl\+(Enter|Return)[:：]")


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

    def __init__(self, ears: Ears, language: str) -> None:
        self.ears = ears
        self.wording = WORDINGS[language]
        self.keys = 0
        self.silent: list[str] = []
        """The keys after which nothing was heard."""
        self._slowest = 0.5
        """The longest time that anything was waited for after a key, in seconds."""
        self.ended = ""
        self._last = ""
        """The last key."""
        self._said: list[str] = []
        """What was said after it."""

    def press(self, key: str, sure: bool = False) -> list[str]:
        """Press a key, and hear what is said then; where it is not `sure` that anything is, for
        a few times as long as anything was waited for until now."""
        self.ears.course.append(f"[{key}]")
        self.keys += 1
        self._last = key
        begun = time.monotonic()
        subprocess.run(["xdotool", "key", "--clearmodifiers", key], check=True)
        said = self.ears.hear_out(PATIENCE if sure else PATIENT * self._slowest)
        if said:
            self._slowest = min(MOST, max(self._slowest, self.ears.first - begun))
        elif not self.ended:
            self.silent.append(key)
        self._said = said
        return self._note(said)

    def _note(self, said: list[str]) -> list[str]:
        self.ended = next(filter(self.wording.ended.search, said), self.ended)
        if not self.ended and any(map(SHEET.search, said)):
            self.ended = self.ears.until(self.wording.ended.search, "the result")
        return said

    def begin(self, title: str) -> list[str]:
        """From the shelf to the table of a game: by the button that names it and says more."""
        focus = ""
        while title not in focus or focus.startswith(f"{title} push"):
            said = self.press("Tab", sure=True)
            focus = next((line for line in reversed(said) if CHOICE.search(line)), "")
        return self.press("Return", sure=True)

    def play(self, said: list[str]) -> None:
        """Play to the end."""
        way = self._ways()
        while not self.ended:
            assert self.keys < MOST_KEYS, "no end was heard"
            answer = self._answer(said)
            if not (answer or any(map(self.wording.turn.search, said))):
                more = self.ears.hear_out(PATIENT * self._slowest)
                if more or self.ended:
                    said = self._note([*said, *more])
                    continue
            said = self.press(answer, sure=True) if answer else self.press(next(way))
            if any(map(self.wording.moved.search, said)):
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
            number, heard = 0, max(1, self._number())
            while heard > number:  # along the cards of one place
                yield "Right"
                number, heard = heard, self._number()
            yield LIST

    def _number(self) -> int:
        """The number of the card in its place that was heard last."""
        numbered = self.wording.numbered
        heard = [found for line in self._said if (found := numbered.search(line))]
        return int(heard[-1][1]) if heard else 0

    def _answer(self, said: list[str]) -> str:
        """The key for what was said last that can be done."""
        if said and said[-1].rstrip(".") in OPENED:
            return "Down"  # to the first line below that heading
        if self._last in (LIST, "Down") and said and not AROUND.search(said[-1]):
            return "Return"
        if any(map(SENDS.search, said)):
            return "ctrl+Return"
        for line in reversed(said):
            if self.wording.ready.search(line):
                return "Return"
            if DIGIT.search(line):
                return "1"
            if CHOICE.search(line):
                return "Return"
            if (chosen := self.wording.chosen.search(line)) and chosen["number"] < chosen["all"]:
                return str(int(chosen["number"]) + 1)
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


@contextmanager
def listening(home: Path) -> Iterator[Ears]:
    """The program before a player who hears it."""
    ears = Ears(home / "heard")
    switch_on()
    with running("/usr/bin/python3", str(ORCA), str(home / "heard"), str(home / "orca")):
        ears.until(lambda line: line == "Screen reader on.", "Orca")
        with running(sys.executable, "-m", "tabletop"):
            ears.until(lambda line: line.endswith(" frame."), "the window")
            try:
                yield ears
            finally:
                print(*ears.course, sep="\n", flush=True)


def hear_to_the_end(ears: Ears, home: Path, task: Task) -> None:
    """Press nothing more until all is said that the log has of the match."""
    match = heard_match(home, task)
    match.hear(ears.course)
    end = time.monotonic() + PATIENCE
    while match.not_heard() and time.monotonic() < end:
        ears.hear_out(1.0)
        match.hear(ears.course)
    ears.hear_out(1.0)


def heard_match(home: Path, task: Task) -> HeardMatch:
    """The one match that was played with this home."""
    (file,) = (home / "home" / "matches").glob("*.tabletop")
    return HeardMatch(file, WORDINGS[task.language].me, task.language, task.speech)


def agree(task: Task) -> None:
    """Agree on what "the same as last time" is."""
    words, game = WORDINGS[task.language], task.game
    seats = [LastSeat(words.me, "sun")]
    seats += (LastSeat(bot, sign, "normal") for bot, sign in zip(words.bots, SIGNS, strict=True))
    tables = {game: LastTable(tuple(seats), QUICK[game])} if game in QUICK else {}
    rest = Settings(animation=task.animation, bot_pause=0, tables=tables)
    settings.save(replace(rest, language=task.language, speech=task.speech))


def main(task: Task) -> None:
    """Play this from the game's box to its result, which is heard out."""
    home, kit = Path(os.environ["HOME"]), catalogue.load(task.game)
    agree(task)
    with listening(home) as ears:
        player = BlindPlayer(ears, task.language)
        begun = time.monotonic()
        player.play(player.begin(Words(task.language, kit)(kit.box.title)))
        hear_to_the_end(ears, home, task)
        took = time.monotonic() - begun
    uttered = sum(not line.startswith(("[", "-")) for line in ears.course)
    moves = sum(bool(player.wording.moved.search(line)) for line in ears.course)
    print(SILENT, *player.silent)
    print(f"{moves} moves, {player.keys} keys, {uttered} utterances, {took:.0f} s")
    print(player.ended, flush=True)


if __name__ == "__main__":
    main(task_of(sys.argv[1]))
