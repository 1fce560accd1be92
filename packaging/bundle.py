"""Checks a bundle: no unlisted library, no dangling link, no newer glibc than Ubuntu 22.04 has, and
at most so many MiB.

    python3 bundle.py BUNDLE ARCHIVE...
"""

import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple


class Limits(NamedTuple):
    """Limits on the content of a bundle, and on its size in MiB."""

    listed: Path
    suffixes: frozenset[str]
    on_disk: float
    packed: float


HERE = Path(__file__).parent
LINUX = Limits(HERE / "carried.txt", frozenset({".so"}), 132, 34)
WINDOWS = Limits(HERE / "windows" / "carried.txt", frozenset({".dll", ".pyd", ".exe"}), 130, 45)


MOST_GLIBC = (2, 35)
"""Of Ubuntu 22.04. Qt's wheels need 2.34, and Debian 12's Python 2.35."""
GLIBC = re.compile(r"GLIBC_(2\.\d+)")


def patterns_in(listed: Path) -> list[str]:
    """The patterns of a list, without its comments."""
    lines = (line.strip() for line in listed.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def unlisted(bundle: Path, limits: Limits) -> list[str]:
    """Libraries in the bundle that no pattern names."""
    inside, patterns = bundle / "_internal", patterns_in(limits.listed)
    found = (
        path
        for path in inside.rglob("*")
        if limits.suffixes & {suffix.lower() for suffix in path.suffixes} and not path.is_symlink()
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


def main(bundle: Path, *archives: Path) -> int:
    limits = WINDOWS if (bundle / "tabletop.exe").exists() else LINUX
    complaints = [f"{name}: not in {limits.listed}" for name in unlisted(bundle, limits)]
    complaints += [f"{name}: leads nowhere" for name in dangling(bundle)]
    if limits is LINUX and (glibc := newest_glibc(bundle)) > MOST_GLIBC:
        complaints.append(f"needs glibc {'.'.join(map(str, glibc))}")
    on_disk = size(bundle)
    print(f"{bundle.name}: {on_disk:.1f} MiB on disk")
    if on_disk > limits.on_disk:
        complaints.append(f"{on_disk:.1f} MiB on disk, at most {limits.on_disk}")
    for archive in archives:
        packed = archive.stat().st_size / 2**20
        print(f"{archive.name}: {packed:.1f} MiB")
        if packed > limits.packed:
            complaints.append(f"{archive.name}: {packed:.1f} MiB packed, at most {limits.packed}")
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
