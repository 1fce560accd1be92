"""The setup program for Windows, of a bundle of a few bytes, under Wine: it removes only what is
its own, asks before it mixes with files of others, and its exit status says what happened."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

WINDOWS = Path(__file__).parents[1] / "packaging" / "windows"
NEEDED = ("makensis", "wine", "x86_64-w64-mingw32-gcc")
LISTED = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Tabletop"
BUILD = r"HKLM\Software\Microsoft\Windows NT\CurrentVersion"
GRAPHICS = Path("/usr/share/nsis/Contrib/Graphics")
ICON, PICTURE = GRAPHICS / "Icons/modern-install.ico", GRAPHICS / "Wizard/win.bmp"
LONGEST = 300.0
"""Seconds after which what an uninstaller leaves to its copy does not happen any more."""

pytestmark = pytest.mark.skipif(
    any(shutil.which(each) is None for each in NEEDED),
    reason="needs Debian's nsis, wine and gcc-mingw-w64-x86-64",
)


def write_bundle(folder: Path) -> Path:
    """Write a bundle of a few bytes."""
    (folder / "_internal").mkdir(parents=True)
    for name in ("tabletop.exe", "tabletop-console.exe", "LICENSE", "CHANGELOG.md"):
        (folder / name).write_text(name)
    (folder / "_internal" / "libffi-8.dll").write_text("a library")
    return folder


class Machine:
    """A Windows under Wine, and a setup program of a bundle that is hardly any."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        subprocess.run([WINDOWS / "prefix", folder], check=True, capture_output=True)
        self.disk = folder / "prefix" / "drive_c"
        self.user = next(p for p in (self.disk / "users").iterdir() if p.name != "Public")
        self.local = self.user / "AppData" / "Local"
        self.usual = self.local / "Programs" / "Tabletop"
        self.menu = self.user / "AppData/Roaming/Microsoft/Windows/Start Menu/Programs"
        self.setup = folder / "setup.exe"
        bundle = write_bundle(folder / "bundle")
        files = bundle.with_name("commands")
        files.mkdir(exist_ok=True)
        subprocess.run([sys.executable, WINDOWS / "file_commands.py", bundle, files], check=True)
        given = {
            "VERSION": "1.2.3",
            "BUNDLE": bundle,
            "FILES": files,
            "ICON": ICON,
            "PICTURE": PICTURE,
            "OUT": self.setup,
        }
        words = [f"-D{name}={value}" for name, value in given.items()]
        command = ["makensis", "-V2", *words, WINDOWS / "tabletop.nsi"]
        subprocess.run(command, check=True, capture_output=True)

    def run(self, *command: object) -> int:
        """The exit status of a Windows program."""
        words = [str(self.folder / "wine"), *map(str, command)]
        return subprocess.run(words, cwd=self.disk, capture_output=True).returncode

    def install(self, folder: str = "") -> int:
        return self.run(self.setup, "/S", *([f"/D={folder}"] if folder else []))

    def uninstall(self, folder: Path) -> None:
        """Run an uninstaller, whose copy does the work and ends later."""
        self.run(folder / "uninstall.exe", "/S")
        self.wait(lambda: not folder.exists())

    def wait(self, until: Callable[[], bool]) -> None:
        started = time.monotonic()
        while not until():
            assert time.monotonic() - started < LONGEST
            time.sleep(0.2)

    def listed(self) -> str:
        """The folder of the copy in the system's list of programs; empty if there is none."""
        words = [str(self.folder / "wine"), "reg", "query", LISTED, "/v", "InstallLocation"]
        said = subprocess.run(words, capture_output=True, text=True, errors="replace").stdout
        return said.partition("REG_SZ")[2].strip()

    @property
    def in_the_menu(self) -> bool:
        return (self.menu / "Tabletop 卓.lnk").is_file()

    def clear(self) -> None:
        """Undo what a test has installed."""
        for folder in (self.usual, self.disk / "Other", self.disk / "Kept"):
            shutil.rmtree(folder, ignore_errors=True)
        self.run("reg", "delete", LISTED, "/f")


