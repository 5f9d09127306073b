"""How a call's record is named."""

import hashlib

from agy_cassettes.identity import new_id
from agy_proxy.record.journal import Start


def record_id(start: Start) -> str:
    """Name the record; the same call gets the same name each time it is converted, so a repetition shows."""
    facts = (start.run_id.encode(), b"%d" % start.realtime_ns, b"%d" % start.pid, b"%d" % start.monotonic_ns)
    seed = hashlib.sha256(b"\0".join(facts + start.argv)).digest()
    return new_id(start.realtime_ns, start.pid, seed[:10])
