"""Things that a host may send instead of a game: one sentence each, and nothing is kept."""

from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from tabletop.background import worker_process
from tabletop.catalogue import catalogue, game_folders, receiving
from tabletop.catalogue.catalogue import BrokenGame
from tabletop.files import folders
from tabletop.games import game_info, received_games
from tabletop.games.data_game import (
    MAX_CARD_FILE_BYTES,
    MAX_FILES,
    MAX_GAME_BYTES,
    MAX_PHOTOGRAPH_BYTES,
    check_contents,
    check_sizes,
    is_game_file,
)
from tabletop.games.folder_content import compute_digest, read_folder, read_game_files
from tabletop.games.received_games import NOTE_FILE, ReceivedNote
from tabletop.games.typed_toml import BrokenFile
from tabletop.net.guest.missing_game import GameTransfer, MissingGame, install_game, resolve_game
from tabletop.protocol.game_files import (
    PART_BYTES,
    PIECE_BYTES,
    GameFileRequest,
    GameFiles,
    GamePart,
    OutsideGame,
)
from tabletop.protocol.messages import SeatConfig, SeatInfo, TableInfo, TablePlan
from tests.game_folders import change, laid
from tests.net.playtest.hostile_checks import CRASH_CHECKING, NEVER_CHECK
from tests.net.playtest.prototypes import png, prototype


@pytest.fixture
def files(tmp_path: Path) -> dict[str, bytes]:
    """The files of an honest host."""
    return read_game_files(prototype(tmp_path / "pond"))


def lacking(digest: str, size: int, game: str = "pond") -> MissingGame:
    """A game that a host has announced."""
    seats = (SeatConfig(), SeatConfig())
    outside = OutsideGame("Pond Night", 1, digest, size)
    sitters = (SeatInfo("person", "here", "Ann"), SeatInfo("open", "free"))
    known = resolve_game(TableInfo("t", TablePlan(game, seats), sitters, host=0, outside=outside))
    assert isinstance(known, MissingGame)
    return known


def sent(
    files: dict[str, bytes], *, told: dict[str, int] | None = None, digest: str = ""
) -> tuple[GameTransfer, list[GameFileRequest]]:
    """The transfer if a host sends these files, but announces other sizes or another digest."""
    digest = digest or compute_digest(files)
    sizes = told or {name: len(content) for name, content in files.items()}
    asked: list[GameFileRequest] = []
    transfer = GameTransfer(lacking(digest, 1), asked.append)
    transfer.request_next()
    transfer.receive(GameFiles(digest, tuple(sizes.items())))
    content = b"".join(files.values())
    while not transfer.is_over:
        at = transfer.received_bytes
        part = content[at : at + PART_BYTES]
        pieces = tuple(part[each : each + PIECE_BYTES] for each in range(0, len(part), PIECE_BYTES))
        transfer.receive(GamePart(at, pieces))
    return transfer, asked


def outcome(files: dict[str, bytes], **lies: object) -> str:
    """The error for a guest that takes such a host's files; "" where they are kept."""
    transfer, _ = sent(files, **lies)
    reason = transfer.error
    if transfer.files is not None:
        reason = install_game(transfer.missing, transfer.files)
        game_folders.clear_cache()
    left = sorted(folders.received().rglob("*")) if folders.received().exists() else []
    if reason is None:
        assert left
        return ""
    assert left == []
    return reason.text.format(**reason.args)


def test_texts_of_an_honest_host_are_kept(files: dict[str, bytes]) -> None:
    assert outcome(files) == ""
    kit = catalogue.find_by_digest(compute_digest(files))
    assert kit.received.giver == "Ann"


@pytest.mark.parametrize(
    "name",
    [
        "rules.py",
        "bot/__init__.py",
        "../pond.png",
        "/etc/pond.png",
        "pictures/../../pond.png",
        "pictures//pond.png",
        "C:\\pond.png",
        "a/b/c/pond.png",
        ".hidden.png",
        NOTE_FILE,
        "con.png",
        "pictures/NUL.jpg",
        "pond.png.",
        "pond.exe",
        "notes.md",
        "pond\n.png",
        "pond\u202egnp.png",
        "x" * 300 + ".png",
        "",
    ],
)
def test_a_file_outside_a_game_is_refused_before_sending(
    name: str, files: dict[str, bytes]
) -> None:
    assert not is_game_file(name)
    transfer, asked = sent({**files, name: b""})
    assert len(asked) == 1
    assert "isn't a file of a game without code" in str(transfer.error.args["why"])