@pytest.fixture(scope="module")
def machine_of_all(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    machine = Machine(tmp_path_factory.mktemp("windows"))
    yield machine
    machine.run("wineboot", "--kill")


@pytest.fixture
def machine(machine_of_all: Machine) -> Iterator[Machine]:
    yield machine_of_all
    machine_of_all.clear()


@pytest.mark.timeout(900)
def test_a_copy_elsewhere_replaces_the_older_one(machine: Machine) -> None:
    assert machine.install() == 0
    assert (machine.usual / "_internal" / "libffi-8.dll").is_file()
    assert machine.listed().endswith(r"\Programs\Tabletop")
    assert machine.install(r"C:\Other") == 0
    assert (machine.disk / "Other" / "tabletop.exe").is_file()
    assert not machine.usual.exists()
    assert machine.listed() == r"C:\Other"
    assert machine.in_the_menu
    machine.uninstall(machine.disk / "Other")
    machine.wait(lambda: not machine.in_the_menu and not machine.listed())


@pytest.mark.timeout(900)
def test_an_uninstaller_leaves_another_copy_alone(machine: Machine) -> None:
    assert machine.install() == 0
    settings = machine.local / "Tabletop" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text("{}")
    shutil.copytree(machine.usual, machine.disk / "Kept")  # a copy that the list doesn't have
    machine.uninstall(machine.disk / "Kept")
    assert machine.listed().endswith(r"\Programs\Tabletop")
    assert machine.in_the_menu
    assert settings.is_file()
    assert (machine.usual / "tabletop.exe").is_file()
    machine.uninstall(machine.usual)
    machine.wait(lambda: not settings.exists() and not machine.in_the_menu)


@pytest.mark.timeout(900)
def test_a_folder_with_files_of_others_is_refused(machine: Machine) -> None:
    other = machine.disk / "Other"
    (other / "_internal").mkdir(parents=True)
    (other / "LICENSE").write_text("another program's")
    (other / "_internal" / "notes.txt").write_text("mine")
    assert machine.install(r"C:\Other") == 2
    assert (other / "LICENSE").read_text() == "another program's"
    assert (other / "_internal" / "notes.txt").read_text() == "mine"
    assert len(list(other.iterdir())) == 2
    assert machine.listed() == ""


@pytest.mark.timeout(900)
def test_an_update_leaves_nothing_of_the_older_version(machine: Machine) -> None:
    assert machine.install() == 0
    (machine.usual / "_internal" / "Qt5Core.dll").touch()
    (machine.usual / "my notes.txt").touch()
    assert machine.install() == 0
    assert [each.name for each in (machine.usual / "_internal").iterdir()] == ["libffi-8.dll"]
    assert not (machine.usual / "_internal.old").exists()
    assert (machine.usual / "my notes.txt").exists()


@pytest.mark.timeout(900)
def test_what_cannot_be_written_ends_with_a_number(machine: Machine) -> None:
    """The folder of the libraries can't be made; the version that was there is as before."""
    assert machine.install() == 0
    older = machine.usual / "_internal"
    (older / "of an older version.dll").touch()
    (machine.usual / "_internal.old").mkdir()
    blocked = machine.usual / "_internal.old" / "held"
    blocked.mkdir()
    held = subprocess.run(["chattr", "+i", blocked], capture_output=True)
    if held.returncode:
        pytest.skip("this disk can't protect a folder")
    try:
        assert machine.install() == 2
    finally:
        subprocess.run(["chattr", "-i", blocked], check=True)
    assert (older / "of an older version.dll").is_file()


@pytest.mark.timeout(900)
def test_a_windows_that_is_too_old_is_refused(machine: Machine) -> None:
    before = r"/d", "19043"
    for name in ("CurrentBuild", "CurrentBuildNumber"):
        machine.run("reg", "add", BUILD, "/v", name, "/d", "17134", "/f")
    machine.run("wineboot", "--restart")
    try:
        assert machine.install() == 2
        assert not machine.usual.exists()
    finally:
        for name in ("CurrentBuild", "CurrentBuildNumber"):
            machine.run("reg", "add", BUILD, "/v", name, *before, "/f")


def test_two_packs_of_one_bundle_are_equal(tmp_path: Path) -> None:
    bundle, icons = write_bundle(tmp_path / "tabletop"), tmp_path / "icons"
    icons.mkdir()
    for path in sorted(bundle.rglob("*")):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    packs = []
    for number, made in enumerate((1_750_000_000, 1_760_000_000)):
        for source, name in ((ICON, "tabletop.ico"), (PICTURE, "setup.bmp")):
            shutil.copy(source, icons / name)
            os.utime(icons / name, (made, made))
        dist = tmp_path / f"dist-{number}"
        subprocess.run([WINDOWS / "pack", bundle, icons, dist], check=True, capture_output=True)
        (digests,) = dist.glob("*.sha256")
        packs.append(digests.read_text())
    assert packs[0] == packs[1]
    assert "setup.exe" in packs[0]
