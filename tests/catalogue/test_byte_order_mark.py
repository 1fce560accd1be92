"""Files that were saved by an editor which puts a byte order mark before the text."""

import codecs
from pathlib import Path

import pytest

from tabletop.catalogue import catalogue, game_folders
from tabletop.commands.arguments import UsageError
from tabletop.commands.key_file import read_key
from tabletop.server.commands.server_config import read_config
from tabletop.studio.workshop.new_game import DEFAULT_TEMPLATE, create_game


def test_a_game_is_read_with_marks_in_all_its_files(tmp_path: Path) -> None:
    game = tmp_path / "mark_pond"
    create_game("Mark Pond", game, DEFAULT_TEMPLATE)
    for file in game.iterdir():
        if file.is_file():
            file.write_bytes(codecs.BOM_UTF8 + file.read_bytes())
    (folder,) = game_folders.add(game)
    kit = catalogue.load(folder.id)
    assert kit.box.title == "Mark Pond"
    assert kit.read_text("rulebook.en.md").startswith("#")


def test_a_servers_files_are_read_with_marks(tmp_path: Path) -> None:
    key, config = tmp_path / "key.txt", tmp_path / "server.toml"
    key.write_bytes(codecs.BOM_UTF8 + b"open sesame\r\n")
    config.write_bytes(codecs.BOM_UTF8 + b"port = 18999\r\n")
    assert read_key(key) == "open sesame"
    assert read_config(config).port == 18999
    config.write_bytes(codecs.BOM_UTF16_LE + "port = 1".encode("utf-16-le"))
    with pytest.raises(UsageError, match="isn't text"):
        read_config(config)
