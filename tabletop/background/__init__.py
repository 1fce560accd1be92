"""Background work in threads, tasks, futures and processes, with guaranteed error reporting."""
