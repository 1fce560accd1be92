"""What may be in the bundle: no library that is not told of, no link to nowhere, and no more than
so many MiB.

    python3 bundle.py BUNDLE ARCHIVE
"""

import sys
from fnmatch import fnmatch
from pathlib import Path

MOST_ON_DISK = 132
MOST_PACKED = 34
"""In MiB."""


def told(listed: Path) -> list[str]:
    """The patterns of a list, without its comments."""
    lines = (line.strip() for line in listed.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def strangers(bundle: Path, patterns: list[str]) -> list[str]:
    """Libraries in the bundle that no pattern names."""
    inside = bundle / "_internal"
    found = (path for path in inside.rglob("*") if ".so" in path.suffixes and not path.is_symlink())
    names = sorted(path.relative_to(inside).as_posix() for path in found)
    return [name for name in names if not any(fnmatch(name, pattern) for pattern in patterns)]


def dangling(bundle: Path) -> list[str]:
    """Links in the bundle to what is not there."""
    return sorted(
        path.relative_to(bundle).as_posix()
        for path in bundle.rglob("*")
        if path.is_symlink() and not path.exists()
    )


def size(bundle: Path) -> float:
    """MiB on a disk that deals in blocks of 4 KiB."""
    files = (path for path in bundle.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(-(-path.stat().st_size // 4096) * 4096 for path in files) / 2**20


def main(bundle: Path, archive: Path) -> int:
    complaints = [f"{name}: not in carried.txt" for name in strangers(bundle, told(LIST))]
    complaints += [f"{name}: leads nowhere" for name in dangling(bundle)]
    on_disk, packed = size(bundle), archive.stat().st_size / 2**20
    if on_disk > MOST_ON_DISK:
        complaints.append(f"{on_disk:.1f} MiB on disk, at most {MOST_ON_DISK}")
    if packed > MOST_PACKED:
        complaints.append(f"{packed:.1f} MiB packed, at most {MOST_PACKED}")
    print(f"{bundle.name}: {on_disk:.1f} MiB on disk, {packed:.1f} MiB packed")
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


LIST = Path(__file__).with_name("carried.txt")

if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
