"""A person's settings: kept, readable, and never lost to damage."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from tabletop.files import folders
from tabletop.files.errors import StorageError
from tabletop.storage import settings
from tabletop.storage.settings import LastSeat, LastTable, Settings
from tests.storage.odd_disks import forbid


def test_at_first_the_usual_settings_hold():
    assert settings.load() == (Settings(), None)
    assert not folders.settings().exists()


def test_settings_are_kept():
    liked = Settings(
        language="ja",
        theme="contrast",
        animation="off",
        reduced_motion=True,
        sounds=False,
        volume=0,
        confirmations={"concede": False},
        keys={"undo": "Ctrl+U"},
        players=("安", "Bea"),
        geometry=bytes(range(256)),
        docks=b"\x00",
        bot_pause=0,
    )
    settings.save(liked)
    assert settings.load() == (liked, None)
    settings.save(replace(liked, theme="dark"))
    assert settings.load()[0].theme == "dark"


def test_the_file_is_readable():
    settings.save(Settings(players=("安",)))
    text = folders.settings().read_text("utf-8")
    assert '\n  "theme": "light",\n' in text
    assert "安" in text


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff",
        b"[]",
        b"[" * 99_999,
    ],
)
def test_a_damaged_file_is_set_aside_with_a_notice(content):
    file = folders.settings()
    file.parent.mkdir()
    names = set()
    for _ in range(2):
        file.write_bytes(content)
        found, notice = settings.load()
        assert found == Settings()
        assert notice.args["file"] == "settings.json"
        names.add(notice.args["aside"])
        assert (file.parent / str(notice.args["aside"])).read_bytes() == content
        assert not file.exists()
    assert len(names) == 2, "the second takes nobody's place"
    assert all(str(name).startswith("settings.json.broken-") for name in names)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("language", "English"),
        ("theme", "pink"),
        ("cards", "glass"),
        ("card_size", 3),
        ("animation", None),
        ("reduced_motion", "no"),
        ("sounds", 1),
        ("volume", 101),
        ("confirmations", {"concede": "no"}),
        ("keys", ["Ctrl+U"]),
        ("players", "Bea"),
        ("geometry", "?"),
        ("docks", 0),
        ("bot_pause", -1),
        ("languages", {"Bea": "English"}),
        ("reaction", "never"),
        ("reactions", {"Bea": "never"}),
        ("reaction_pause", 1),
    ],
)
def test_a_single_damaged_value_costs_no_other(name, value):
    liked = replace(Settings(), theme="dark", volume=5, players=("Bea",), keys={"undo": "Ctrl+U"})
    settings.save(liked)
    file = folders.settings()
    file.write_bytes(msgspec.json.encode(msgspec.json.decode(file.read_bytes()) | {name: value}))
    found, notice = settings.load()
    assert found == replace(liked, **{name: getattr(Settings(), name)})
    assert notice.args == {"file": "settings.json", "names": name}
    settings.save(found)
    assert settings.load() == (found, None), "told once"


def test_settings_of_a_newer_program_stay_in_the_file():
    settings.save(Settings())
    file = folders.settings()
    file.write_bytes(file.read_bytes().replace(b"{", b'{"unheard_of": [3],', 1))
    settings.save(replace(settings.load()[0], volume=1))
    assert msgspec.json.decode(file.read_bytes())["unheard_of"] == [3]
    assert settings.load() == (Settings(volume=1), None)


def test_a_damaged_file_that_cannot_be_moved_is_told(monkeypatch):
    file = folders.settings()
    file.parent.mkdir()
    file.write_text("{")

    def refuse(self, target):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(file), "rename", refuse)
    found, notice = settings.load()
    assert found == Settings()
    assert "permission denied" in notice.text
    assert file.read_text() == "{"


def test_two_windows_change_different_settings():
    settings.save(Settings(volume=3))
    first, second = settings.load()[0], settings.load()[0]
    settings.save(replace(first, theme="dark"), first)
    settings.save(replace(second, geometry=b"1"), second)
    assert settings.load() == (Settings(volume=3, theme="dark", geometry=b"1"), None)


TABLE = LastTable((LastSeat("Ann", "sun"),))


@pytest.mark.parametrize(
    ("name", "base", "first", "second", "merged"),
    [
        ("followed", ("theme", "reduced_motion"), ("reduced_motion",), ("theme",), ()),
        ("sounds_off", ("dice",), ("dice", "lay"), ("chat",), ("chat", "lay")),
        ("players", ("Ann", "Ben"), ("Ann", "Cleo"), ("Dora", "Ann"), ("Dora", "Ann", "Cleo")),
        ("shelf", (), ("chains", "sun"), ("sun", "awss"), ("sun", "awss", "chains")),
        ("keys", {"a": "A", "b": "B"}, {"b": "B"}, {"a": "A", "b": "X"}, {"b": "X"}),
        ("confirmations", {}, {"end": False}, {"undo": False}, {"end": False, "undo": False}),
        ("languages", {"Ann": "ja"}, {}, {"Ann": "ja", "Ben": "en"}, {"Ben": "en"}),
        ("reactions", {"Ann": "own"}, {"Ann": "ask"}, {"Ann": "own"}, {"Ann": "ask"}),
        (
            "tables",
            {"sun": TABLE, "awss": TABLE},
            {"awss": TABLE, "sun": TABLE},
            {"sun": TABLE, "awss": TABLE, "chains": TABLE},
            {"awss": TABLE, "sun": TABLE, "chains": TABLE},
        ),
    ],
)
def test_two_windows_change_entries_of_the_same_setting(
    name: str, base: object, first: object, second: object, merged: object
) -> None:
    common = replace(Settings(), **{name: base})
    settings.save(common)
    settings.save(replace(common, **{name: first}), common)
    settings.save(replace(common, **{name: second}), common)
    found, notice = settings.load()
    assert (getattr(found, name), notice) == (merged, None)
    if isinstance(merged, dict):
        assert list(getattr(found, name)) == list(merged), "the last entry is the latest"


def test_settings_that_cannot_be_read_are_not_written_over():
    settings.save(Settings(theme="dark"))
    file = folders.settings()
    content = file.read_bytes()
    with pytest.MonkeyPatch.context() as odd:
        forbid(file, odd)
        with pytest.raises(StorageError, match="permission denied"):
            settings.save(Settings(volume=5), Settings())
    assert file.read_bytes() == content


@pytest.mark.parametrize("way", ["loaded", "taken in"])
def test_the_theme_of_an_older_home_does_not_follow_the_system(
    way: str, home: Path, tmp_path: Path
) -> None:
    """0.2.0 wrote every setting, and followed the system in none."""
    file = folders.settings() if way == "loaded" else tmp_path / "older.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('{"language": "en", "theme": "light", "reduced_motion": false}')
    if way == "taken in":
        settings.import_settings(file)
    loaded, notice = settings.load()
    assert (loaded.theme, loaded.followed, notice) == ("light", ("reduced_motion",), None)
    settings.save(replace(loaded, volume=5), loaded)
    assert settings.load()[0].followed == ("reduced_motion",)


def test_a_new_home_follows_the_system(home: Path) -> None:
    loaded = settings.load()[0]
    settings.save(replace(loaded, volume=5), loaded)
    assert settings.load()[0].followed == ("theme", "reduced_motion")
