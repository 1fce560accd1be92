"""Puts the pictures into the built package; all else about the build is in pyproject.toml."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class WithPictures(build_py):
    """`assets/` lies beside the code, where whoever draws looks for it, and is installed in `ui/`,
    because the top level of an installed Python belongs to everybody."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            target = Path(self.build_lib) / "ui" / "assets"
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree("assets", target, ignore=shutil.ignore_patterns("readme"))


setup(cmdclass={"build_py": WithPictures})
