"""One module for each kind of measurement; see `tests.bench.schedule.Measure`."""
