"""The packaging of the program, as far as it can be tested without building it."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PathDistribution
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree
from zipfile import ZipFile

import PySide6
import pytest

from tabletop import __version__
from tabletop.catalogue import catalogue
from tabletop.exchange import game_file
from tabletop.storage.record import SUFFIX
from ui.settings.licences import licence_texts

ROOT = Path(__file__).parents[1]
PACKAGING = ROOT / "packaging"
MIME = "application/x-tabletop"
GAME = "application/x-tabletop-game"
SCHEME = "x-scheme-handler/tabletop"


def script(name: str) -> ModuleType:
    """A script of packaging/, which is no package."""
    spec = spec_from_file_location(f"packaging_{name}", PACKAGING / f"{name}.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_packaging_imports_of_the_program_is_there() -> None:
    """Also inside the scripts of a shell, which no tool reads as Python."""
    said = r"^(?: *)from ((?:tabletop|ui)[\w.]*) import"
    wanted = {
        name
        for file in PACKAGING.iterdir()
        if file.is_file()
        for name in re.findall(said, file.read_text("utf-8"), re.MULTILINE)
    }
    assert "ui.style.asset_folder" in wanted
    assert [name for name in sorted(wanted) if find_spec(name) is None] == []


# The version


def test_the_version_stands_in_one_place() -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    told = re.compile(rf"version[\W_]{{1,8}}{re.escape(__version__)}\b", re.IGNORECASE)
    places = [
        name
        for name in tracked
        if name.endswith((".py", ".toml", ".xml", ".spec", ".desktop", ".iss", ".yml", ".1"))
        and (ROOT / name).is_file()
        and told.search((ROOT / name).read_text(encoding="utf-8"))
    ]
    assert places == ["tabletop/__init__.py"]


def test_windows_counts_a_version_in_four_numbers() -> None:
    text = script("windows/version").text("1.20.3")
    assert "filevers=(1, 20, 3, 0)" in text
    assert '"ProductVersion", "1.20.3"' in text


# A release


class Checkout:
    """A checkout with the release script, and with tests and a build that follow orders."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write("packaging/release", (PACKAGING / "release").read_text(), program=True)
        self.write("tabletop/__init__.py", '__version__ = "1.2.3"\n')
        self.write("CHANGELOG.md", "# Changelog\n\n## 1.2.3 - 2026-11-21\n\n- All is new.\n")
        self.write(".ci/run", "#!/bin/sh\nexit 0\n", program=True)
        self.write("packaging/build", "#!/bin/sh\nmkdir dist && touch dist/made\n", program=True)
        self.write(".gitignore", "dist/\n")
        self.git("init", "-q")
        self.commit()

    def write(self, name: str, text: str, program: bool = False) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755 if program else 0o644)

    def git(self, *words: str) -> str:
        who = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org"]
        done = subprocess.run(
            ["git", *who, *words], cwd=self.folder, capture_output=True, text=True, check=True
        )
        return done.stdout

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "So it is")

    def release(self) -> tuple[int, str]:
        who = {"GIT_COMMITTER_NAME": "Nobody", "GIT_COMMITTER_EMAIL": "nobody@example.org"}
        done = subprocess.run(
            ["packaging/release"],
            cwd=self.folder,
            env={"PATH": "/usr/bin:/bin", **who},
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stderr


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_a_release_is_tested_built_and_tagged(checkout: Checkout) -> None:
    assert checkout.release() == (0, "")
    assert (checkout.folder / "dist" / "made").is_file()
    assert checkout.git("tag") == "v1.2.3\n"


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n- All is new.\n", "CHANGELOG.md has no"),
        ("CHANGELOG.md", "## 1.2.3\n\n- No day.\n", "CHANGELOG.md has no"),
        ("CHANGELOG.md", "## 1.2.3 - 2026-11-21\n\n## 1.2.2\n\n- Old.\n", "CHANGELOG.md has no"),
        ("tabletop/__init__.py", '__version__ = "soon"\n', "names no version"),
        (".ci/run", "#!/bin/sh\nexit 1\n", "the tests fail"),
        ("packaging/build", "#!/bin/sh\ntouch litter\n", "left something behind"),
    ],
)
def test_a_release_is_refused(checkout: Checkout, name: str, text: str, reason: str) -> None:
    checkout.write(name, text, program=name in (".ci/run", "packaging/build"))
    checkout.commit()
    code, said = checkout.release()
    assert code == 1
    assert reason in said
    assert checkout.git("tag") == ""


