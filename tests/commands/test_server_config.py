"""The configuration of a server, by its file and by flags; every error is named with its line."""

import re
import tomllib
from pathlib import Path

import msgspec
import pytest
import typer.main

from tabletop.commands.all_commands import application
from tabletop.commands.arguments import UsageError
from tabletop.commands.server_config import (
    RoomConfig,
    ServerConfig,
    own_room,
    read_config,
    with_flags,
)
from tabletop.net.host.tenants import Tenant

FORMER = {"operator-page"}
"""The keys that files for former versions may hold."""
EXAMPLE = Path(__file__).parents[2] / "packaging" / "server" / "server.toml"
NEAR = "is not known; did you mean"


def written(folder: Path, text: str) -> Path:
    (folder / "friday.key").write_text("friday's key\nand a second line\n", "utf-8")
    file = folder / "server.toml"
    file.write_text(text, "utf-8")
    return file


def test_the_example_says_what_holds_without_it() -> None:
    assert read_config(EXAMPLE) == (ServerConfig(), ())
    named = tomllib.loads(EXAMPLE.read_text("utf-8")).keys()
    assert named == set(ServerConfig.__struct_encode_fields__) - {"rooms", *FORMER}


def test_the_rooms_of_the_example_can_be_had(tmp_path: Path) -> None:
    text = EXAMPLE.read_text("utf-8")
    room = re.sub("^# ?", "", text[text.index("# [rooms.") :], flags=re.MULTILINE)
    file = written(tmp_path, room)
    assert tomllib.loads(room)["rooms"]["friday"].keys() == set(
        RoomConfig.__struct_encode_fields__
    ) - {"key"}
    _, (friday,) = read_config(file)
    key_file = str(tmp_path / "friday.key")
    assert friday == Tenant("friday", "friday's key", 40, 200, 10, 600, "members", key_file)


def test_every_name_is_a_flag() -> None:
    command = typer.main.get_command(application()).commands["serve"]
    flags = {flag for option in command.params for flag in option.opts}
    names = set(ServerConfig.__struct_encode_fields__) - {"rooms", *FORMER} | {"room", "config"}
    assert flags >= {f"--{name}" for name in names}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "port = 1\nmax-tabels = 3",
            'line 2: "max-tabels" is not known; did you mean "max-tables"?',
        ),
        ("\nmax-tables = 0", "line 2: expected int >= 1."),
        ('max-tables = "many"', "line 1: expected int, got str."),
        ("max-tables = \n", "line 1: Invalid value."),
        ('log-format = "jsn"', f'line 1: "jsn" {NEAR} "json"?'),
        ("[rooms.a]\nmax-tables = 1", 'line 1: the room "a" needs either a "key" or a "key-file".'),
        (
            '[rooms.a]\nkey = "x"\nkey-fil = "y"',
            f'line 3: "key-fil" {NEAR} "key-file"?',
        ),
        (
            '[rooms.a]\nkey = "x"\n[rooms.b]\nkey = "x"',
            'line 3: the room "b" has the key of another room.',
        ),
        (f'[rooms."{"a" * 41}"]\nkey = "x"', "line 1: a room has a name of 1 to 40 signs."),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        read_config(written(tmp_path, text))
    assert str(refused.value) == f"server.toml {why}"


def test_a_file_names_files_beside_it_and_flags_win(tmp_path: Path) -> None:
    file = written(tmp_path, 'key-file = "friday.key"\n[rooms.a]\nkey = "x"\nmax-tables = 7')
    config, rooms = read_config(file)
    assert own_room(config).key == "friday's key"
    other = tmp_path / "other.key"
    other.write_text("another", "utf-8")
    assert with_flags(rooms, [f"a={other}", f"b={tmp_path / 'friday.key'}"]) == (
        msgspec.structs.replace(rooms[0], key="another", key_file=str(other)),
        Tenant("b", "friday's key", listed_for="members", key_file=str(tmp_path / "friday.key")),
    )
    for flag, why in (
        ("a", '--room can\'t be "a": it is NAME=FILE.'),
        (f"b={other}", 'The room "b" has the key of another room.'),
    ):
        with pytest.raises(UsageError, match=re.escape(why)):
            with_flags([Tenant("a", "another")], [flag])
