"""Bots are somebody: each a name and a word about her, in both languages."""

from tabletop.bots.personas import CHARACTERS, choose_persona, find_persona
from tabletop.catalogue import catalogue
from tabletop.language.words import Words


def test_there_are_enough_of_them_for_every_table():
    most = max(seats for kit in catalogue.shelf() for seats in kit.box.seats)
    assert len({character.name for character in CHARACTERS}) >= most


def test_a_stranger_has_a_name_that_nobody_at_the_table_has():
    for language in ("en", "ja"):
        say = Words(language)
        taken: list[str] = [say("Hotaru")]
        while (character := choose_persona(taken, say)) is not None:
            assert say(character.name) not in taken
            assert find_persona(say(character.name), say) is character
            assert say(character.temper)
            taken.append(say(character.name))
        assert len(set(taken)) == len(CHARACTERS)
    assert find_persona("Somebody", Words()) is None
    assert Words("ja")("Hotaru") == "ほたる"
