"""The corner of the public table by which phones come: large, beside the field, and gone once all
seats are taken."""

from tests.ui.public.shown_table import ADDRESS, SCREENS, shown, within
from tests.ui.window_driver import Open, begin, settle


def test_it_is_read_from_three_metres_and_covers_nothing(opened: Open) -> None:
    window = opened()
    begin(window)
    table = shown(window)
    table.showNormal()
    window.public.show_invitation(ADDRESS)
    corner = table.phones
    for width, height in SCREENS:
        table.resize(width, height)
        settle()
        assert within(table, corner.qr_code).width() >= 0.29 * height
        assert not within(table, corner).intersects(within(table, table.view))
        assert table.rect().contains(within(table, corner))
        for text in (corner.title, corner.address, corner.code):
            assert text.fontMetrics().height() >= 0.02 * height
            assert text.heightForWidth(text.width()) <= text.height(), text.text()
    assert corner.address.text() == "192.168.178.120:18980"
    assert "K7M2XQ" in corner.code.text()
    window.public.show_invitation("")
    settle()
    assert not corner.isVisible()
    assert table.view.width() + table.race.width() == table.width()
