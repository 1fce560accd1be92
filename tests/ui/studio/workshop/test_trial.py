"""A table beside its game's files: what is saved is on it, at the same position."""

import gc
import sys
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QPointF, QProcess, QRectF, QSizeF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tabletop.catalogue import agreements, game_folders
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.scratch import FastRng
from tabletop.games.folder_content import PACKAGE_PREFIX, FolderFinder
from tabletop.studio.exchange import exports
from tabletop.studio.workshop import new_game as beginning
from tests.game_folders import begun, change
from tests.ui.window_driver import click, play, saving_to, settle
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.shell import app_context, own_process
from ui.studio.workshop.empty_table import EmptyTable
from ui.studio.workshop.trial_session import Trial, TrialSession
from ui.studio.workshop.trial_toolbar import CURRENT_PLAYER, EXPORT_TEXTS
from ui.style.art import Art
from ui.widgets.box_sides import FRONT, natural_size, side_picture

TIMEOUT_MS = 30_000
"""Milliseconds until a saved change is given up."""


@pytest.fixture
def workshop(window: Window, folder: Path) -> TrialSession:
    """Its workshop, three moves after the deal."""
    window.workshop.open(folder, Trial(2, "1"))
    session = window.workshop.trial
    settle()
    luck = FastRng("moves")
    for _ in range(3):
        play(shown(window), luck)
    assert session.strip.move_label.text() == "Move 3 of 3"
    return session


def shown(window: Window) -> TableScreen:
    assert window.table is not None
    return window.table


def until(qtbot: QtBot, held: Callable[[], bool]) -> None:
    """Wait until the workshop has read what was saved; an earlier save may be read once more."""
    qtbot.waitUntil(held, timeout=TIMEOUT_MS)
    settle()


def names(window: Window) -> list[str]:
    return [str(face["name"]) for face in shown(window).kit.deck]


def test_a_saved_card_is_on_the_table_at_the_same_position(
    window: Window, workshop: TrialSession, folder: Path, qtbot: QtBot
) -> None:
    before = shown(window)
    state = before.seated.match.state
    change(folder / "cards.csv", "Drop,", "Frog,")
    until(qtbot, lambda: "Frog" in names(window))
    table = shown(window)
    assert table is not before
    assert table.seated.match.state == state
    drawn = table.scene.stage.pixmaps.face_drawing(names(window).index("Frog"))
    assert "Frog" in drawn.itertext()
    assert workshop.strip.summary.text() == "Up to date"


def test_the_strip_grows_with_the_window(window: Window, workshop: TrialSession) -> None:
    strip = workshop.strip
    parts = strip.bots, strip.seed, strip.summary, strip.mistake
    before = [part.fontMetrics().height() for part in parts]
    window.resize(2560, 1440)
    settle()
    after = [part.fontMetrics().height() for part in parts]
    assert all(large > 1.3 * small for small, large in zip(before, after, strict=True))
    assert strip.minimumSizeHint().width() <= window.width() == 2560
    window.resize(1280, 800)
    settle()
    assert [part.fontMetrics().height() for part in parts] == before


def test_a_mistake_covers_the_last_good_table_until_fixed(
    window: Window, workshop: TrialSession, folder: Path, qtbot: QtBot
) -> None:
    before, mistake = shown(window), workshop.strip.mistake
    change(folder / "cards.toml", "minutes = 10", "minutes = ")
    until(qtbot, lambda: mistake.text().startswith("cards.toml line "))
    assert not mistake.isHidden()
    assert shown(window) is before
    change(folder / "cards.toml", "minutes = ", "minutes = 10")
    until(qtbot, mistake.isHidden)
    rules = folder / "rules.py"
    source = rules.read_text("utf-8")
    rules.write_text(source + "1 / 0\n", "utf-8")
    line = len(source.splitlines()) + 1
    sentence = f"rules.py line {line}: ZeroDivisionError: division by zero"
    until(qtbot, lambda: mistake.text() == sentence)
    rules.write_text(source, "utf-8")
    until(qtbot, mistake.isHidden)
    assert workshop.strip.move_label.text() == "Move 3 of 3"


