"""Work beside its caller: threads, tasks and futures, none of which fails unheard."""
