"""Writes what Windows shows under a program's properties, in the form that PyInstaller reads.

python version.py FILE
"""

import sys
from pathlib import Path

from tabletop import __version__

TEXT = """VSVersionInfo(
  ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3F, OS=0x40004, fileType=1),
  kids=[
    StringFileInfo([StringTable("040904B0", [
      StringStruct("CompanyName", "The authors of Tabletop"),
      StringStruct("FileDescription", "Tabletop"),
      StringStruct("FileVersion", "{version}"),
      StringStruct("InternalName", "tabletop"),
      StringStruct("LegalCopyright", "MIT licence"),
      StringStruct("OriginalFilename", "tabletop.exe"),
      StringStruct("ProductName", "Tabletop 卓"),
      StringStruct("ProductVersion", "{version}"),
    ])]),
    VarFileInfo([VarStruct("Translation", [0x0409, 0x04B0])]),
  ],
)
"""


def text(version: str) -> str:
    """The resource of a version like 1.2.3; Windows counts in four numbers."""
    numbers = (*(int(part) for part in version.split(".")), 0)
    return TEXT.format(numbers=numbers, version=version)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(text(__version__), encoding="utf-8")
