"""One viewer's knowledge of a match, folded from its updates."""

import pytest

from tabletop.bots.random_bot import RandomBot
from tabletop.catalogue import catalogue
from tabletop.engine.events import Moved, Said
from tabletop.match.link import Local
from tabletop.match.match import Match, Player, Reset, Update
from tabletop.match.viewed_table import ViewedTable


@pytest.mark.parametrize("name", catalogue.names())
def test_folding_what_is_told_is_being_shown_the_table_afresh(name: str):
    kit = catalogue.load(name)
    players = [Player(f"P{seat}") for seat in range(kit.box.seats[0])]
    match = Match(kit.game, kit.backs, players, seed="viewed")
    tables = {viewer: ViewedTable(match.reset(viewer)) for viewer in match.viewers}
    for viewer, table in tables.items():
        match.listen(viewer, table.take)
    links, bot = [Local(match, seat) for seat in range(len(players))], RandomBot("viewed")
    while match.state.result is None and len(match.record) < 60:
        link = next(link for link in links if match.asks(link.seat))
        link.send(bot.answer(link, match.asks(link.seat)[0]))
        if len(match.record) % 7 == 2:
            match.undo(None)
        for viewer, table in tables.items():
            assert table.reset() == match.reset(viewer)
    assert match.takebacks


def shown() -> Reset:
    kit = catalogue.load("sun")
    return Match(kit.game, kit.backs, [Player("Ann"), Player("Bea")], seed="shown").reset(0)


def test_an_update_of_another_table_changes_nothing():
    reset = shown()
    table, heard = ViewedTable(reset), []
    table.on_update(heard.append)
    stray = Moved(0, "nowhere", "pile", 0, 0)
    with pytest.raises(KeyError):
        table.take(Update(1, (Said("Before."), stray), {7: ()}, True))
    assert table.reset() == reset
    assert heard == []


def test_listeners_hear_once_it_is_folded_in_until_they_stop():
    table, heard = ViewedTable(shown()), []
    stop = table.on_update(lambda message: heard.append((message, table.log[-1])))
    first, second = (Update(n, (Said(f"Line {n}."),)) for n in (1, 2))
    table.take(first)
    stop()
    table.take(second)
    assert heard == [(first, Said("Line 1."))]
    table.on_update(lambda message: heard.append((message, None)))
    table.close()
    table.take(first)
    assert len(heard) == 1
