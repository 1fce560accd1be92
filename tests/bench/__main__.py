"""`python -m tests.bench [topic ...]`: print the figures of these topics, or of all."""

import sys
from importlib import import_module
from pkgutil import iter_modules

import tests.bench

found = [module.name for module in iter_modules(tests.bench.__path__)]
topics = [name for name in found if name != "figures" and not name.startswith(("_", "bench_"))]
for topic in sys.argv[1:] or topics:
    print(topic)
    for line in import_module(f"tests.bench.{topic}").report():
        print("  " + line)
