"""The program's sentences, and that it has all of them in Japanese."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.bots.random_bot import RandomBot
from tabletop.catalogue import catalogue
from tabletop.engine.events import Said
from tabletop.engine.model import (
    AUDIENCE,
    Ask,
    Move,
    Reason,
    Remark,
    ScoreLine,
    State,
    Zone,
    hidden_card,
)
from tabletop.games import wording
from tabletop.games.wording import Wording
from tabletop.language.languages import LANGUAGES
from tabletop.language.texts import MAX_CACHED_TRANSLATIONS
from tabletop.language.words import Words
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from tabletop.net.guest.player_names import named_players
from tabletop.studio.translation.translation_check import (
    catalogue_folders,
    check_translations,
    main,
    texts_in_folder,
    texts_in_source,
)
from tabletop.text import phrases
from tabletop.text.phrases import GAP, phrase
from tabletop.text.translations import (
    BrokenCatalogue,
    compile_catalogues,
    forget_translations,
    load_translations,
)

SUN = catalogue.load("sun")
KITS = [kit for kit in catalogue.shelf() if not kit.is_draft]
PLAYERS = (Player("Ann"), Player(""))
EN, JA = Words("en", SUN, PLAYERS), Words("ja", SUN, PLAYERS)


def find_card(colour: str, turn: int) -> int:
    return next(n for n, c in enumerate(SUN.deck) if (c["colour"], c["turn"]) == (colour, turn))


RED, STILL = find_card("red", 2), find_card("yellow", 0)
BACK = hidden_card(0)


def worded(**words: object) -> Words:
    """Words for a game like Children of the Sun that says other things."""
    return Words("en", replace(SUN, words=Wording(**words)), PLAYERS)


# Names


def test_there_are_two_languages():
    assert LANGUAGES == ("en", "ja")
    assert [Words(language).language for language in LANGUAGES] == ["en", "ja"]
    assert Words().language == "en"
    for odd in ("", "../ja", "Deutsch"):
        with pytest.raises(ValueError, match="not the code of a language"):
            Words(odd)


def test_a_text_is_translated_and_its_gaps_filled():
    assert EN("Player {n}", n=3) == "Player 3"
    assert JA("Player {n}", n=3) == "プレイヤー3"
    assert JA("Nobody ever translates {this}.", this="x") == "Nobody ever translates x."


def test_arguments_are_taken_literally():
    assert EN("{a} and {b}", a="{b}", b="{a}") == "{b} and {a}"
    assert EN("{text} of {self}", text=1, self=2) == "1 of 2"
    assert EN("a {gap} stays", other=1) == "a {gap} stays"


def test_seats_have_the_players_names():
    assert [EN.seat(seat) for seat in (0, 1, 2)] == ["Ann", "Player 2", "Player 3"]
    assert JA.seat(1) == "プレイヤー2"
    assert (EN.seat(AUDIENCE), JA.seat(AUDIENCE)) == ("the audience", "観戦者")


def test_texts_are_put_together_as_a_language_does():
    assert (EN.join_list("ABC"), JA.join_list("ABC")) == ("A, B, C", "A、B、C")
    assert (EN.join_facts(("A", "", "B")), JA.join_facts(("A", "", "B"))) == ("A · B", "A・B")
    assert (EN.with_label("A", "B"), JA.with_label("A", "B")) == ("A: B", "A：B")
    assert [EN.join_names(names) for names in ("A", "AB", "ABC")] == ["A", "A and B", "A, B and C"]
    assert [JA.join_names(names) for names in ("A", "AB", "ABC")] == ["A", "AとB", "A、B、C"]
    assert EN.sentences(("One.", "", "Two", "Three?", "Four")) == "One. Two. Three? Four"
    assert JA.sentences(("一つ。", "二つ", "三つ？", "四つ")) == "一つ。二つ。三つ？四つ"
    assert EN.join_list(()) == EN.join_facts(()) == EN.sentences(()) == EN.join_names(()) == ""


def test_a_negative_number_has_the_minus_of_its_language():
    assert (EN("Points: {n}", n=-2), JA("Points: {n}", n=-2)) == ("Points: -2", "得点：−2点")
    assert JA("Points: {n}", n="10-9") == "得点：10-9点"


def test_cards_have_names():
    assert (EN.card(RED), JA.card(RED)) == ("Red · right 2", "赤・右2")
    assert (EN.card(BACK), JA.card(BACK)) == ("a card", "カード")
    assert (EN.short_text(RED), JA.short_text(RED), EN.short_text(BACK)) == ("right 2", "右2", "")
    assert Words().card(3) == "a card"


@pytest.mark.parametrize(
    ("cards", "english", "japanese"),
    [
        ((), "no card", "カードなし"),
        ((RED,), "Red · right 2", "「赤・右2」"),
        ((BACK,), "a card", "カード"),
        ((BACK, BACK), "2 cards", "カード2枚"),
        ((RED, STILL), "Red · right 2 and Yellow · still", "「赤・右2」「黄・不動」"),
        ((RED, BACK, STILL), "Red · right 2, Yellow · still and a card", None),
        ((BACK, RED, BACK), "Red · right 2 and 2 cards", "「赤・右2」とカード2枚"),
    ],
)
def test_several_cards_are_joined_and_holes_counted(cards, english, japanese):
    assert EN.cards(cards) == english
    assert japanese is None or JA.cards(cards) == japanese


def test_zones_have_names():
    assert EN.zone("pile") == "the draw pile"
    assert EN.zone("hand/0") == "Ann's hand"
    assert JA.zone("hand/1") == "プレイヤー2の手札"
    assert EN.zone("nowhere/at/all") == "nowhere/at/all"
    assert Words("ja").zone("pile") == "pile"


def test_a_pattern_takes_one_part_of_a_name_each():
    spoken = worded(
        zones={"row/{row},{column}": "{row} down, {column} right", "of/{seat}": "of {seat}"}
    )
    assert spoken.zone("row/2,5") == "2 down, 5 right"
    assert spoken.zone("row/2/5") == "row/2/5"
    assert spoken.zone("of/0") == "of Ann"
    assert spoken.zone("of/all") == "of all"


def test_a_turned_table_mirrors_cells_for_the_second_player():
    for viewer in (None, AUDIENCE, 0):
        assert EN.zone("grid/0,0", viewer) == "the far left cell"
    assert EN.zone("grid/0,0", 1) == "the near right cell"
    assert EN.zone("grid/2,1", 1) == "the far middle cell"
    assert EN.zone("grid/1,1", 1) == "the centre"
    assert EN.zone("pile", 1) == "the draw pile"
    assert JA.zone("grid/0,2", 1) == "左手前のマス"
    layout = replace(SUN.layout, table=replace(SUN.layout.table, turned=False))
    flat = Words("en", replace(SUN, layouts=(layout,)), PLAYERS)
    assert flat.zone("grid/0,0", 1) == "the far left cell"


def test_values_and_choices_have_words_where_the_layout_has_some():
    assert (EN.value("phase", "siege"), JA.value("phase", "siege")) == ("Siege", "包囲フェイズ")
    assert EN.value("phase", "break") == "break"
    assert EN.value("turn", 4) == "4"
    assert JA.choice("+2") == "幽霊を時計回りに90度回す"
    assert EN.choice("7") == "7"


# Sentences


def test_a_line_of_the_log():
    said = Said("{seat} places {card} on {zone}.", (RED,), {"seat": 1, "zone": "grid/0,0"})
    assert EN.log_line(said) == "Player 2 places Red · right 2 on the far left cell."
    assert EN.log_line(said, 1) == "Player 2 places Red · right 2 on the near right cell."
    assert JA.log_line(said) == "プレイヤー2が左奥のマスに「赤・右2」を置きました。"


def test_an_argument_is_read_as_its_name_tells():
    args = {"seat": 0, "seat_other": 1, "zone_a": "pile", "word_b": "red", "c": "red", "n": 5}
    said = Said("{seat} {seat_other} {zone_a} {word_b} {c} {n} {none}", (), {**args, "lit": "x"})
    assert EN.log_line(said) == "Ann Player 2 the draw pile red red 5 {none}"
    assert JA.log_line(said) == "Ann プレイヤー2 山札 赤 red 5 {none}"
    odd = Said("{seat} {zone}", (), {"seat": "nobody", "zone": 3})
    assert EN.log_line(odd) == "nobody 3"


def test_a_list_in_an_argument_has_the_signs_of_its_language() -> None:
    said = Said("{seat} throws {faces}.", (), {"seat": 0, "faces": "3, 4"})
    assert EN.log_line(said) == "Ann throws 3, 4."
    assert JA.log_line(said) == "Annがサイコロを振りました（3、4）。"
    assert (EN.number(1, "A"), JA.number(1, "A")) == ("1. A", "1　A")


def test_the_viewers_own_place_is_theirs() -> None:
    assert [EN.place("hand/0", viewer) for viewer in (0, 1)] == ["your hand", "Ann's hand"]
    assert [JA.place("hand/0", viewer) for viewer in (0, None)] == ["自分の手札", "Annの手札"]
    assert JA.place("pile", 0) == "山札"


def test_a_formula_with_a_list_has_the_brackets_of_its_language() -> None:
    line = ScoreLine("Shields", (6, 4), ("3×2 (2, 3)", "2×(3−1)"))
    assert [EN.formula(line, seat) for seat in range(3)] == ["3×2 (2, 3)", "2×(3−1)", ""]
    assert [JA.formula(line, seat) for seat in range(2)] == ["3×2（2、3）", "2×(3−1)"]


def test_bots_have_numbers_as_their_language_writes_them() -> None:
    bots = (Player("", kind="bot"),) * 2
    for language, names in (("en", ["Bot", "Bot 2"]), ("ja", ["ボット", "ボット2"])):
        assert [each.name for each in named_players(bots, language)] == names


def test_an_english_sentence_begins_with_a_capital():
    assert EN.log_line(Said("{card} falls.", (BACK,))) == "A card falls."
    assert EN.log_line(Said("{zone} is empty.", (), {"zone": "pile"})) == "The draw pile is empty."
    ann = Words("en", SUN, (Player("ann"), Player("bea")))
    assert ann.log_line(Said("{seat} wins.", (), {"seat": 0})) == "ann wins."


def test_reasons_notes_and_lines():
    reason = Reason("{seat} first, on {zone}.", {"seat": 0, "zone": "grid/0,0"})
    assert EN.reason(reason) == "Ann first, on the far left cell."
    assert EN.reason(reason, 1) == "Ann first, on the near right cell."
    note = Remark("Direct magic: {word_colour} {count}.", {"word_colour": "blue", "count": 3})
    assert JA.note(note) == "青3枚分で、直射魔法が成立しました。"
    assert JA.line(ScoreLine("Attack {n}", (1, 2), (), {"n": 2})) == "第2攻撃"


def test_a_move_as_a_sentence():
    move = Move(0, "place", (RED,), "grid/0,0", "-1")
    assert EN.move(move, 1) == (
        "Place Red · right 2 on the near right cell: turn the ghost 45° left"
    )
    assert JA.move(move) == "左奥のマスに「赤・右2」を置き、幽霊を反時計回りに45度回す"
    assert EN.move(Move(0, "dance")) == "dance"


def test_a_move_names_the_cards_that_lie_in_its_target():
    kit = catalogue.load("sisters")
    view = State(2, kit.backs, zones={"field/1": Zone("field/1")}, cards={"field/1": (7,)})
    move = Move(0, "trade", (3,), "field/1")
    names = [str(kit.deck[card]["name"]) for card in (3, 7)]
    assert Words("en", kit).move(move, 0, view) == f"Use {names[0]} to gain {names[1]}"
    assert Words("en", kit).move(move, 0) == f"Use {names[0]} to gain the second field card"
    gone = replace(view, cards={"field/1": ()})
    assert "the second field card" in Words("en", kit).move(move, 0, gone)


def test_a_prompt():
    assert JA.prompt(Ask(0, 0, "place"), {}) == "手札を1枚、場に出してください"
    assert EN.prompt(Ask(0, 0, "dance"), {}) == "dance"
    prompt = "{seat}: give {card0} to {seat1}, {zone2}, {word3}, {4}"
    giving = worded(
        asks={"give": wording.AskWording(prompt=prompt, paragraph="")}, zones=SUN.words.zones
    )
    ask = Ask(0, 0, "give", (RED, 1, "pile", "red", 7))
    assert giving.prompt(ask, {}) == "Ann: give Red · right 2 to Player 2, the draw pile, red, 7"


def test_a_heading():
    view = State(2, (0,), values={"phase": "analysis", "turn": 12})
    assert EN.heading(view) == "Analysis, turn 12"
    assert JA.heading(view) == "解析フェイズ・第12手番"
    assert Words().heading(view) == ""
    led = State(2, (0,), values={"seat_led": 1})
    assert worded(heading="{seat_led} leads").heading(led) == "Player 2 leads"


# Catalogues


def po(path: Path, *pairs: tuple[str, str]) -> Path:
    path.write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        + "".join(f'msgid "{english}"\nmsgstr "{other}"\n\n' for english, other in pairs),
        "utf-8",
    )
    return path


def test_a_games_own_translation_comes_before_the_programs(tmp_path):
    po(tmp_path / "ja.po", ("Player {n}", "{n}番の先生"))
    own = Words("ja", replace(SUN, folder=tmp_path))
    assert own.seat(0) == "1番の先生"
    assert own("a card") == "カード"


def test_the_screens_translations_are_found_without_running_them(tmp_path, monkeypatch):
    (tmp_path / "ui").mkdir()
    (tmp_path / "ui" / "__init__.py").write_text("raise RuntimeError('not to be run')")
    po(tmp_path / "ui" / "ja.po", ("Watch replay", "リプレイを見る"))
    monkeypatch.setattr("tabletop.language.texts.ui_folders", lambda: (tmp_path / "ui",))
    assert Words("ja")("Watch replay") == "リプレイを見る"
    monkeypatch.setattr("tabletop.language.texts.ui_folders", lambda: ())
    assert Words("ja")("Watch replay") == "Watch replay"


def test_a_fuzzy_or_empty_translation_is_none(tmp_path):
    file = po(tmp_path / "ja.po", ("yes", "はい"), ("no", ""))
    file.write_text(file.read_text("utf-8") + '#, fuzzy\nmsgid "maybe"\nmsgstr "多分"\n', "utf-8")
    assert [load_translations(file).gettext(text) for text in ("yes", "no", "maybe")] == [
        "はい",
        "",
        "",
    ]
    assert load_translations(tmp_path / "none.po").gettext("yes") == ""


def test_a_compiled_catalogue_is_read_while_it_is_current(tmp_path, monkeypatch):
    file = po(tmp_path / "ja.po", ("yes", "はい"), ("a\\nb", "あ\\nい"))
    compile_catalogues(tmp_path)
    monkeypatch.setattr("tabletop.text.translations.parse", None)
    assert load_translations(file).gettext("yes") == "はい"
    assert load_translations(file).gettext("a\nb") == "あ\nい"
    monkeypatch.undo()
    forget_translations(po(tmp_path / "ja.po", ("yes", "うん")))
    assert load_translations(file).gettext("yes") == "うん"


@pytest.mark.parametrize("end", [0, 10, 40, -1])
def test_a_damaged_compiled_catalogue_is_not_read(tmp_path, end):
    file = po(tmp_path / "ja.po", ("yes", "はい"))
    compile_catalogues(tmp_path)
    (tmp_path / "ja.mo").write_bytes((tmp_path / "ja.mo").read_bytes()[:end])
    assert load_translations(file).gettext("yes") == "はい"


def test_equal_translations_compile_to_equal_bytes(tmp_path):
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        po(tmp_path / name / "ja.po", ("yes", "はい"))
        compile_catalogues(tmp_path / name)
        made.append((tmp_path / name / "ja.mo").read_bytes())
    assert made[0] == made[1]


@pytest.mark.parametrize("content", [b'msgid "a"\n', b'msgid "a"\nmsgid "b"\n', b"hi", b"\xff"])
def test_a_broken_catalogue_is_one_clear_error(tmp_path, content):
    (tmp_path / "ja.po").write_bytes(content)
    with pytest.raises(BrokenCatalogue, match=r"ja.po is not a .po file"):
        Words("ja", replace(SUN, folder=tmp_path))


# The check


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ('table.say("Go on")', ["Go on"]),
        ('Reason("a" "b", {})', ["ab"]),
        ('t("Reads {x}", x=t("Here"))', ["Reads {x}", "Here"]),
        ('self._words("Here")', ["Here"]),
        ('t(phrase("One") if x else phrase("Two"))', ["One", "Two"]),
        ('A = {"x": phrase("One"), "y": [phrase("Two")]}', ["One", "Two"]),
        ('pen.whisper((0,), "One", "Two", 3, seat="no")', ["One", "Two"]),
        ('Result((), (), (ScoreLine("Tricks", ()),), phrase("So"))', ["Tricks", "So"]),
        ('say("x", word_colour=phrase("red"), seat="no")', ["x", "red"]),
        ("f\"{words('Games')} ({kinds})\"", ["Games"]),
        ('print("No")\n"Nor this"\nlen(x)("no")', []),
        ('words["no"]\nwords(["no"])\nsay(no)\npen.whisper(("no",))', []),
        ('say("no"', []),
    ],
)
def test_texts_are_read_off_the_source(source, texts):
    assert sorted(text for _, text in texts_in_source(source.encode())) == sorted(texts)


def test_phrase_gives_its_text():
    assert phrase("Open save") == "Open save"


@pytest.fixture
def project(tmp_path, monkeypatch) -> Path:
    """A project with a game, the program and its screens, all translated."""
    home, screens = tmp_path / "tabletop", tmp_path / "ui"
    game = home / "games" / "nim"
    game.mkdir(parents=True)
    (home / "games" / "_draft").mkdir()
    screens.mkdir()
    (home / "games" / "_draft" / "rules.py").write_text('say("Left out.")')
    (game / "rules.py").write_text('def f():\n    table.say("{seat} takes {n}.")\n')
    (game / "cards.toml").write_text(
        'back = ["b"]\n[box]\ntitle = "Nim"\nseats = [1, 2]\nfeel = "F"\ncredit = "C"\n'
        '[[box.options]]\nkey = "k"\nlabel = "Heap"\nchoices = [{ value = 1, label = "small" }]\n'
        '[[card]]\nname = "Stone"\nshort = "S"\ncolour = "grey"\n'
    )
    (game / "words.toml").write_text(
        'heading = "Turn {turn}"\n[choices]\nx = "Leave"\n[values.phase]\nend = "End"\n'
        '[asks.take]\nprompt = "Take stones"\nparagraph = "II"\n'
    )
    (game / "meaning.toml").write_text('[[tally]]\ntext = "Stones taken"\ntags = ["take"]\n')
    (game / "table.toml").write_text(
        '[[place]]\nzone = "heap"\ncaption = "The heap"\nnotes = ["first"]\n'
        '[[label]]\nfor = { n = "seats" }\ntext = "Heap of {n}"\nalign = "left"\n'
    )
    (home / "match.py").write_text('NO = Reason("No.")\nsay("…")\n', "utf-8")
    (screens / "menu.py").write_text('t("Undo")\n')
    po(
        game / "ja.po",
        *[
            ("{seat} takes {n}.", "{n}を{seat}が取りました。"),
            ("Nim", "ニム"),
            ("F", "ふ"),
            ("C", "し"),
        ],
        *[
            ("Heap", "山"),
            ("small", "小"),
            ("Stone", "石"),
            ("S", "い"),
            ("Turn {turn}", "{turn}番"),
        ],
        *[("Leave", "やめる"), ("End", "終"), ("The heap", "山"), ("first", "先")],
        *[
            ("Take stones", "取ってください"),
            ("Stones taken", "石数"),
            ("Heap of 0", "0"),
            ("Heap of 1", "1"),
        ],
    )
    po(home / "ja.po", ("No.", "だめです。"))
    po(screens / "ja.po", ("Undo", "元に戻す"))
    monkeypatch.setattr(phrases, "PROGRAM_FOLDER", home)
    monkeypatch.setattr(phrases, "ui_folders", lambda: (screens,))
    return tmp_path


def test_a_project_all_translated_gives_no_complaint(project, capsys):
    assert list(check_translations("ja")) == []
    assert main() == 0
    assert capsys.readouterr().out == ""


def test_each_text_without_translation_is_named_with_its_place(project, capsys):
    po(project / "tabletop" / "games" / "nim" / "ja2.po")
    (project / "tabletop" / "match.py").write_text('NO = Reason("No.")\n\nYES = Reason("Yes.")\n')
    (project / "ui" / "menu.py").write_text('t("Undo")\nt("Redo")\n')
    assert list(check_translations("ja")) == [
        'ui/menu.py:2: no translation in ui/ja.po of "Redo"',
        'tabletop/match.py:3: no translation in tabletop/ja.po of "Yes."',
    ]
    assert main() == 1
    assert 'ui/menu.py:2: no translation in ui/ja.po of "Redo"' in capsys.readouterr().out


def test_a_translation_that_is_never_read_is_named(project):
    po(project / "ui" / "ja.po", ("Undo", "元に戻す"), ("No.", "いいえ"))
    (project / "ui" / "menu.py").write_text('t("Undo")\nt("No.")\n')
    assert list(check_translations("ja")) == [
        'ui/ja.po: "No." is never read, as the program itself has it'
    ]


def test_translations_that_nothing_says_any_more_are_named(project):
    (project / "ui" / "menu.py").write_text("")
    assert list(check_translations("ja")) == ['ui/ja.po: nothing says "Undo" any more']


def test_a_translation_with_other_gaps_is_named(project):
    (project / "ui" / "menu.py").write_text('t("Undo {n}")\n')
    po(project / "ui" / "ja.po", ("Undo {n}", "{m}を戻す"))
    assert list(check_translations("ja")) == ['ui/ja.po: other gaps than in "Undo {n}"']


def test_an_f_string_cannot_be_translated(project):
    (project / "ui" / "menu.py").write_text('t("Undo")\nt(f"Undo {n}")\n')
    (complaint,) = check_translations("ja")
    assert complaint.startswith("ui/menu.py:2: a translated text cannot be an f-string")


def test_every_part_of_the_program_has_its_catalogue():
    names = [part.name for part in catalogue_folders()]
    assert {kit.id for kit in KITS} <= set(names)
    assert names[-2:] == ["tabletop", "ui"]


def test_everything_the_program_says_has_a_translation():
    assert list(check_translations("ja")) == []


def told(match: Match, seat: Seat, ask: Ask) -> Iterator[Said | Reason | Remark]:
    """The seat's sentences before it answers: refusals, and previews of its moves."""
    view = seat.view
    places = ("", *view.zones)
    hand = {card for held in view.cards.values() for card in held if card >= 0}
    for number, one in enumerate(sorted(hand)):
        reason = match.explain_refusal(
            seat.number, ask.id, one, places[(number + view.ply) % len(places)]
        )
        yield from [reason] if reason else []
    for offer in seat.offers[ask.id]:
        preview = seat.preview(offer.sample(ask.id, RandomBot(view.ply)._luck))
        yield from preview.notes if preview else ()


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.id)
def test_a_game_says_nothing_that_the_check_does_not_know(kit):
    known = (
        texts_in_folder(Path(str(kit.folder))).keys()
        | texts_in_folder(phrases.PROGRAM_FOLDER).keys()
    )
    seats = max(count for count in kit.box.seats if count <= 4)  # more of them say nothing else
    match = Match(kit, [Player("")] * seats, catalogue.options(kit), seed="said")
    sitting = [Seat.at_table(match, number) for number in range(seats)]
    bot = RandomBot("said")
    spoken: list[Said | Reason | Remark | ScoreLine] = []
    while match.state.result is None:
        seat = next(seat for seat in sitting if match.asks(seat.number))
        ask = match.asks(seat.number)[0]
        spoken += told(match, seat, ask)
        seat.send(bot.answer(seat, ask))
    spoken += [*match.log(AUDIENCE), *match.state.result.sheet]
    for sentence in spoken:
        assert sentence.text in known or not any(map(str.isalpha, GAP.sub("", sentence.text)))
        for name, arg in sentence.args.items():
            assert not name.startswith("word") or arg in known
    assert match.state.result.decided in known | {""}


def test_what_is_added_in_brackets_has_those_of_the_language() -> None:
    assert Words("en").with_note("Hinata", "host") == "Hinata (host)"
    assert Words("ja").with_note("ひなた", "ホスト") == "ひなた（ホスト）"


def test_texts_of_strangers_are_not_kept_for_ever() -> None:
    words = Words("ja")
    for number in range(2 * MAX_CACHED_TRANSLATIONS):
        assert words(f"text {number}") == f"text {number}"
    assert len(words._translated) <= MAX_CACHED_TRANSLATIONS
