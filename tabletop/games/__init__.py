"""The packaged games, one folder each, and the modules that read game folders."""
