"""Checks that a bundle brings every library that its programs and libraries link to, except
those of Windows 10 itself.

    python imports.py BUNDLE
"""

import sys
from pathlib import Path

import pefile

WINDOWS_OWN = {
    "advapi32", "authz", "bcrypt", "bcryptprimitives", "comctl32", "comdlg32", "crypt32",
    "d3d11", "d3d12", "d3d9", "dwmapi", "dwrite", "dxgi", "gdi32", "icuuc", "imm32", "iphlpapi",
    "kernel32", "mpr", "netapi32", "ntdll", "ole32", "oleaut32", "rpcrt4", "setupapi",
    "shell32", "shlwapi", "uiautomationcore", "user32", "userenv", "uxtheme", "version",
    "winmm", "winspool.drv", "ws2_32", "wtsapi32",
}  # fmt: skip
API_SETS = ("api-ms-win-core-", "api-ms-win-crt-", "api-ms-win-shcore-")
"""Prefixes of names for libraries of Windows 10."""


def imported(file: Path) -> set[str]:
    """The names of the libraries that a program or library links to, in lower case."""
    image = pefile.PE(str(file), fast_load=True)
    image.parse_data_directories([pefile.DIRECTORY_ENTRY["IMAGE_DIRECTORY_ENTRY_IMPORT"]])
    return {entry.dll.decode().lower() for entry in getattr(image, "DIRECTORY_ENTRY_IMPORT", ())}


def main(bundle: Path) -> int:
    files = [f for f in bundle.rglob("*") if f.suffix.lower() in (".exe", ".dll", ".pyd")]
    here = {file.name.lower() for file in files}
    lacking = {
        (name, file.name)
        for file in files
        for name in imported(file) - here
        if name.removesuffix(".dll") not in WINDOWS_OWN and not name.startswith(API_SETS)
    }
    for name, file in sorted(lacking):
        print(f"{name}: not in the bundle, but {file} links to it", file=sys.stderr)
    print(f"{len(files)} programs and libraries find what they link to")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
