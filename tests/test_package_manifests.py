"""The manifests by which package managers find the program: complete, filled, and of one mind."""

import datetime
import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tabletop import __version__

PACKAGING = Path(__file__).parents[1] / "packaging"
FLATPAK = PACKAGING / "flatpak" / "taku.tabletop.tabletop.yml"
ADDRESS = "https://tabletop.example/project"

# Demands of winget's schema 1.6.0
REQUIRED = {
    "version": {"DefaultLocale"},
    "installer": {"Installers"},
    "defaultLocale": {"PackageLocale", "Publisher", "PackageName", "License", "ShortDescription"},
    "locale": {"PackageLocale"},
}
NAMES = r"[^.\s\\/:*?\"<>|\x01-\x1f]{1,32}"
IDENTIFIER = re.compile(rf"{NAMES}(\.{NAMES}){{1,7}}")
INSTALLER_TYPES = {
    "msix", "msi", "appx", "exe", "zip", "inno", "nullsoft", "wix", "burn", "pwa", "portable",
}  # fmt: skip
RESPONSES = {
    "packageInUse", "packageInUseByApplication", "installInProgress", "fileInUse", "diskFull",
    "missingDependency", "insufficientMemory", "invalidParameter", "noNetwork", "contactSupport",
    "rebootRequiredToFinish", "rebootRequiredForInstall", "rebootInitiated", "cancelledByUser",
    "alreadyInstalled", "downgrade", "blockedByPolicy", "systemNotSupported", "custom",
}  # fmt: skip


@pytest.fixture(scope="module")
def winget(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict]:
    """Winget's manifests of a setup program, filled, by their kind."""
    folder = tmp_path_factory.mktemp("winget")
    setup = folder / f"tabletop-{__version__}-setup.exe"
    setup.write_bytes(b"a setup program")
    subprocess.run(
        [PACKAGING / "winget" / "fill", setup, folder / "made"],
        env=os.environ | {"TABLETOP_HOMEPAGE": f"{ADDRESS}/"},
        check=True,
    )
    made = [yaml.safe_load(file.read_text("utf-8")) for file in (folder / "made").iterdir()]
    return {manifest["ManifestType"]: manifest for manifest in made}


def test_winget_gets_all_that_it_demands(winget: dict[str, dict]) -> None:
    assert winget.keys() == REQUIRED.keys()
    for kind, manifest in winget.items():
        assert REQUIRED[kind] <= manifest.keys()
        assert IDENTIFIER.fullmatch(manifest["PackageIdentifier"])
        assert manifest["PackageVersion"] == __version__
        assert manifest["ManifestVersion"] == "1.6.0"
    assert winget["version"]["DefaultLocale"] == winget["defaultLocale"]["PackageLocale"]
    for kind in ("defaultLocale", "locale"):
        assert 3 <= len(winget[kind]["ShortDescription"]) <= 256


def test_winget_finds_the_setup_program(winget: dict[str, dict]) -> None:
    manifest = winget["installer"]
    (one,) = manifest["Installers"]
    assert one["InstallerSha256"] == hashlib.sha256(b"a setup program").hexdigest().upper()
    file = f"tabletop-{__version__}-setup.exe"
    assert one["InstallerUrl"] == f"{ADDRESS}/releases/download/v{__version__}/{file}"
    assert manifest["InstallerType"] in INSTALLER_TYPES
    assert {each["ReturnResponse"] for each in manifest["ExpectedReturnCodes"]} <= RESPONSES
    datetime.date.fromisoformat(str(manifest["ReleaseDate"]))


def test_winget_and_setup_agree(winget: dict[str, dict]) -> None:
    setup = (PACKAGING / "windows" / "tabletop.nsi").read_text("utf-8")
    manifest = winget["installer"]
    assert f'Uninstall\\{manifest["ProductCode"]}"' in setup
    oldest = re.search(r"OLDEST_BUILD (\d+)", setup)
    assert manifest["MinimumOSVersion"] == f"10.0.{oldest[1]}.0"
    assert ("RequestExecutionLevel user" in setup) == (manifest["Scope"] == "user")
    for code in manifest["ExpectedReturnCodes"]:
        assert f"SetErrorLevel {code['InstallerReturnCode']}" in setup
    for extension in manifest["FileExtensions"]:
        assert f"\\.{extension}" in setup
    publisher = winget["defaultLocale"]["Publisher"]
    assert f'Publisher "{publisher}"' in setup


def test_the_flatpak_is_of_the_bundle() -> None:
    manifest = yaml.safe_load(FLATPAK.read_text("utf-8"))
    assert manifest["id"] == FLATPAK.stem
    metainfo = (PACKAGING / "linux" / "tabletop.metainfo.xml").read_text("utf-8")
    assert f"<id>{manifest['id']}</id>" in metainfo
    share = (PACKAGING / "share").read_text("utf-8")
    for file in (manifest["rename-desktop-file"], f"{manifest['id']}.metainfo.xml"):
        assert file in share
    (module,) = manifest["modules"]
    commands = "\n".join(module["build-commands"])
    assert "/app/bin/tabletop" in commands
    assert manifest["command"] == "tabletop"


@pytest.mark.skipif(shutil.which("flatpak-builder") is None, reason="needs flatpak-builder")
def test_flatpak_builder_knows_every_word() -> None:
    command = ["flatpak-builder", "--show-manifest", FLATPAK]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""


APP = """#!/bin/sh
echo "$0" "$@"
"""


@pytest.mark.skipif(shutil.which("mksquashfs") is None, reason="needs Debian's squashfs-tools")
def test_an_appimage_holds_the_bundle_behind_its_start(tmp_path: Path) -> None:
    bundle = tmp_path / "tabletop"
    share = bundle / "share"
    for name in ("applications/tabletop.desktop", "metainfo/taku.tabletop.tabletop.metainfo.xml"):
        (share / name).parent.mkdir(parents=True)
        (share / name).write_text("[Desktop Entry]\n")
    icon = share / "icons/hicolor/256x256/apps/tabletop.png"
    icon.parent.mkdir(parents=True)
    icon.write_bytes(b"a picture")
    (bundle / "tabletop").write_text(APP)
    (bundle / "tabletop").chmod(0o755)
    runtime = tmp_path / "runtime"
    runtime.write_bytes(b"\x7fELF" + bytes(1020))
    environment = os.environ | {"TABLETOP_APPIMAGE_RUNTIME": str(runtime)}
    make = [PACKAGING / "appimage", bundle, "1.2.3", tmp_path]
    subprocess.run(make, env=environment, check=True)
    (image,) = tmp_path.glob("*.AppImage")
    assert image.name.startswith("tabletop-1.2.3-")
    assert os.access(image, os.X_OK)
    assert image.read_bytes().startswith(runtime.read_bytes() + b"hsqs")
    there = tmp_path / "there"
    unpack = ["unsquashfs", "-q", "-n", "-o", "1024", "-d", there, image]
    subprocess.run(unpack, check=True, capture_output=True)
    names = {path.name for path in there.iterdir()}
    assert names == {".DirIcon", "AppRun", "tabletop", "tabletop.desktop", "tabletop.png", "usr"}
    said = subprocess.run([there / "AppRun", "a b", "c"], capture_output=True, text=True).stdout
    assert said == f"{there}/tabletop/tabletop a b c\n"
    environment.pop("TABLETOP_APPIMAGE_RUNTIME")
    subprocess.run(make, env=environment, check=True)
    assert [path.suffix for path in tmp_path.glob("tabletop-1.2.3-*")] == [".squashfs"]