def test_a_broken_drawing_leaves_the_table_as_it_is_drawn(
    window: Window, workshop: TrialSession, folder: Path, qtbot: QtBot
) -> None:
    before, mistake = shown(window), workshop.strip.mistake
    (folder / "assets").mkdir()
    (folder / "assets" / "face.svg").write_text("<svg>{{ card.nme }}</svg>", "utf-8")
    until(qtbot, lambda: mistake.text() != "")
    sentence = 'assets/face.svg line 1: "nme" is not known; did you mean "name"?'
    assert mistake.text() == sentence
    window.resize(1000, 560)  # its cards are drawn again, smaller
    settle()
    assert shown(window) is before
    assert before.scene.stage.pixmaps.face_pixmap(0, 77.0).width() > 0


def drawing(ink: str, wide: int = 100) -> str:
    area = f'<rect width="{wide}" height="100" fill="{ink}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} 100">{area}</svg>'


def test_a_saved_drawing_is_on_the_table_and_the_box_at_once(
    window: Window,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    """Pictures are kept under what they are called: none outlives the file it was drawn from."""
    tricks, context = tmp_path / "tricks", window.context
    kit, assets = begun(tricks, "tricks", "Night Tricks"), tricks / "assets"
    assets.mkdir()
    monkeypatch.setattr(app_context, "Art", Art)  # that of the other tests outlives a reading
    window.workshop.open(tricks, Trial(3, "1"))
    settle()

    def seen(at: QPointF) -> QColor:
        """The colour of the table at this point of it."""
        picture = QImage(1, 1, QImage.Format.Format_RGB32)
        with QPainter(picture) as painter:
            shown(window).scene.render(painter, QRectF(0, 0, 1, 1), QRectF(at, QSizeF(1, 1)))
        return picture.pixelColor(0, 0)

    def slot() -> QColor:
        stage = shown(window).scene.stage
        return seen(stage.to_pixels(stage.placed_table.outlines[0].rect).center())

    def box() -> tuple[str, int]:
        size = natural_size(context, kit, FRONT)
        front = side_picture(context, kit, FRONT, 40, 40, 1.0).toImage()
        return front.pixelColor(20, 20).name(), round(size.width())

    for ink, wide in (("#ff0000", 100), ("#0000ff", 150)):
        (assets / "inks.toml").write_text(f'cloth = "{ink}"\n', "utf-8")
        (assets / "table.svg").write_text(drawing(f"{{{{ inks('{kit.id}').cloth }}}}"), "utf-8")
        until(qtbot, lambda ink=ink: seen(QPointF(1, 1)).name() == ink)
        before = slot()
        (assets / "slot.svg").write_text(drawing(ink), "utf-8")
        until(qtbot, lambda before=before: slot() != before)
        (assets / "box-front.svg").write_text(drawing(ink, wide), "utf-8")
        until(qtbot, lambda ink=ink, wide=wide: box() == (ink, wide))
    (assets / "inks.toml").write_text('cloth = "#00ff00"\n', "utf-8")
    until(qtbot, lambda: seen(QPointF(1, 1)).name() == "#00ff00")


def test_a_file_replaced_by_an_editor_goes_on_being_watched(
    window: Window, workshop: TrialSession, folder: Path, qtbot: QtBot
) -> None:
    sheet = folder / "cards.csv"
    for name in ("Newt", "Toad"):
        fresh = folder / ".cards.csv.swp"
        lines = sheet.read_text("utf-8").splitlines()
        lines[1] = ",".join([name, *lines[1].split(",")[1:]])
        fresh.write_text("\n".join(lines) + "\n", "utf-8")
        fresh.replace(sheet)
        until(qtbot, lambda name=name: name in names(window))


def test_moves_that_no_longer_fit_return_with_the_file(
    window: Window, workshop: TrialSession, folder: Path, qtbot: QtBot
) -> None:
    sheet, mistake = folder / "cards.csv", workshop.strip.mistake
    whole = sheet.read_text("utf-8")
    rows = whole.splitlines()
    sheet.write_text("\n".join([rows[0], *reversed(rows[1:])]) + "\n", "utf-8")
    until(qtbot, lambda: mistake.text().endswith(": the next move isn't legal any more."))
    assert mistake.text().startswith("Replayed up to move ")
    assert workshop.strip.summary.text() == "Some moves no longer fit"
    sheet.write_text(whole, "utf-8")
    until(qtbot, mistake.isHidden)
    assert workshop.strip.move_label.text() == "Move 3 of 3"


def test_steps_seats_seed_and_bots_are_within_reach(
    window: Window, workshop: TrialSession, qtbot: QtBot
) -> None:
    strip = workshop.strip
    click(strip.back)
    assert strip.move_label.text() == "Move 2 of 3"
    click(strip.forward)
    assert strip.move_label.text() == "Move 3 of 3"
    assert not strip.forward.isEnabled()
    assert shown(window).seated.people == (0, 1)
    assert not shown(window).curtain.is_drawn
    click(strip.back)
    strip.viewer_requested.emit(0)
    assert shown(window).seated.people == (0,)
    strip.viewer_requested.emit(CURRENT_PLAYER)
    click(strip.bots)
    qtbot.waitUntil(lambda: shown(window).seated.is_over, timeout=TIMEOUT_MS)
    assert shown(window).seated.people == ()
    strip.seats_requested.emit(3)
    assert len(shown(window).seated.players) == 3
    strip.seed.setText("7")
    strip.seed.setModified(True)
    strip.seed.editingFinished.emit()
    match = shown(window).seated.match
    assert match.seed == "7"


def test_another_screen_closes_it_and_nothing_is_kept(
    window: Window, workshop: TrialSession, home: Path, folder: Path
) -> None:
    last: list[GameKit] = []
    window.workshop.game_changed.connect(last.append)
    kit = shown(window).kit
    window.show_shelf()
    assert last == [kit]
    assert workshop.strip.isHidden()
    assert not list(home.rglob("*.tabletop*"))
    change(folder / "cards.csv", "Drop,", "Frog,")
    settle()
    assert window.table is None


@pytest.mark.parametrize(
    ("drawn", "sentence"),
    [
        ("open(sys.argv[-1], 'w')", "Saved as “tables.png”."),
        ("sys.exit('It cannot be drawn.')", "It cannot be drawn."),
    ],
)
def test_a_picture_of_all_tables_is_drawn_meanwhile(
    window: Window,
    workshop: TrialSession,
    folder: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    drawn: str,
    sentence: str,
) -> None:
    asked: list[str] = []

    def start(process: QProcess, words: Sequence[str], surroundings: object) -> None:
        asked.extend(words)
        process.start(sys.executable, ["-c", f"import sys; {drawn}", words[3]])

    out = folder.parent / "tables.png"
    saving_to(monkeypatch, out)
    monkeypatch.setattr(own_process, "start", start)
    workshop.strip.pictures.trigger()
    assert not workshop.strip.pictures.isEnabled()
    qtbot.waitUntil(lambda: window.banner.text == sentence, timeout=TIMEOUT_MS)
    assert asked == [
        "dev",
        str(folder),
        "--sheet",
        str(out),
        "--force",
        "--seed",
        "1",
        "--ply",
        "3",
    ]
    assert workshop.strip.pictures.isEnabled()


def test_a_workshop_that_is_destroyed_hears_of_no_picture(
    window: Window, workshop: TrialSession, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(process: QProcess, *_: object) -> None:
        process.start(sys.executable, ["-c", "input()"])
        assert process.waitForStarted()

    saving_to(monkeypatch, folder.parent / "tables.png")
    monkeypatch.setattr(own_process, "start", start)
    workshop.strip.pictures.trigger()
    assert not workshop.strip.pictures.isEnabled()
    window.workshop.trial = None
    shiboken6.delete(workshop)  # and with it the process that draws


def test_a_broken_game_opens_once_it_is_fixed(window: Window, folder: Path, qtbot: QtBot) -> None:
    rules = folder / "rules.py"
    whole = rules.read_text("utf-8")
    rules.write_text(whole.replace("class Rules", "class Rules(", 1), "utf-8")
    window.workshop.open(folder, Trial(3, "1"))
    trial = window.workshop.trial
    assert trial.strip.mistake.text().startswith("rules.py line ")
    assert trial.strip.summary.text() == "No table yet"
    assert window.table is None
    assert isinstance(window.stack.currentWidget(), EmptyTable)
    assert not trial.strip.seats.isEnabled()
    rules.write_text(whole, "utf-8")
    until(qtbot, lambda: window.table is not None)
    assert len(shown(window).seated.players) == 3
    assert trial.strip.mistake.isHidden()


def test_a_folder_that_is_gone_is_named_until_it_is_back(
    window: Window, folder: Path, qtbot: QtBot
) -> None:
    window.workshop.open(folder, Trial(2, "1"))
    trial, away = window.workshop.trial, folder.with_name("elsewhere")
    folder.rename(away)
    until(qtbot, lambda: trial.strip.mistake.text() != "")
    assert trial.strip.mistake.text().startswith(f'There is no folder "{folder.name}"')
    away.rename(folder)
    until(qtbot, trial.strip.mistake.isHidden)


def test_whoever_leaves_an_empty_table_has_no_strip_any_more(window: Window, folder: Path) -> None:
    assert "pond_night" in game_folders.folders_by_id()
    change(folder / "cards.toml", "minutes = 10", "minutes = ")  # so its id cannot be read either
    window.workshop.open(folder)
    trial = window.workshop.trial
    window.show_shelf()
    assert window.workshop.trial is None
    assert trial.strip.isHidden()


READINGS = 25


def kept_modules() -> tuple[int, int]:
    """The number of packages of folders that are found, and of their modules that are kept."""
    finders = [each for each in sys.meta_path if isinstance(each, FolderFinder)]
    return len(finders), len([name for name in sys.modules if name.startswith(PACKAGE_PREFIX)])


def test_a_reading_leaves_nothing_of_the_one_before(
    window: Window, workshop: TrialSession, folder: Path
) -> None:
    rules, face = folder / "rules.py", folder / "assets" / "face.svg"
    face.parent.mkdir()
    whole, before, seen = rules.read_text("utf-8"), kept_modules(), []
    for number in range(READINGS):
        rules.write_text(whole + "1 / 0\n" * (number == 10), "utf-8")  # it cannot be read
        face.write_text("<svg>{{ card.nme }}</svg>", "utf-8")  # or not be shown
        if number not in (20, 21):
            face.unlink()
        workshop.reread()
        seen.append(weakref.ref(shown(window).kit.rules))
    assert workshop.strip.mistake.isHidden()
    assert kept_modules() == before
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert len({id(each()) for each in seen if each() is not None}) == 1


@pytest.fixture
def ordered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The words of the command that another process is started with; it writes an empty file."""
    asked: list[str] = []

    def start(process: QProcess, words: Sequence[str], surroundings: object) -> None:
        asked.extend(words)
        process.start(sys.executable, ["-c", "import sys; open(sys.argv[-1], 'w')", words[3]])

    monkeypatch.setattr(own_process, "start", start)
    return asked


@pytest.mark.parametrize("kind", EXPORT_TEXTS)
def test_the_cards_are_written_for_other_programs(
    kind: str,
    window: Window,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
    ordered: list[str],
) -> None:
    window.workshop.open(folder)
    out = folder.parent / "cards.zip"
    saving_to(monkeypatch, out)
    window.workshop.trial.strip.exports[kind].trigger()
    qtbot.waitUntil(lambda: "cards.zip" in window.banner.text, timeout=TIMEOUT_MS)
    assert ordered == [
        *("export", str(folder), "--out", str(out), "--force", "--as", kind, "--lang", "en"),
    ]
    assert kind in exports.EXPORTERS


def test_the_cards_are_printed_from_the_window(
    window: Window,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
    ordered: list[str],
) -> None:
    window.workshop.open(folder)
    out = folder.parent / "cards.pdf"
    saving_to(monkeypatch, out)
    window.workshop.trial.strip.print.trigger()
    qtbot.waitUntil(lambda: window.banner.text == "Saved as “cards.pdf”.", timeout=TIMEOUT_MS)
    assert ordered == ["print", str(folder), "--out", str(out), "--force", "--lang", "en"]


@pytest.mark.parametrize(
    ("ending", "banner"),
    [
        ("", "Nothing is wrong or missing."),
        ("sys.stderr.write('No disk.'); sys.exit(2)", "No disk."),
    ],
)
def test_a_check_without_findings_is_told(
    window: Window,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
    ending: str,
    banner: str,
) -> None:
    def start(process: QProcess, words: Sequence[str], surroundings: object) -> None:
        assert [*words] == ["check", str(folder)]
        process.start(sys.executable, ["-c", f"import sys; {ending}"])

    monkeypatch.setattr(own_process, "start", start)
    window.workshop.open(folder)
    strip = window.workshop.trial.strip
    click(strip.check)
    qtbot.waitUntil(lambda: window.banner.text == banner, timeout=TIMEOUT_MS)
    assert strip.check.isEnabled()
    assert window.workshop.trial.report is None


def test_a_check_lists_what_it_finds_in_the_windows_language(
    window: Window, folder: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    found = (
        '- The rules fail: rules.py line 3: there is no zone "lot": place it in setup, or use one '
        'of "lots"\n    2 players, seed 1, move 0\nPond Night: 1 found.\n'
    )

    def start(process: QProcess, *_: object) -> None:
        program = "import sys; sys.stdout.buffer.write(sys.argv[1].encode()); sys.exit(1)"
        process.start(sys.executable, ["-c", program, found])

    monkeypatch.setattr(own_process, "start", start)
    window.context.change_settings(language="ja")
    window.workshop.open(folder)
    trial = window.workshop.trial
    click(trial.strip.check)
    qtbot.waitUntil(lambda: trial.report is not None, timeout=TIMEOUT_MS)
    assert trial.report.text.toPlainText().splitlines()[0] == (
        "- ルールでエラーが起きます（rules.pyの3行目：「lot」という場所はありません。"
        'setupで置くか、"lots"のどれかを使ってください）'
    )
    trial.report.close()


def test_rules_that_fail_are_explained_in_the_windows_language(
    window: Window, workshop: TrialSession, folder: Path, qtbot: QtBot
) -> None:
    window.context.change_settings(language="ja")
    change(folder / "rules.py", 'table.shuffle("deck")', 'table.shuffle("decks")')
    mistake = workshop.strip.mistake
    until(qtbot, lambda: "「decks」という場所はありません" in mistake.text())
    assert mistake.text().startswith("rules.pyの")


def test_a_shared_game_says_how_friends_open_it(
    window: Window, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = tmp_path / "meadow"
    beginning.create_game("Meadow", free, "free")
    agreements.add_own_folder(free)
    out = tmp_path / "Meadow.tabletop-game"
    saving_to(monkeypatch, out)
    window.workshop.open(free)
    click(window.workshop.trial.strip.share)
    assert out.is_file()
    assert "double-click it or drop it onto the window" in window.banner.text
