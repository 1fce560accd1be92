"""Tries what `packaging/build-windows` made, under Wine on a screen of its own.

    PYTHONPATH=CHECKOUT python3 checks.py DIST PICTURES [CHECK...]

Every check is a method with a name, and a failing one stops no other. Ends with a table, and with 1
where something did not hold.
"""

import asyncio
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from zipfile import ZipFile

import psutil
from PIL import Image, ImageChops, ImageStat
from playwright.async_api import async_playwright

from tests.web.browser.fingers import CHROMIUM, FLAGS, LOADED, UPRIGHT, another_phone

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SIZE = (1280, 800)
LOOKS, LOOK = 10, 0.02
"""The checks, and the seconds between them, that must find nothing to do before a screen counts as
still."""
TITLE = r"Tabletop 卓( \([0-9]+\))?$"
PATIENCE = 240.0
"""Seconds after which something that is waited for will not come, on a slow machine either."""
INSIDE = r"C:\users\{user}\AppData\Local\Programs\Tabletop"
LISTED = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Tabletop"
"""The entry in the system's list of programs."""
TILES = (16, 10)
LIVELY, BLANK = 25.0, 4.0
"""Deviations of a tile's brightness: from the first on something is drawn there, below the second
nothing is."""
PHONE_MOVES = 5
CODE = r"^code (\S+)"
UNLIKE = 26.0
"""Mean difference of two pictures' pixels, of 255, from which on they show different things."""


class Failed(Exception):
    """Something does not hold; its text says what."""


def wait(until: Callable[[], object], what: str, patience: float = PATIENCE) -> None:
    started = time.monotonic()
    while not until():
        if time.monotonic() - started > patience:
            raise Failed(f"waited in vain for {what}")
        time.sleep(0.2)


def wait_for_growth(file: Path, size: int, what: str) -> None:
    """Wait until `file` has more than `size` bytes."""
    wait(lambda: file.stat().st_size > size, what, 60)


class Screen:
    """An X server of its own, and a mouse and keys on it; `folder` gets the file of its pixels."""

    def __init__(self, folder: Path) -> None:
        reading, writing = os.pipe()
        size = f"{SIZE[0]}x{SIZE[1]}x24"
        self.server = subprocess.Popen(
            [
                "Xvfb",
                "-displayfd",
                str(writing),
                "-screen",
                "0",
                size,
                "-ac",
                "-nolisten",
                "tcp",
                "-nocursor",
                "-fbdir",
                folder,
            ],
            pass_fds=[writing],
            stderr=subprocess.DEVNULL,
        )
        self._pixels = folder / "Xvfb_screen0"
        os.close(writing)
        with open(reading) as pipe:
            self.name = f":{pipe.readline().strip()}"

    def do(self, *words: object) -> str:
        command = ["xdotool", *map(str, words)]
        environment = os.environ | {"DISPLAY": self.name}
        return subprocess.run(command, env=environment, capture_output=True, text=True).stdout

    def windows(self) -> list[str]:
        """The windows of the program."""
        return self.do("search", "--name", TITLE).split()

    def key(self, *keys: str) -> None:
        self.do("key", *keys)

    def click(self, x: int, y: int) -> None:
        self.do("mousemove", x, y)
        self.do("click", 1)

    def picture(self) -> Image.Image:
        content = self._pixels.read_bytes()
        header, colours = (int.from_bytes(content[at : at + 4], "big") for at in (0, 76))
        pixels = content[header + 12 * colours :]
        return Image.frombuffer("RGB", SIZE, pixels, "raw", "BGRX", 0, 1)

    def close(self) -> None:
        self.server.terminate()
        self.server.wait()


def busy(process: int) -> bool:
    """Whether a thread of this process runs, or waits for a processor or a disk."""
    try:
        tasks = [task.read_text() for task in Path(f"/proc/{process}/task").glob("*/stat")]
    except OSError:
        return False  # it has ended
    return any(task.rpartition(")")[2].split()[0] in "RD" for task in tasks)


