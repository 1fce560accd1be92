"""How fast it is: one module a topic, each with `report() -> Iterator[str]`, a line a figure.

    python -m tests.bench               all topics
    python -m tests.bench playouts      these topics
    pytest tests/bench/bench_sun.py     the same figures held to what was promised

Times are CPU time of this process. Figures are a median with its quartiles: a median of many rounds
bears a busy machine, a mean does not.
"""
