"""Draws the program's sign and that of its files in all sizes that desktops want.

    python3 icons.py FOLDER

FOLDER/apps/<size>.png and FOLDER/mimetypes/<size>.png, each with a `scalable.svg` beside them, and
tabletop.ico and tabletop.icns for Windows and macOS, and setup.bmp for the setup program.
"""

import os
import re
import struct
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgRenderer

from ui.style.asset_folder import assets_root

SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
WINDOWS = (16, 24, 32, 48, 64, 256)
MAC = 512
SETUP = (164, 314)
PAPER = 0xE9E1D2
COMMENT = re.compile(r"\{#.*?#\}\s*", re.DOTALL)
"""The program's own drawings are templates; a sign has nothing but a comment of them."""


def drawn(svg: str, size: int) -> QImage:
    """The drawing as a square picture."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        QSvgRenderer(svg.encode()).render(painter, QRectF(0, 0, size, size))
    return image


def write(image: QImage, path: Path) -> None:
    """Write a picture in the format of its suffix."""
    path.parent.mkdir(parents=True, exist_ok=True)
    writer = QImageWriter(str(path))
    if not writer.write(image):
        raise SystemExit(f"{path}: {writer.errorString()}")


def write_ico(pictures: list[Path], target: Path) -> None:
    """Put PNGs of up to 256 pixels into one file for Windows, where each shows at its own size."""
    contents = [path.read_bytes() for path in pictures]
    at = 6 + 16 * len(contents)
    entries = []
    for path, content in zip(pictures, contents, strict=True):
        side = int(path.stem) % 256  # 0 stands for 256
        entries.append(struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(content), at))
        at += len(content)
    head = struct.pack("<HHH", 0, 1, len(contents))
    target.write_bytes(b"".join([head, *entries, *contents]))


def setup_picture(sign: QImage) -> QImage:
    """The sign on paper, as large as NSIS shows a picture."""
    image = QImage(*SETUP, QImage.Format.Format_RGB32)
    image.fill(PAPER)
    with QPainter(image) as painter:
        painter.drawImage((image.width() - sign.width()) // 2, sign.width() // 2, sign)
    return image


def main(folder: Path) -> None:
    application = QGuiApplication([])
    sign = COMMENT.sub("", (assets_root() / "common" / "app.svg").read_text(encoding="utf-8"))
    paper = Path(__file__).with_name("record.svg").read_text(encoding="utf-8")
    record = paper.replace("<!-- the sign -->", sign[sign.index(">") + 1 : sign.rindex("</svg>")])
    for kind, svg in (("apps", sign), ("mimetypes", record)):
        for size in SIZES:
            write(drawn(svg, size), folder / kind / f"{size}.png")
        (folder / kind / "scalable.svg").write_text(svg, encoding="utf-8")
    write_ico([folder / "apps" / f"{size}.png" for size in WINDOWS], folder / "tabletop.ico")
    write(drawn(sign, MAC), folder / "tabletop.icns")
    write(setup_picture(drawn(sign, SETUP[0] * 2 // 3)), folder / "setup.bmp")
    application.quit()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