def test_too_much_of_anything_is_refused_before_it_is_sent(files: dict[str, bytes]) -> None:
    def told(sizes: dict[str, int]) -> str:
        transfer, asked = sent(files, told=sizes)
        assert len(asked) == 1
        return str(transfer.error.args["why"])

    known = {"free.toml": 9, "cards.toml": 9}
    assert "10000 files" in told({f"{n}.png": 1 for n in range(10_000)})
    assert "larger than 8192 KiB" in told(known | {"heron.png": MAX_PHOTOGRAPH_BYTES + 1})
    assert "larger than 512 KiB" in told(known | {"cards.csv": MAX_CARD_FILE_BYTES + 1})
    assert "larger than 512 KiB" in told(
        known | {"heron.png": -1, "cards.toml": MAX_CARD_FILE_BYTES + 1}
    )
    many = {
        f"{n}.png": MAX_PHOTOGRAPH_BYTES for n in range(MAX_GAME_BYTES // MAX_PHOTOGRAPH_BYTES + 1)
    }
    assert "larger than 32 MiB" in told(known | many)
    assert "there twice" in told(known | {"heron.png": 1, "Heron.PNG": 1})
    assert "no free.toml" in told({"cards.toml": 9})


def test_wrong_sizes_and_games_are_refused(
    files: dict[str, bytes],
) -> None:
    sizes = {name: len(content) for name, content in files.items()}
    assert "something else than it announced" in outcome(files, told=sizes | {"free.toml": 1})
    assert "something else than it announced" in outcome(files, told=sizes | {"cards.toml": 90_000})
    transfer = GameTransfer(lacking("0" * 64, 1), lambda _: None)
    transfer.receive(GameFiles("1" * 64, ()))
    assert transfer.error is not None
    swapped = dict(files, **{"rulebook.en.md": files["rulebook.en.md"][::-1]})
    assert "its digest differs" in outcome(swapped, digest=compute_digest(files))


def test_an_invalid_or_huge_picture_is_refused(
    files: dict[str, bytes],
) -> None:
    assert "too many for a card" in outcome({**files, "heron.png": png(7_999, 7_999)})
    assert "too many for a card" in outcome({**files, "heron.png": png(9_000, 2)})
    assert "a picture of the kind" in outcome({**files, "heron.png": b"<svg/>"})
    assert "a picture of the kind" in outcome({**files, "heron.jpg": png()})
    assert "a picture of the kind" in outcome({**files, "heron.jpg": b"\xff\xd8\xff\xe0\0\2"})
    large = b"\xff\xd8\xff\xe0\0\4ab\xff\xc0\0\x11\x08\x40\0\x40\0" + bytes(12)
    assert "16384 x 16384" in outcome({**files, "heron.jpg": large})


def test_an_unplayable_game_is_refused_like_its_folder(
    files: dict[str, bytes],
) -> None:
    torn = dict(files, **{"free.toml": b"[zone.deck]\nkinf = 1\n"})
    assert 'free.toml line 2: "kinf" is not known' in outcome(torn)
    assert "UTF-8 text" in outcome(dict(files, **{"rulebook.en.md": b"\xff\xfe"}))
    bomb = files["cards.toml"].replace(b"copies = 6", b"copies = 600000000")
    assert "from 0 to 5000" in outcome(dict(files, **{"cards.toml": bomb}))
    wide = (
        files["free.toml"] + b'\n[zone.sea]\nkind = "grid"\nlabel = "s"\nrows=9999\ncolumns=9999\n'
    )
    assert "more than" in outcome(dict(files, **{"free.toml": wide}))


def test_reading_that_does_not_end_is_given_up(
    files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receiving, "_FIND_FAULT_TASK", NEVER_CHECK)
    assert "it takes longer to read than any game" in outcome(files)
    assert not worker_process._running_calls


def test_a_reader_that_crashes_is_one_sentence(
    files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receiving, "_FIND_FAULT_TASK", CRASH_CHECKING)
    assert 'Pond Night" was not taken from the host: it is damaged.' in outcome(files)


def test_a_game_slow_to_read_is_not_kept(
    files: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "MAX_FIRST_READ_CPU_S", 0.0)
    note = ReceivedNote(compute_digest(files), "Mallory", datetime.now(UTC))
    with pytest.raises(BrokenGame, match="it takes longer to read than any game"):
        catalogue.check_received_game(tmp_path / "pond", note)


def test_a_kept_game_slow_to_read_is_set_aside(
    files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One kept by an earlier version of the program, which had no such limit."""
    assert outcome(files) == ""
    ((path, _),) = received_games.find_received_games(folders.received())
    reads: list[Path] = []
    cards = catalogue._read_cards

    def note_read(folder: Path) -> game_info.Cards:
        reads.append(folder)
        return cards(folder)

    def started() -> list[str]:
        catalogue.reread(path.name)
        return [error.fault for error in catalogue.list_entries().faults if error.name == path.name]

    monkeypatch.setattr(catalogue, "_read_cards", note_read)
    assert started() == []
    monkeypatch.setattr(catalogue, "MAX_READ_CPU_S", 0.0)
    assert started() == ["it takes longer to read than any game"]
    assert path in reads
    monkeypatch.setattr(catalogue, "MAX_READ_CPU_S", 2.0)
    reads.clear()
    assert started() == ["it takes longer to read than any game"]
    with pytest.raises(BrokenGame, match="it takes longer to read than any game"):
        catalogue.load(path.name)
    assert catalogue.find_by_digest(compute_digest(files)) is None
    assert path not in reads
    assert outcome(files) == "", "it is read in time now"
    assert started() == []


def test_received_games_are_kept_in_one_place() -> None:
    """There they are read in a worker process."""
    root = Path(__file__).parents[3]
    keeping = {
        file.relative_to(root).as_posix()
        for part in ("tabletop", "ui")
        for file in (root / part).rglob("*.py")
        if "received_games.store_game(" in file.read_text("utf-8")
    }
    assert keeping == {"tabletop/catalogue/receiving.py"}


def test_received_games_never_run_python(tmp_path: Path, files: dict[str, bytes]) -> None:
    assert outcome(files) == ""
    kit = catalogue.find_by_digest(compute_digest(files))
    folder = Path(str(kit.folder))
    mark = tmp_path / "ran"
    (folder / "rules.py").write_text(f"open({str(mark)!r}, 'w')\n")
    catalogue.reread(kit.id)
    with pytest.raises(BrokenGame, match="not any more what was received"):
        catalogue.load(kit.id)
    note = ReceivedNote(read_folder(folder).digest, "Mallory", datetime.now(UTC))
    with pytest.raises(BrokenGame, match="not any more what was received"):
        catalogue.check_received_game(folder, note)
    assert not mark.exists()
    with_code = read_game_files(laid(tmp_path / "bluff"))
    with pytest.raises(BrokenFile, match="a file of a game without"):
        check_contents(with_code)


def test_nothing_a_host_can_say_raises_anything_else(files: dict[str, bytes]) -> None:
    chance = Random(7)
    names = [*files, "rules.py", "../x.png", "x.svg", "é.png", "a" * 300, "\0.png"]
    for _ in range(300):
        transfer = GameTransfer(lacking("a" * 64, 1), lambda _: None)
        for _ in range(4):
            sizes = tuple(
                (chance.choice(names), chance.choice([-1, 0, 1, 5_000, 2**40]))
                for _ in range(chance.randrange(4))
            )
            pieces = (b"x" * chance.choice([0, 1, 5_000]),)
            transfer.receive(
                chance.choice([GameFiles("a" * 64, sizes), GamePart(chance.randrange(3), pieces)])
            )
        if transfer.files is not None:
            assert install_game(transfer.missing, transfer.files) is not None
    assert list(received_games.find_received_games(folders.received())) == []


def test_a_received_game_is_removed_whole(files: dict[str, bytes]) -> None:
    assert outcome(files) == ""
    ((path, _),) = received_games.find_received_games(folders.received())
    received_games.remove_game(path)
    assert list(folders.received().iterdir()) == []
    assert catalogue.find_by_digest(compute_digest(files)) is None


def test_sound_files_stay_and_damaged_ones_are_replaced(
    files: dict[str, bytes],
) -> None:
    """Two lines of one program, or two programs, may take the same game at the same time."""
    digest, folder = compute_digest(files), folders.received()

    def keep() -> tuple[Path, int]:
        path = received_games.store_game(
            folder, "pond", digest, files, "Mio", catalogue.check_received_game
        )
        return path, path.stat().st_ino

    path, first = keep()
    assert keep() == (path, first)
    (path / "free.toml").write_text("torn")
    assert keep()[1] != first
    (path / NOTE_FILE).unlink()
    keep()
    assert list(folder.iterdir()) == [path]
    assert compute_digest(read_game_files(path)) == digest
    assert [found for found, _ in received_games.find_received_games(folder)] == [path]


def test_a_sketch_beside_the_games_files_changes_nothing_of_it(tmp_path: Path) -> None:
    folder = prototype(tmp_path / "pond")
    before = read_folder(folder)
    (folder / "plans.ods").write_bytes(b"the spreadsheet")
    assert read_folder(folder).facts == before.facts
    change(folder / "free.toml", "rounds = 6", "rounds = 7")
    assert read_folder(folder).digest != before.digest
    check_sizes([("free.toml", 1)] + [(f"{n}.png", 1) for n in range(MAX_FILES - 1)])