@pytest.mark.parametrize("name", ["tabletop/__init__.py", "tabletop/new.py"])
def test_a_release_wants_everything_committed(checkout: Checkout, name: str) -> None:
    checkout.write(name, '__version__ = "1.2.3"\nmore = True\n')
    code, said = checkout.release()
    assert (code, "not committed" in said) == (1, True)


def test_a_version_is_released_once(checkout: Checkout) -> None:
    checkout.git("tag", "v1.2.3")
    code, said = checkout.release()
    assert (code, "out already" in said) == (1, True)


# Carried libraries


def test_a_library_that_nobody_told_of_is_a_stranger(tmp_path: Path) -> None:
    bundle = script("bundle")
    inside = tmp_path / "_internal"
    for name in (
        "libgtk-3.so.0",
        "libz.so.1",
        "msgspec/_core.cpython-311-x86_64-linux-gnu.so",
        "PySide6/Qt/lib/libQt6Core.so.6",
        "PySide6/Qt/lib/libQt6Qml.so.6",
    ):
        (inside / name).parent.mkdir(parents=True, exist_ok=True)
        (inside / name).touch()
    assert bundle.unlisted(tmp_path, bundle.LINUX) == [
        "PySide6/Qt/lib/libQt6Qml.so.6",
        "libgtk-3.so.0",
    ]


def test_a_library_of_wine_is_a_stranger_on_windows(tmp_path: Path) -> None:
    bundle = script("bundle")
    inside = tmp_path / "_internal"
    for name in ("icuuc.dll", "python311.dll", "PySide6/opengl32sw.dll", "PySide6/Qt6Core.dll"):
        (inside / name).parent.mkdir(parents=True, exist_ok=True)
        (inside / name).touch()
    found = bundle.unlisted(tmp_path, bundle.WINDOWS)
    assert found == ["PySide6/opengl32sw.dll", "icuuc.dll"]


def test_every_library_is_pinned_for_windows() -> None:
    with (PACKAGING.parent / "pyproject.toml").open("rb") as file:
        wanted = tomllib.load(file)["project"]["dependencies"]
    pins = (PACKAGING / "windows" / "requirements.txt").read_text(encoding="utf-8")
    pinned = {line.partition("==")[0] for line in pins.splitlines() if "==" in line}
    names = {re.split(r"[^A-Za-z0-9-]", each)[0].lower() for each in wanted}
    assert names - pinned == set(), "run packaging/windows/pin"


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[ModuleType, Path, Path]:
    """The checks of a bundle, a bundle of 100 MiB and its archive of 20: as in the last release."""
    bundle, folder = script("bundle"), tmp_path / "tabletop"
    archive = tmp_path / "tabletop-1.2.3-linux-x86_64.tar.xz"
    (folder / "_internal").mkdir(parents=True)
    with (folder / "_internal" / "base.zip").open("wb") as file:
        file.truncate(100 << 20)
    with archive.open("wb") as file:
        file.truncate(20 << 20)
    sizes = tmp_path / "sizes.toml"
    sizes.write_text('[linux]\nrelease = "1.2.2"\n"on disk" = 100.0\n".tar.xz" = 20.0\n')
    monkeypatch.setattr(bundle, "SIZES", sizes)
    return bundle, folder, archive


