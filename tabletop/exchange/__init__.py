"""What guests need of games in files. Other programs' games are in `tabletop/studio/exchange/`."""
