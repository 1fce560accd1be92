"""A game without Python as one file: shared, taken in, and whatever strangers put into one."""

from io import BytesIO
from pathlib import Path
from zipfile import ZIP_BZIP2, ZipFile

import pytest

from tabletop.catalogue import catalogue, game_folders, kept_games
from tabletop.exchange import game_file
from tabletop.exchange.zip_archive import pack_zip
from tabletop.files import folders
from tabletop.files.errors import BadFile
from tabletop.games.folder_content import compute_digest, read_game_files
from tests.game_folders import begun, change
from tests.studio.workshop.workbooks import ods


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")


@pytest.fixture
def files(tmp_path: Path) -> dict[str, bytes]:
    """The files of a free table."""
    begun(tmp_path / "pond", "free", "Pond Night")
    return read_game_files(tmp_path / "pond")


def written(tmp_path: Path, files: dict[str, bytes], name: str = "pond.tabletop-game") -> Path:
    file = tmp_path / name
    file.write_bytes(pack_zip(files))
    return file


def why(file: Path) -> str:
    with pytest.raises(BadFile) as refused:
        game_file.import_game(game_file.read_game_file(file))
    assert not list(folders.received().glob("*")) if folders.received().exists() else True
    return str(refused.value)


def test_a_game_without_a_title_of_its_own_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "夜の池"
    begun(folder, "free", "Pond Night")
    (folder / "cards.toml").unlink()
    (known,) = game_folders.add(folder)
    catalogue.reread(known.id)
    kit = catalogue.load(known.id)
    assert kit.box.title == "夜の池"
    kept_games.keep_version(kit)
    kept = kept_games.find_version_by_digest(kit.digest)
    assert kept is not None
    assert catalogue.load(kept.id).box.title == "夜の池"
    file = tmp_path / "夜の池.tabletop-game"
    file.write_bytes(game_file.encode_shared_game(kit))
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "friend"))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    game_folders.clear_cache()
    name = game_file.import_game(game_file.read_game_file(file))
    catalogue.reread(name)
    assert catalogue.load(name).box.title == "夜の池"


def test_a_shared_game_is_taken_in_at_an_empty_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit = begun(tmp_path / "pond", "free", "Pond Night")
    file = tmp_path / "sent.tabletop-game"
    file.write_bytes(game_file.encode_shared_game(kit))
    assert file.read_bytes() == game_file.encode_shared_game(kit)
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "friend"))
    monkeypatch.setenv(game_folders.GAMES_VARIABLE, "")
    game_folders.clear_cache()
    found = game_file.read_game_file(file)
    assert found.installed_entry is None
    question = found.question.text.format(**found.question.args)
    assert "Pond Night" in question
    assert kit.digest[:12] in question
    name = game_file.import_game(found)
    catalogue.reread(name)
    taken = catalogue.load(name)
    assert (taken.box.title, taken.digest) == ("Pond Night", kit.digest)
    assert taken.received is not None
    assert taken.received.giver == "sent.tabletop-game"
    assert game_file.read_game_file(file).installed_entry == taken


def test_a_folder_that_somebody_packed_by_hand_is_read(
    tmp_path: Path, files: dict[str, bytes]
) -> None:
    inside = {f"池の夜/{name}": content for name, content in files.items()}
    beside = {"__MACOSX/池の夜/._free.toml": b"x", "池の夜/.DS_Store": b"x"}
    found = game_file.read_game_file(written(tmp_path, inside | beside))
    assert found.digest == compute_digest(files)


def test_a_game_with_python_is_not_shared(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="program code"):
        game_file.encode_shared_game(begun(tmp_path / "cups", "dice", "Cups"))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("rules.py", "it has program code"),
        ("face.png", "isn't a picture of the kind in its name"),
    ],
)
def test_files_that_no_game_has_are_refused(
    name: str, told: str, tmp_path: Path, files: dict[str, bytes]
) -> None:
    assert told in why(written(tmp_path, files | {name: b"no picture"}))


def test_what_is_not_of_the_game_is_left_out(tmp_path: Path, files: dict[str, bytes]) -> None:
    odd = ("../free.png", "/etc/x.png", "C:\\x.png", "a/b/c/d.png", "pictures/nul.png", "ja.mo",
           "sketch.psd", "a\\..\\..\\b.png", "cards.ods")  # fmt: skip
    found = game_file.read_game_file(written(tmp_path, files | dict.fromkeys(odd, b"x")))
    assert found.digest == compute_digest(files)
    name = game_file.import_game(found)
    home = folders.received() / name
    kept = {path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()}
    assert kept - {"ja.mo"} == {*files, ".received.json"}
    assert not list(tmp_path.rglob("*.png"))
    del files["cards.csv"]
    sheet = files | {"cards.ods": ods([["名前", "枚数"], ["鯉", "3枚"]])}
    assert (
        game_file.read_game_file(written(tmp_path, sheet))
        .files["cards.csv"]
        .startswith("名前".encode())
    )


def test_what_unpacks_to_more_than_a_game_is_refused(
    tmp_path: Path, files: dict[str, bytes]
) -> None:
    bomb = {f"pictures/{n}.png": b"\0" * (8 << 20) for n in range(9)}
    file = written(tmp_path, files | bomb)
    assert file.stat().st_size < 1 << 20
    assert "holds more than 64 MiB" in why(file)
    many = {f"pictures/{n}.png": b"" for n in range(2_100)}
    assert "holds more than 2000 files" in why(written(tmp_path, files | many))


def test_what_is_no_archive_is_one_sentence(tmp_path: Path, files: dict[str, bytes]) -> None:
    file = tmp_path / "odd.tabletop-game"
    whole = pack_zip(files)
    at = whole.index(b"PK\x01\x02")
    for content in (b"", b"PK", b"nothing", whole[:-30], whole[:60] + b"\xff" * 40 + whole[100:]):
        file.write_bytes(content)
        assert '"odd.tabletop-game"' in why(file)
    locked = bytearray(whole)
    locked[at + 8] |= 1
    file.write_bytes(locked)
    assert "locked with a password" in why(file)
    other = BytesIO()
    with ZipFile(other, "w", ZIP_BZIP2) as archive:
        archive.writestr("free.toml", files["free.toml"])
    file.write_bytes(other.getvalue())
    assert "is no zip archive, or is damaged" in why(file)


def test_a_game_that_cannot_be_played_is_not_kept(tmp_path: Path) -> None:
    begun(tmp_path / "pond", "free", "Pond Night")
    change(tmp_path / "pond" / "free.toml", 'kind = "deck"', 'kinf = "deck"')
    assert '"kinf"' in why(written(tmp_path, read_game_files(tmp_path / "pond")))
    change(tmp_path / "pond" / "cards.toml", "[box]", "[bux]")
    assert "cards.toml" in why(written(tmp_path, read_game_files(tmp_path / "pond")))
