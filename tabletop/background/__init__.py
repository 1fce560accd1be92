"""Background work in threads, tasks, futures and processes, whose errors are always reported."""