def drawn(picture: Image.Image) -> bool:
    return len(picture.resize((320, 200), Image.Resampling.NEAREST).getcolors(1 << 16) or ()) > 100


class Windows:
    """A Wine prefix, with the programs that run in it."""

    def __init__(self, folder: Path, screen: Screen) -> None:
        subprocess.run([HERE / "prefix", folder], check=True, capture_output=True)
        self.folder, self.screen = folder, screen
        self.disk = folder / "prefix" / "drive_c"
        self.user = next(p for p in (self.disk / "users").iterdir() if p.name != "Public")
        self.data = self.user / "AppData" / "Local" / "Tabletop"
        self.installed = self.user / "AppData" / "Local" / "Programs" / "Tabletop"
        self.menu = self.user / "AppData/Roaming/Microsoft/Windows/Start Menu/Programs"
        self._environment = os.environ | {"DISPLAY": screen.name}
        # one large X window in which Wine arranges all others, as there is no window manager
        desktop = r"HKCU\Software\Wine\Explorer"
        self.run("reg", "add", desktop, "/v", "Desktop", "/d", "Default", "/f")
        size = f"{SIZE[0]}x{SIZE[1]}"
        self.run("reg", "add", rf"{desktop}\Desktops", "/v", "Default", "/d", size, "/f")

    def run(self, *command: object, status: int | None = 0, timeout: float = PATIENCE) -> str:
        """Return a program's output; `status` is its expected exit status."""
        words = [str(self.folder / "wine"), *map(str, command)]
        ended = subprocess.run(
            words, env=self._environment, capture_output=True, timeout=timeout, text=True,
            errors="replace", cwd=self.disk,
        )  # fmt: skip
        if status is not None and ended.returncode != status:
            raise Failed(f"{command[:3]} ended with {ended.returncode}: {ended.stderr[-300:]}")
        return ended.stdout

    def start(self, *command: object) -> "Running":
        words = [str(self.folder / "wine"), *map(str, command)]
        return Running(words, self._environment, self.disk)

    @property
    def program(self) -> str:
        return INSIDE.format(user=self.user.name) + r"\tabletop.exe"

    @property
    def console(self) -> str:
        return INSIDE.format(user=self.user.name) + r"\tabletop-console.exe"

    def processes(self, name: str = "tabletop") -> Iterator[int]:
        """Of the programs in this prefix, those with this in their name."""
        mark = f"WINEPREFIX={self.folder / 'prefix'}\0".encode()
        for entry in Path("/proc").iterdir():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                ours = mark in (entry / "environ").read_bytes() + b"\0"
            except OSError:
                continue
            program = words[0].lower()
            if ours and name.encode() in program and program.endswith((b".exe", b"wineserver64")):
                yield int(entry.name)

    def still(self) -> Image.Image:
        """The screen once something is on it, and no program has anything left to do."""
        last = self.screen.picture()

        def quiet() -> bool:
            nonlocal last
            programs = (self.screen.server.pid, *self.processes(""))
            for _ in range(LOOKS):
                if any(map(busy, programs)):
                    return False
                time.sleep(LOOK)
            before, last = last, self.screen.picture()
            return drawn(last) and not ImageChops.difference(before, last).getbbox()

        wait(quiet, "the screen to come to rest")
        return last

    def kill(self) -> None:
        """End the program as a power failure would."""
        for process in self.processes():
            os.kill(process, signal.SIGKILL)
        wait(lambda: not list(self.processes()), "the program to be gone")
        wait(lambda: not self.screen.windows(), "its windows to be gone")

    def quit(self) -> None:
        """Close the window as a person would."""
        self.screen.key("ctrl+q")
        wait(lambda: not list(self.processes()), "the window to close", 60)

    def prefer(self, **chosen: object) -> None:
        """Settings as a person would have them."""
        self.data.mkdir(parents=True, exist_ok=True)
        content = json.dumps({"animation": "off", "sounds": False, "language": "en"} | chosen)
        (self.data / "settings.json").write_text(content, encoding="utf-8")

    def registry(self, key: str) -> str:
        return self.run("reg", "query", key, "/s", status=None)

    def sharpen(self, percent: int) -> None:
        """Choose the size of everything on the screen, as Windows' settings do."""
        dots = str(96 * percent // 100)
        key = r"HKCU\Control Panel\Desktop"
        self.run("reg", "add", key, "/v", "LogPixels", "/t", "REG_DWORD", "/d", dots, "/f")

    def double_click(self, target: str) -> None:
        """Open a file or a link with the program that is registered for it."""
        # Windows adds a person's own classes to those of all; Wine 8 looks at the latter alone.
        self.run("reg", "copy", r"HKCU\Software\Classes", r"HKLM\Software\Classes", "/s", "/f")
        self.run("start", target)

    def journal(self) -> Path:
        """The newest match that waits."""
        found = sorted(self.data.glob("matches/*.tabletop"), key=lambda f: f.stat().st_mtime)
        if not found:
            raise Failed("no match is kept")
        return found[-1]

    def leave(self) -> None:
        """End everything, so that the next check begins on an empty screen."""
        self.kill()
        shutil.rmtree(self.data / "matches", ignore_errors=True)

    def close(self) -> None:
        self.run("wineboot", "--kill", status=None)


class Running:
    """A program that goes on, and what it has said so far."""

    def __init__(self, command: list[str], environment: dict[str, str], folder: Path) -> None:
        self._said = tempfile.TemporaryFile()  # noqa: SIM115
        self.process = subprocess.Popen(
            command, env=environment, cwd=folder, stdout=self._said, stderr=subprocess.STDOUT
        )

    @property
    def said(self) -> str:
        self._said.seek(0)
        return self._said.read().decode(errors="replace").replace("\r\n", "\n")

    def says(self, pattern: str) -> str:
        """Wait until it says this; return the first group."""
        wait(lambda: re.search(pattern, self.said, re.M) or self.ended, f"{pattern!r}")
        found = re.search(pattern, self.said, re.M)
        if not found:
            raise Failed(f"it ended: {self.said[-400:]}")
        return found[1] if found.groups() else found[0]

    @property
    def ended(self) -> bool:
        return self.process.poll() is not None

    def ends(self) -> str:
        """Wait until it ends well; all that it said."""
        wait(lambda: self.ended, "the program to end", 2 * PATIENCE)
        if self.process.returncode:
            raise Failed(f"it ended with {self.process.returncode}: {self.said[-400:]}")
        return self.said

    def stop(self) -> None:
        self.process.terminate()


def unlike_linux(there: Image.Image, here: Image.Image) -> str:
    """A picture's difference from Linux' own: it has another size, shows less or something else."""
    if here.size != there.size:
        return f"{here.size} large, on Linux {there.size}"
    width, height = here.width // TILES[0], here.height // TILES[1]
    blank = 0
    for column in range(TILES[0]):
        for row in range(TILES[1]):
            box = (column * width, row * height, (column + 1) * width, (row + 1) * height)
            deviations = [ImageStat.Stat(p.convert("L").crop(box)).stddev[0] for p in (there, here)]
            blank += deviations[0] > LIVELY and deviations[1] < BLANK
    if blank:
        return f"{blank} regions are blank that are not on Linux"
    difference = unlike(here, there)
    return f"unlike Linux' picture by {difference:.0f}" if difference > UNLIKE else ""


class Checks:
    """Every public method is a check; they run in this order."""

    def __init__(self, dist: Path, pictures: Path, work: Path) -> None:
        self.setup = the_one(dist, "tabletop-*-setup.exe")
        self.portable = the_one(dist, "tabletop-*-windows-x86_64.zip")
        self.pictures, self.work = pictures, work
        self.screen = Screen(work)
        self.windows = Windows(work / "wine", self.screen)
        self.linux = os.environ | {
            "TABLETOP_HOME": str(work / "linux"),
            "QT_QPA_PLATFORM": "offscreen",
        }

    @cached_property
    def _clicks(self) -> Path:
        """The folder of what Linux did and showed; made when a check first asks for it."""
        planner: list[str | Path] = [sys.executable, HERE / "clicks.py", self.work / "clicks"]
        environment = self.linux | {"TABLETOP_HOME": str(self.work / "home")}
        subprocess.run(planner, env=environment, check=True, cwd=self.work)
        return self.work / "clicks"

    def close(self) -> None:
        self.windows.close()
        self.screen.close()

    def tabletop(self, *command: object) -> Running:
        """The program on Linux, from this checkout."""
        words = [sys.executable, "-m", "tabletop", *map(str, command)]
        return Running(words, self.linux, ROOT)

    def open(self, *files: object, full: bool = True) -> Image.Image:
        """Open the window, over the whole screen; what it shows."""
        self.windows.start(self.windows.program, *files)
        return self.shown(full)

    def shown(self, full: bool = True) -> Image.Image:
        wait(self.screen.windows, "a window")
        self.screen.do("search", "--name", "Wine desktop", "windowfocus")
        picture = self.windows.still()
        if full:
            wait(lambda: self._filled(picture), "F11")
            picture = self.windows.still()
        return picture

    def _filled(self, before: Image.Image) -> bool:
        """Press F11, which is lost while a window takes the focus; return whether that did
        anything."""
        self.screen.key("F11")
        with suppress(Failed):
            wait(lambda: ImageChops.difference(before, self.screen.picture()).getbbox(), "F11", 30)
            return True
        return False

    def _as_on_linux(self, name: str) -> None:
        """Wait until the screen shows what Linux showed; both pictures are kept."""
        there = Image.open(self._clicks / f"{name}.png").convert("RGB")
        there.save(self.pictures / f"{name}-linux.png")
        complaint = ""

        def alike() -> bool:
            nonlocal complaint
            here = self.windows.still()
            here.save(self.pictures / f"{name}-windows.png")
            complaint = unlike_linux(there, here)
            return not complaint

        try:
            wait(alike, name, 30)
        except Failed as error:
            raise Failed(f"{name}: {complaint}") from error

    # Setup

    def silent_install(self) -> str:
        started = time.monotonic()
        self.windows.run(self.setup, "/S", timeout=600)
        took = time.monotonic() - started
        for name in ("tabletop.exe", "tabletop-console.exe", "uninstall.exe"):
            if not (self.windows.installed / name).is_file():
                raise Failed(f"{name} is missing")
        if not (self.windows.menu / "Tabletop 卓.lnk").is_file():
            raise Failed("nothing in the start menu")
        opens = r"\shell\open\command"
        opened = tuple(kind + opens for kind in ("Tabletop.Record", "Tabletop.Game", "tabletop"))
        for key in (".tabletop", ".tabletop-game", *opened):
            if "abletop" not in self.windows.registry(rf"HKCU\Software\Classes\{key}"):
                raise Failed(f"the registry lacks {key}")
        if "QuietUninstallString" not in self.windows.registry(LISTED):
            raise Failed("not in the list of programs")
        size = sum(f.stat().st_size for f in self.windows.installed.rglob("*") if f.is_file())
        return f"{took:.0f} s, {size / 2**20:.0f} MiB"

    def starts_by_the_menu(self) -> str:
        self.windows.prefer()
        self.windows.run("start", "/unix", self.windows.menu / "Tabletop 卓.lnk")
        self.shown()
        self._as_on_linux("shelf-en")
        self.windows.quit()
        return "closed by Ctrl+Q"

    def window_opens(self) -> str:
        """As the short form of these checks has it, without a picture of Linux beside it."""
        self.windows.prefer()
        self.open(full=False).save(self.pictures / "opened-windows.png")
        self.windows.quit()
        return "see opened-windows.png"

    def japanese_is_shown(self) -> str:
        self.windows.prefer(language="ja")
        self.open()
        self._as_on_linux("shelf-ja")
        return "the shelf"

    def japanese_is_read_from_files(self) -> str:
        """Players' names of the settings and of a match, whose file has a Japanese name too."""
        settings = self.windows.data / "settings.json"
        settings.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(self._clicks / "japanese-settings.json", settings)
        self.open()
        box, _ = json.loads((self._clicks / "shelf.json").read_text())["sun"]
        self.screen.click(*box)
        self._as_on_linux("japanese-names")
        self.windows.kill()
        folder = self.windows.disk / "対局 一覧"
        folder.mkdir(exist_ok=True)
        shutil.copy(self._clicks / "japanese.tabletop", folder / "ひなたの 対局.tabletop")
        self.open(r"C:\対局 一覧\ひなたの 対局.tabletop")
        self._as_on_linux("japanese-match")
        if self.windows.journal().stem != "ひなたの 対局":
            raise Failed(f"it is kept as {self.windows.journal().name}")
        return self.windows.journal().name

    # Games

    def games_begin_at_the_shelf(self) -> str:
        self.windows.prefer()
        self.open()
        starts = json.loads((self._clicks / "shelf.json").read_text())
        for game, (box, start) in starts.items():
            self._begin(game, box, start)
        return f"{len(starts)} games"

    def _begin(self, game: str, box: tuple[int, int], start: tuple[int, int]) -> None:
        """Begin a match of `game` by clicks on its box on the shelf, and on *Start*."""
        kept = self.windows.data / "matches"
        shelf = self.windows.still()
        self.screen.click(*box)
        wait(lambda: unlike(shelf, self.screen.picture()), "the box to open")
        sheet = self.windows.still()
        self.screen.click(*start)
        wait(lambda: list(kept.glob(f"{game}*.tabletop")), f"a match of {game}")
        wait(lambda: unlike(sheet, self.screen.picture()) > 4, f"the table of {game}")
        self.windows.still().save(self.pictures / f"{game}-new-windows.png")
        self.screen.key("ctrl+n")

    def _play(self, game: str, most: int) -> str:
        """Open the game's match and make the first moves of it; what was done."""
        self.windows.prefer()
        shutil.copy(self._clicks / f"{game}.tabletop", self.windows.disk)
        self.open(rf"C:\{game}.tabletop")
        self._as_on_linux(f"{game}-started")
        journal = self.windows.journal()
        moves = json.loads((self._clicks / f"{game}.json").read_text())[:most]
        for number, actions in enumerate(moves):
            size = journal.stat().st_size
            for action in actions:
                self._act(*action)
            wait_for_growth(journal, size, f"move {number + 1}")
        return f"{len(moves)} moves, {sum(map(len, moves))} clicks"

    def _ten_moves(self, game: str) -> str:
        done = self._play(game, 10)
        self._as_on_linux(f"{game}-played")
        return done

    def _act(self, what: str, x: int, y: int) -> None:
        before = self.windows.still()
        if what == "click":
            self.screen.click(x, y)
        elif what == "hold":
            self.screen.do("mousemove", x, y)
            self.screen.do("mousedown", 1)
            # a ring fills first; then the table is there, which differs nearly everywhere
            wait(lambda: unlike(before, self.screen.picture()) > 4, "the curtain to open", 60)
            self.screen.do("mouseup", 1)
        else:
            self.screen.key("Escape")

    def ten_moves_of_awss(self) -> str:
        return self._ten_moves("awss")

    def ten_moves_of_chains(self) -> str:
        return self._ten_moves("chains")

    def ten_moves_of_royale(self) -> str:
        return self._ten_moves("royale")

    def ten_moves_of_sisters(self) -> str:
        return self._ten_moves("sisters")

    def ten_moves_of_sun(self) -> str:
        return self._ten_moves("sun")

    def sharp_screens(self) -> str:
        """A table at 125 and 150%, as Windows' own settings have it."""
        shutil.copy(self._clicks / "royale.tabletop", self.windows.disk)
        for percent in (125, 150):
            self.windows.prefer()
            self.windows.sharpen(percent)
            try:
                shown = self.open(r"C:\royale.tabletop")
            finally:
                self.windows.sharpen(100)
            shown.save(self.pictures / f"royale-{percent}-windows.png")
            self.windows.leave()
        return "see royale-125-windows.png and royale-150-windows.png"

    # Keeping

    def killed_and_continued(self) -> str:
        self._play("sun", 2)
        journal = self.windows.journal()
        before = journal.read_bytes()
        self.windows.kill()
        if journal.read_bytes() != before:
            raise Failed("the match has changed")
        self.windows.prefer()
        file = journal_path(self.windows, journal)
        said = self.windows.run(self.windows.console, "show", file)
        self.open(file).save(self.pictures / "continued-windows.png")
        if journal.read_bytes()[: len(before)] != before:
            raise Failed("what was played is not in the match any more")
        return said.splitlines()[0]

    def two_windows_on_one_match(self) -> str:
        self.windows.prefer()
        shutil.copy(self._clicks / "sun.tabletop", self.windows.disk)
        self.open(r"C:\sun.tabletop")
        self._as_on_linux("sun-started")
        journal = self.windows.journal()
        before, alone = journal.read_bytes(), self.windows.still()
        self.windows.start(self.windows.program, journal_path(self.windows, journal))
        wait(lambda: len(self.screen.windows()) > 1, "a second window")
        # it shows the shelf, and says that the match is open elsewhere
        wait(lambda: unlike(alone, self.screen.picture()) > UNLIKE, "the second window's shelf")
        self.windows.still().save(self.pictures / "two-windows-windows.png")
        if not journal.read_bytes().startswith(before):
            raise Failed("the match has changed")
        if len(list(self.windows.data.glob("matches/*.tabletop"))) != 1:
            raise Failed("the match is there twice")
        return "see two-windows-windows.png"

    def double_click_on_a_match(self) -> str:
        self.windows.prefer()
        shutil.copy(self._clicks / "chains.tabletop", self.windows.disk / "by click.tabletop")
        self.windows.double_click(r"C:\by click.tabletop")
        self.shown()
        self._as_on_linux("chains-started")
        if self.windows.journal().stem != "by click":
            raise Failed("another match is open")
        return "a file with a space in its name"

    def link_in_a_browser(self) -> str:
        self.windows.prefer()
        port = free_port()
        with self._stopped(self.tabletop("host", "sun", "--port", port)) as host:
            code = host.says(CODE)
            self.windows.double_click(f"tabletop://127.0.0.1:{port}/?code={code}")
            wait(lambda: connected(port), "the window to come to the table")
            self.shown().save(self.pictures / "link-windows.png")
        return "see link-windows.png"

    # The network

    @contextmanager
    def _stopped(self, running: Running) -> Iterator[Running]:
        try:
            yield running
        finally:
            running.stop()

    def windows_hosts_linux_joins(self) -> str:
        port = free_port()
        host = self.windows.start(self.windows.console, "host", "sun", "--bots", 1, "--port", port)
        with self._stopped(host):
            code = host.says(CODE)
            guest = self.tabletop("join", f"tabletop://127.0.0.1:{port}/?code={code}", "--bot")
            with self._stopped(guest):
                return guest.ends().strip().splitlines()[-1]

    def linux_hosts_windows_joins(self) -> str:
        port = free_port()
        with self._stopped(self.tabletop("host", "sun", "--bots", 1, "--port", port)) as host:
            code = host.says(CODE)
            link = f"tabletop://127.0.0.1:{port}/?code={code}"
            guest = self.windows.start(self.windows.console, "join", link, "--bot")
            with self._stopped(guest):
                return guest.ends().strip().splitlines()[-1]

    def phone_at_a_windows_gateway(self) -> str:
        port = free_port()
        console = self.windows.console
        host = self.windows.start(console, "host", "sun", "--bots", 1, "--port", port)
        with self._stopped(host):
            code = host.says(CODE)
            link = f"tabletop://127.0.0.1:{port}/?code={code}"
            gateway = self.windows.start(
                console, "web", link, "--port", free_port(), "--bind", "127.0.0.1"
            )
            with self._stopped(gateway):
                at = gateway.says(r"^listening (\d+)")
                return asyncio.run(self._with_phone(f"http://127.0.0.1:{at}/#{code}"))

    async def _with_phone(self, address: str) -> str:
        """Take a seat in a phone's browser and play there."""
        taken: list[str] = []

        def sent(frame: str | bytes) -> None:
            if json.loads(frame)["kind"] == "move":
                taken.append("move")

        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            phone = await another_phone(browser, UPRIGHT, "en", "light")
            phone.page.on("websocket", lambda socket: socket.on("framesent", sent))
            await phone.open(address)
            await phone.sit(0, "はるか")
            await phone.page.wait_for_selector(".frame canvas")
            await phone.play(random.Random(1), lambda: len(taken) >= PHONE_MOVES)
            await phone.page.wait_for_function(LOADED)
            await phone.page.screenshot(path=self.pictures / "phone-windows.png")
            await browser.close()
        if phone.errors:
            raise Failed("; ".join(phone.errors))
        return f"{len(taken)} moves in Chromium, see phone-windows.png"

    def server_status_backup_restore(self) -> str:
        console, port = self.windows.console, free_port()
        serve = self.windows.start(console, "serve", "--port", port, "--data", r"C:\tables")
        with self._stopped(serve):
            serve.says(r"listening")
            wait(lambda: reachable(port), "the server")
            data = ("--data", r"C:\tables")
            status = self.windows.run(console, "server", "status", *data)
            self.windows.run(console, "server", "backup", r"C:\tables.tar.gz", *data)
            if serve.said.count("listening port") > 1:
                raise Failed("it restarts by itself")
        self.windows.kill()
        self.windows.run(console, "server", "restore", r"C:\tables.tar.gz", "--data", r"C:\again")
        kept = sorted(p.name for p in (self.windows.disk / "again").iterdir())
        return f"{status.strip().splitlines()[0]}; restored {', '.join(kept)}"

    def prints_a_game(self) -> str:
        sheets = ("print", "sun", "--out", r"C:\sheets.pdf", "--lang", "ja")
        self.windows.run(self.windows.console, *sheets)
        content = (self.windows.disk / "sheets.pdf").read_bytes()
        if not content.startswith(b"%PDF") or len(content) < 100_000:
            raise Failed("this is no PDF of a game")
        return f"{len(content) / 2**20:.1f} MiB"

    # Setup again

    def update_waits_for_the_window(self) -> str:
        self.windows.prefer()
        self.open(full=False)
        before = sorted((f, f.stat().st_mtime) for f in self.windows.installed.rglob("*"))
        self.windows.run(self.setup, "/S", status=2, timeout=600)
        if before != sorted((f, f.stat().st_mtime) for f in self.windows.installed.rglob("*")):
            raise Failed("it has changed something while the program was running")
        return "exit status 2, nothing changed"

    def update_keeps_matches_and_settings(self) -> str:
        self.windows.prefer(players=["ひなた"])
        kept = self.windows.data / "matches" / "kept.tabletop"
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(self._clicks / "sun.tabletop", kept)
        (self.windows.installed / "_internal" / "of an older version.dll").touch()
        before = [f.read_bytes() for f in (kept, self.windows.data / "settings.json")]
        self.windows.run(self.setup, "/S", timeout=600)
        if [f.read_bytes() for f in (kept, self.windows.data / "settings.json")] != before:
            raise Failed("matches or settings have changed")
        if (self.windows.installed / "_internal" / "of an older version.dll").exists():
            raise Failed("the older version is still there")
        return self.windows.run(self.windows.console, "--version").strip()

    def uninstall_leaves_matches_and_nothing_else(self) -> str:
        shutil.rmtree(self.windows.data)
        self.windows.prefer()
        shutil.copy(self._clicks / "sun.tabletop", self.windows.disk / "left.tabletop")
        self.open(r"C:\left.tabletop", full=False)  # a match, a cache, a log, locks
        self.windows.quit()
        kept = self.windows.journal()
        (self.windows.data / "seal.key").touch()  # made when a match is first sealed
        self.windows.run(self.windows.installed / "uninstall.exe", "/S", status=None)
        # a copy of the uninstaller does the work; this is the last of it
        wait(lambda: "REG_SZ" not in self.windows.registry(LISTED), "the uninstaller to end")
        if self.windows.installed.exists():
            raise Failed("something of the program is still there")
        if list(self.windows.menu.glob("Tabletop*")):
            raise Failed("it is still in the menu")
        kinds = ("Tabletop.Record", "Tabletop.Game", "tabletop")
        for key in (".tabletop", ".tabletop-game", *kinds):
            if "REG_SZ" in self.windows.registry(rf"HKCU\Software\Classes\{key}"):
                raise Failed(f"the registry still has {key}")
        left = sorted(path.name for path in self.windows.data.iterdir())
        if left != ["matches", "seal.key"] or not kept.is_file():
            raise Failed(f"left: {', '.join(left)}")
        return f"left: {', '.join(left)}"

    def portable_folder(self) -> str:
        place = self.windows.disk / "My ゲーム"
        with ZipFile(self.portable) as archive:
            archive.extractall(place)
        inside = rf"C:\My ゲーム\{next(place.iterdir()).name}\tabletop-console.exe"
        self.windows.run(inside, "simulate", "sun", "--games", 20)
        self.windows.run(inside, "arena", "sun", "--seats", 2, "--bots", "hard,easy", "--games", 2,
                         "--seconds", 0.05)  # fmt: skip
        return self.windows.run(inside, "--version").strip()


def unlike(one: Image.Image, other: Image.Image) -> float:
    """Mean difference of two pictures' pixels, of 255."""
    return sum(ImageStat.Stat(ImageChops.difference(one, other)).mean) / 3


def journal_path(windows: Windows, file: Path) -> str:
    """A file of the prefix, as Windows names it."""
    return "C:\\" + str(file.relative_to(windows.disk)).replace("/", "\\")


def the_one(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if not found:
        raise SystemExit(f"{folder} has no {pattern}: run packaging/build-windows first")
    return found[-1].resolve()


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def connected(port: int) -> bool:
    """Whether somebody has come to this port of this computer."""
    open_ = (c for c in psutil.net_connections("tcp") if c.status == psutil.CONN_ESTABLISHED)
    return any(connection.laddr.port == port for connection in open_)


def reachable(port: int) -> bool:
    with socket.socket() as trying:
        return trying.connect_ex(("127.0.0.1", port)) == 0


def main(dist: Path, pictures: Path, names: list[str]) -> int:
    pictures.mkdir(parents=True, exist_ok=True)
    known = [name for name in vars(Checks) if not name.startswith("_")]
    known = [name for name in known if name not in ("close", "tabletop", "open", "shown")]
    held: dict[str, tuple[bool, str]] = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        checks = Checks(dist, pictures, Path(work))
        try:
            for name in names or known:
                print(f"== {name}", flush=True)
                started = time.monotonic()
                try:
                    held[name] = True, str(getattr(checks, name)())
                except Exception as error:  # the others are to run all the same
                    held[name] = False, str(error) or type(error).__name__
                    if not isinstance(error, Failed):
                        traceback.print_exc()
                    checks.screen.picture().save(pictures / f"failed-{name}.png")
                checks.windows.leave()
                print(f"   {held[name][1]} ({time.monotonic() - started:.0f} s)", flush=True)
        finally:
            checks.close()
    print("\n| check | held | |\n|---|---|---|")
    for name, (well, detail) in held.items():
        print(f"| {name.replace('_', ' ')} | {'yes' if well else '**no**'} | {detail} |")
    return 0 if all(well for well, _ in held.values()) else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]))
