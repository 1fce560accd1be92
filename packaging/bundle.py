"""Checks a bundle: no unlisted library, no dangling link, no newer glibc than Ubuntu 22.04 has, and
hardly more MiB than in the last release, of the bundle on a disk and of each archive of it.

    python3 bundle.py BUNDLE ARCHIVE...
"""

import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple


class System(NamedTuple):
    """The libraries that may be in a bundle for a system, and the name of its part of SIZES."""

    name: str
    listed: Path
    suffixes: frozenset[str]


HERE = Path(__file__).parent
LINUX = System("linux", HERE / "carried.txt", frozenset({".so"}))
WINDOWS = System("windows", HERE / "windows" / "carried.txt", frozenset({".dll", ".pyd", ".exe"}))
SIZES = HERE / "sizes.toml"
ON_DISK = "on disk"
WORTH_A_WARNING, TOO_MUCH = 0.03, 0.15
"""Growth since the last release."""

MOST_GLIBC = (2, 35)
"""The newest glibc that may be needed: that of Ubuntu 22.04. Qt's wheels need 2.34, and Debian 12's
Python 2.35."""
GLIBC = re.compile(r"GLIBC_(2\.\d+)")


def patterns_in(listed: Path) -> list[str]:
    """The patterns of a list, without its comments."""
    lines = (line.strip() for line in listed.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def unlisted(bundle: Path, system: System) -> list[str]:
    """Libraries in the bundle that no pattern names."""
    inside, patterns = bundle / "_internal", patterns_in(system.listed)
    found = (
        path
        for path in inside.rglob("*")
        if system.suffixes & {suffix.lower() for suffix in path.suffixes} and not path.is_symlink()
    )
    names = sorted(path.relative_to(inside).as_posix() for path in found)
    return [name for name in names if not any(fnmatch(name, pattern) for pattern in patterns)]


def dangling(bundle: Path) -> list[str]:
    """Links in the bundle to what is not there."""
    return sorted(
        path.relative_to(bundle).as_posix()
        for path in bundle.rglob("*")
        if path.is_symlink() and not path.exists()
    )


def newest_glibc(bundle: Path) -> tuple[int, ...]:
    """The version of glibc that the libraries of a Linux bundle need."""
    libraries = [str(path) for path in bundle.rglob("*.so*") if path.is_file()]
    symbols = subprocess.run(["objdump", "-T", *libraries], capture_output=True, text=True).stdout
    found = (tuple(map(int, version.split("."))) for version in GLIBC.findall(symbols))
    return max(found, default=(0,))


def size(bundle: Path) -> float:
    """MiB on a disk that deals in blocks of 4 KiB."""
    files = (path for path in bundle.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(-(-path.stat().st_size // 4096) * 4096 for path in files) / 2**20


def kind_of(archive: Path) -> str:
    """The key of an archive in SIZES; other parts of its name change with the version."""
    name = archive.name
    return "setup.exe" if name.endswith("setup.exe") else "".join(_SUFFIXES.findall(name)[-1:])


_SUFFIXES = re.compile(r"(?:\.tar)?\.[A-Za-z]+$")


def main(bundle: Path, *archives: Path) -> int:
    system = WINDOWS if (bundle / "tabletop.exe").exists() else LINUX
    complaints = [f"{name}: not in {system.listed}" for name in unlisted(bundle, system)]
    complaints += [f"{name}: leads nowhere" for name in dangling(bundle)]
    if system is LINUX and (glibc := newest_glibc(bundle)) > MOST_GLIBC:
        complaints.append(f"needs glibc {'.'.join(map(str, glibc))}")
    last = tomllib.loads(SIZES.read_text(encoding="utf-8"))[system.name]
    sizes = {ON_DISK: size(bundle)}
    sizes |= {kind_of(archive): archive.stat().st_size / 2**20 for archive in archives}
    for kind, mib in sizes.items():
        print(f'"{kind}" = {mib:.1f}')
        if kind not in last:
            print(f"warning: {kind}: {SIZES.name} has no size of a release", file=sys.stderr)
            continue
        growth = mib / last[kind] - 1
        said = f"{kind}: {mib:.1f} MiB, {growth:+.1%} since {last['release']} ({last[kind]} MiB)"
        if growth > TOO_MUCH:
            complaints.append(f"{said}, at most {TOO_MUCH:+.0%}")
        elif growth > WORTH_A_WARNING:
            print(f"warning: {said}", file=sys.stderr)
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
