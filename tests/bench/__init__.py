"""``make bench``: what things cost, each as a ratio or a median of one interleaved run, beside its peers.

A `measures` module is one kind of measurement: it is asked for one round at a time, in turn with all others,
and gives its `row`s at the end. `schedule` makes the order, `pairs` the arithmetic, `table` what is printed.
`peers` are installed under ``.cache/peers``; what runs inside their environments is in `drivers`. `bed` holds
what is measured: shims, cassettes, play files.
"""