def test_a_link_that_leads_nowhere_is_refused(
    built: tuple[ModuleType, Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    bundle, folder, archive = built
    assert bundle.main(folder, archive) == 0
    assert capsys.readouterr().err == ""
    (folder / "_internal" / "libQt6Core.so.6").symlink_to("gone.so")
    assert bundle.main(folder, archive) == 1
    assert "libQt6Core.so.6: leads nowhere" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("mib", "code", "said"),
    [
        (20.5, 0, ""),
        (21.0, 0, "warning: .tar.xz: 21.0 MiB, +5.0% since 1.2.2 (20.0 MiB)\n"),
        (23.5, 1, ".tar.xz: 23.5 MiB, +17.5% since 1.2.2 (20.0 MiB), at most +15%\n"),
        (10.0, 0, ""),
    ],
)
def test_a_package_is_compared_with_the_last_release(
    built: tuple[ModuleType, Path, Path],
    capsys: pytest.CaptureFixture[str],
    mib: float,
    code: int,
    said: str,
) -> None:
    bundle, folder, archive = built
    with archive.open("wb") as file:
        file.truncate(int(mib * 2**20))
    assert bundle.main(folder, archive) == code
    assert capsys.readouterr().err == said


def test_a_package_of_a_new_kind_has_no_size_to_compare(
    built: tuple[ModuleType, Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    bundle, folder, archive = built
    deb = archive.with_name("tabletop_1.2.3-1_amd64.deb")
    deb.write_bytes(b"")
    assert bundle.main(folder, archive, deb) == 0
    assert capsys.readouterr().err == "warning: .deb: sizes.toml has no size of a release\n"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("tabletop-0.2.0-linux-x86_64.tar.xz", ".tar.xz"),
        ("tabletop_0.2.0-1_amd64.deb", ".deb"),
        ("tabletop-0.2.0-x86_64.AppImage", ".AppImage"),
        ("tabletop-0.2.0-windows-x86_64.zip", ".zip"),
        ("tabletop-0.2.0-setup.exe", "setup.exe"),
    ],
)
def test_sizes_of_two_versions_have_the_same_name(name: str, kind: str) -> None:
    assert script("bundle").kind_of(Path(name)) == kind


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A folder in which the program starts as in a bundle; it is run from its source."""
    start = tmp_path / "bundle" / "tabletop"
    start.parent.mkdir()
    start.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tabletop "$@"\n')
    start.chmod(0o755)
    return start.parent


def test_a_bundle_says_itself_what_it_takes_from_libraries(program: Path) -> None:
    forms = {"tabletop.language.words": False, "msgspec._core": True}
    assert script("modules").compiled_forms(program, list(forms)) == forms


def test_a_module_that_a_bundle_lacks_is_named(program: Path) -> None:
    with pytest.raises(SystemExit, match=r"No module named 'tabletop\.gone'"):
        script("modules").compiled_forms(program, ["tabletop.gone"])


def test_a_bundle_has_exactly_the_compiled_libraries(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    modules = script("modules")
    suffix = modules.EXTENSION_SUFFIXES[0]
    for name in ("tabletop__mypyc", "tabletop/bots/hard", "tabletop/engine/mask"):
        library = tmp_path / f"{name}{suffix}"
        library.parent.mkdir(parents=True, exist_ok=True)
        library.touch()
    forms = {"tabletop.bots.hard": True, "tabletop.engine.mask": True, "ui.app": False}

    def compiled_forms(bundle: Path, names: list[str]) -> dict[str, bool]:
        return {name: forms[name] for name in names}

    monkeypatch.setattr(modules, "importable", lambda: iter(forms))
    monkeypatch.setattr(modules, "compiled_forms", compiled_forms)
    assert modules.main(tmp_path, tmp_path) == 0
    assert capsys.readouterr().out == "3 modules, 2 of them compiled\n"
    forms |= {"tabletop.engine.mask": False, "ui.app": True}
    assert modules.main(tmp_path, tmp_path) == 1
    assert [line.partition(":")[0] for line in capsys.readouterr().err.splitlines()] == [
        "tabletop.engine.mask",
        "ui.app",
    ]


COLLATED = """
from PySide6.QtCore import QCollator, QLocale
print(*sorted("いかあ", key=QCollator(QLocale("ja_JP")).sortKey), sep="")
"""


@pytest.mark.skipif(shutil.which("icupkg") is None, reason="needs Debian's icu-devtools")
def test_qt_sorts_japanese_with_the_icu_data_that_is_kept(tmp_path: Path) -> None:
    libraries = Path(PySide6.__file__).parent / "Qt" / "lib"
    for library in libraries.glob("libicu*"):
        shutil.copy(library, tmp_path)
    data = next(tmp_path.glob("libicudata.so.*"))
    whole = data.stat().st_size
    script("icu").prune(data)
    assert data.stat().st_size < whole / 5
    preloaded = os.environ | {"LD_LIBRARY_PATH": str(tmp_path), "LD_PRELOAD": str(data)}
    command = [sys.executable, "-c", COLLATED]
    done = subprocess.run(command, env=preloaded, check=True, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("あいか\n", "")


# Desktop entries


def entry() -> dict[str, str]:
    lines = (PACKAGING / "linux" / "tabletop.desktop").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


def test_the_launcher_opens_records_and_invitations() -> None:
    told = entry()
    assert {MIME, GAME, SCHEME} <= set(told["MimeType"].split(";"))
    assert told["Exec"] == "tabletop %u"
    assert {"Name", "Name[ja]", "Comment", "Comment[ja]"} <= set(told)


def test_the_type_of_records_fits_the_records() -> None:
    told = ElementTree.parse(PACKAGING / "linux" / "tabletop.xml")
    spaces = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
    kind, game = told.findall("m:mime-type", spaces)
    assert game.get("type") == GAME
    assert game.find("m:glob", spaces).get("pattern") == f"*{game_file.GAME_FILE_SUFFIX}"
    (glob,) = kind.findall("m:glob", spaces)
    (begins,) = kind.findall("m:magic/m:match", spaces)
    assert (kind.get("type"), glob.get("pattern")) == (MIME, f"*{SUFFIX}")
    corpus = ROOT / "tests" / "storage" / "corpus"
    records = [*corpus.rglob(f"*{SUFFIX}")]
    assert records
    for record in records:
        assert record.read_text(encoding="utf-8").startswith(begins.get("value", "?")), record


@pytest.mark.parametrize("address", ["", "https://tabletop.example/pictures"])
def test_software_centres_are_told_of_every_game(address: str) -> None:
    template = (PACKAGING / "linux" / "tabletop.metainfo.xml").read_text(encoding="utf-8")
    told = ElementTree.fromstring(script("shelf").filled(template, address))
    shelf = [kit for kit in catalogue.shelf() if not kit.is_draft]
    assert len(told.findall("description/ul/li")) == 2 * len(shelf)
    pictures = [image.text for image in told.findall("screenshots/screenshot/image")]
    assert pictures == ([f"{address}/{kit.id}.png" for kit in shelf] if address else [])
    for kit in shelf:
        assert (ROOT / "assets" / "readme" / f"{kit.id}.png").is_file()


LISTED = """
from typer.main import get_command
from tabletop.commands.all_commands import make_application
program = get_command(make_application())
print(*(name for each in program.params for name in each.opts if not each.hidden), "--help")
for name, command in program.commands.items():
    print(name, *(f"{name}/{part}" for part in getattr(command, "commands", ())))
"""
"""Prints what the program's own help lists."""


@pytest.mark.parametrize("language", ["", ".ja"])
def test_the_manual_tells_of_every_command_and_option(language: str) -> None:
    page = (PACKAGING / "linux" / f"tabletop{language}.1").read_text(encoding="utf-8")
    told = subprocess.run(
        [sys.executable, "-c", LISTED], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.split()
    assert {"serve", "server", "server/backup", "--public"} <= set(told)
    for word in told:
        command, _, part = word.partition("/")
        shown, part = command.replace("-", r"\\-"), part.replace("-", r"\-")
        lines = re.findall(rf"^\.B[IR]? {shown}(?: .*)?$", page, re.MULTILINE)
        assert any(part in line for line in lines), word


# Running a server


SERVE = """
import json
from typer.main import get_command
from tabletop.commands.all_commands import make_application
serve = get_command(make_application()).commands["serve"]
print(json.dumps([flag for each in serve.params for flag in each.opts]))
"""


SERVES = r"ExecStart=|ENTRYPOINT|\s+command:|\s+exec tabletop serve"
"""Where such a file says how a server is run."""


def flags_of_units() -> dict[str, set[str]]:
    """By file, what the units, the compose file and the Containerfile give `tabletop serve`."""
    files = (
        "linux/tabletop.service",
        "server/tabletop@.service",
        "server/compose.yaml",
        "server/Containerfile",
    )
    found = {}
    for file in files:
        lines = (PACKAGING / file).read_text("utf-8").splitlines()
        told = [line for line in lines if re.match(SERVES, line)]
        assert told, file
        found[file] = set(re.findall(r"(?<!\w)--[a-z][a-z-]*", " ".join(told)))
    return found


def test_whatever_runs_a_server_gives_it_flags_that_it_knows() -> None:
    known = subprocess.run(
        [sys.executable, "-c", SERVE], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout
    for file, flags in flags_of_units().items():
        assert flags
        assert flags <= set(json.loads(known)), file


def test_servers_behind_one_address_listen_as_configured() -> None:
    """The ports and names in HAProxy's file, the units and the compose file are the same."""
    haproxy, compose, unit, socket = (
        (PACKAGING / "server" / name).read_text("utf-8")
        for name in ("haproxy.cfg", "compose.yaml", "tabletop@.service", "tabletop@.socket")
    )
    ports = set(re.findall(r"server server_\d 127\.0\.0\.1:(\d+)", haproxy))
    assert ports == set(re.findall(r'"--port", "(\d+)"', compose)) == {"18921", "18922"}
    assert set(re.findall(r"(\d)\.tabletop \}", haproxy)) == {port[-1] for port in ports}
    assert "--port 1892%i" in unit
    assert "ListenStream=127.0.0.1:1892%i" in socket
    assert {"send-proxy", "--proxy"} <= set(re.findall(r"[\w-]+", haproxy + unit))
    assert '"--proxy", "127.0.0.1"' in compose


def test_all_containers_share_certificate_and_folder() -> None:
    compose, image = (
        (PACKAGING / "server" / name).read_text("utf-8")
        for name in ("compose.yaml", "Containerfile")
    )
    first, *others = re.split(r"\n  server_\d:\n", compose.partition("\nvolumes:")[0])[1:]
    assert 'volumes: ["server_1:/var/lib/tabletop"]' in first
    for other in others:
        assert '"server_1:/first:ro"' in other
        assert "/first/tables/host.pem" in other
        assert '"$$@"' in other  # a command of compose's own is given on
    folders = re.findall(r'--data"?,? "?([\w/]+)', compose + image)
    assert set(folders) == {"/var/lib/tabletop/tables"}
    assert len(folders) == 2 + len(others)
    # podman-compose leaves a gap without a message as it is
    assert all(re.findall(r"\$\{KNOWN_AS:\?(.*?)\}", compose))


def test_both_units_are_locked_up_alike() -> None:
    one, of_several = (
        (PACKAGING / name).read_text("utf-8").partition("DynamicUser=yes")[2]
        for name in ("linux/tabletop.service", "server/tabletop@.service")
    )
    assert one == of_several.replace("StateDirectory=tabletop/%i", "StateDirectory=tabletop")
    assert "CapabilityBoundingSet=\n" in one


# Reproducible builds


def built_at(folder: Path, time: int, names: list[str]) -> str:
    """A digest of names, times and contents of a bundle, made at this time in this order."""
    metadata = folder / "_internal" / "tabletop_taku-1.2.3.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Name: tabletop-taku\n")
    (metadata / "direct_url.json").write_text(f'{{"url": "file:///tmp/{time}"}}')
    (metadata / "RECORD").write_text(f"../../bin/tabletop,sha256={time},235\n")
    with ZipFile(folder / "_internal" / "base_library.zip", "w") as archive:
        for name in names:
            archive.writestr(name, name)
    for path in folder.rglob("*"):
        os.utime(path, (time, time))
    script("reproducible").main(folder, 1_000_000_000)
    return repr(
        [
            (path.relative_to(folder), path.stat().st_mtime, path.is_file() and path.read_bytes())
            for path in sorted(folder.rglob("*"))
        ]
    )


def test_two_bundles_of_one_commit_are_equal(tmp_path: Path) -> None:
    one = built_at(tmp_path / "one", 1_700_000_000, ["os.pyc", "abc.pyc"])
    two = built_at(tmp_path / "two", 1_800_000_000, ["abc.pyc", "os.pyc"])
    assert one == two
    assert "METADATA,," in one


def test_a_licence_is_found_by_tidied_metadata(tmp_path: Path) -> None:
    metadata = tmp_path / "made-1.dist-info"
    (metadata / "licenses").mkdir(parents=True)
    (metadata / "METADATA").write_text("Name: made\nVersion: 1\n")
    (metadata / "licenses" / "LICENSE").write_text("Do as you like.")
    script("reproducible").tidy_metadata(metadata)
    assert licence_texts(PathDistribution(metadata)) == "Do as you like."


@pytest.mark.parametrize("script", ["readme_film", "start_times", "window", "windows/clicks"])
def test_what_a_script_takes_of_the_program_is_there(script: str) -> None:
    """These run by hand alone, or after all tests: a module that was moved is missed here."""
    loaded = subprocess.run(
        [sys.executable, "-c", f"import runpy; runpy.run_path({f'packaging/{script}.py'!r})"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert loaded.returncode == 0, loaded.stderr


def test_the_clicks_for_windows_are_planned(tmp_path: Path) -> None:
    planner = [sys.executable, ROOT / "packaging/windows/clicks.py", tmp_path / "clicks", "chains"]
    planned = subprocess.run(
        planner,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name != "TABLETOP_GAMES"}
        | {"PYTHONPATH": str(ROOT), "TABLETOP_HOME": str(tmp_path / "home")},
    )
    assert planned.returncode == 0, planned.stderr
    moves = json.loads((tmp_path / "clicks/chains.json").read_text())
    assert len(moves) == 10
    assert all(moves), "each move takes at least one action"
    shelf = json.loads((tmp_path / "clicks/shelf.json").read_text())
    assert set(shelf) == {"awss", "chains", "royale", "sisters", "sun"}
