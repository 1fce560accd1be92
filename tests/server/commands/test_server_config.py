"""The configuration of a server, by its file and by flags; every error is named with its line."""

import tomllib
from pathlib import Path

import pytest
import typer.main

from tabletop.commands.all_commands import make_application
from tabletop.commands.arguments import UsageError
from tabletop.commands.command_line import main
from tabletop.commands.key_file import read_key
from tabletop.server.commands.server import ROOMS_REMOVED
from tabletop.server.commands.server_config import (
    ServerConfig,
    read_config,
)
from tabletop.server.serve import locked_folder

FORMER = {"operator-page", "bot-seconds", "rooms"}
"""The keys that files for former versions may hold."""
EXAMPLE = Path(__file__).parents[3] / "packaging" / "server" / "server.toml"
NEAR = "is not known; did you mean"


def written(folder: Path, text: str) -> Path:
    (folder / "friday.key").write_text("friday's key\nand a second line\n", "utf-8")
    file = folder / "server.toml"
    file.write_text(text, "utf-8")
    return file


def test_the_example_says_what_holds_without_it() -> None:
    assert read_config(EXAMPLE) == ServerConfig()
    named = tomllib.loads(EXAMPLE.read_text("utf-8")).keys()
    assert named == set(ServerConfig.__struct_encode_fields__) - FORMER


def test_every_name_is_a_flag() -> None:
    command = typer.main.get_command(make_application()).commands["serve"]
    flags = {flag for option in command.params for flag in option.opts}
    names = set(ServerConfig.__struct_encode_fields__) - FORMER | {"config"}
    assert flags >= {f"--{name}" for name in names}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "port = 1\nmax-tabels = 3",
            'line 2: "max-tabels" is not known; did you mean "max-tables"?',
        ),
        ("\nmax-tables = 0", "line 2: expected int >= 1."),
        (
            'max-tables = "many"',
            'line 1: "max-tables" must be a whole number, such as 3, not a text.',
        ),
        ("max-tables = \n", "line 1: Invalid value."),
        ('log-format = "jsn"', f'line 1: "jsn" {NEAR} "json"?'),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        read_config(written(tmp_path, text))
    assert str(refused.value) == f"server.toml {why}"


def test_a_file_names_files_beside_it(tmp_path: Path) -> None:
    config = read_config(written(tmp_path, 'key-file = "friday.key"'))
    assert read_key(Path(config.key_file)) == "friday's key"


@pytest.mark.parametrize(
    "words",
    [
        ["serve", "--room", "friday=friday.key"],
        ["serve", "--config", "server.toml"],
        ["server", "rotate-key", "--room", "friday"],
    ],
    ids=["flag", "file", "order"],
)
def test_rooms_of_former_versions_are_refused_in_one_sentence(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    written(tmp_path, '[rooms.friday]\nkey-file = "friday.key"\nmax-tables = 7')
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    assert capsys.readouterr().err.endswith(f"{ROOMS_REMOVED}\n")
    assert {each.name for each in tmp_path.iterdir()} == {"friday.key", "server.toml"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('proxy = ["router"]', "--proxy: 'router' does not appear to be"),
        ('games = ["nowhere"]', "isn't a game folder"),
        ('known-as = "cards.example.org:0"', "--known-as: A port is a number from 1 to 65535."),
    ],
)
def test_every_entry_of_a_file_reaches_the_server(
    text: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a flag of its name, which a list has as an empty one."""
    config = str(written(tmp_path, text))
    assert main(["serve", "--config", config, "--data", str(tmp_path / "data"), "--port", "0"]) == 2
    assert why in capsys.readouterr().err


def test_two_servers_never_keep_the_same_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At ports of their own; an operator's second one would answer for the first."""
    folder = tmp_path / "data"
    with locked_folder(folder):
        assert main(["serve", "--data", str(folder), "--port", "0"]) == 2
    assert f'Another server is running on "{folder}".' in capsys.readouterr().err
    with locked_folder(folder):
        pass
