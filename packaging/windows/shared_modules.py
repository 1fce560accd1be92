"""Runs first in both programs of Windows: they import from one file of modules.

Otherwise each program would carry its own copy, 20 MiB. PyInstaller's archive in each is empty.
"""

import sys

import pyimod01_archive
import pyimod02_importers as importers

modules = f"{sys._MEIPASS}\\modules.pyz"  # type: ignore[attr-defined]  # set by PyInstaller
importers.pyz_archive = pyimod01_archive.ZlibArchiveReader(modules, check_pymagic=True)
importers._pyz_tree = None
sys.path_importer_cache.clear()
