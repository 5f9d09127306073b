"""How large a stress test is, and which seed it draws from."""

import os
import random


def scaled(full: int) -> int:
    """`full` under ``AGY_PROXY_FULL_SIZE=1`` (``make endurance``), else a tenth of it, at least 1."""
    return full if os.environ.get("AGY_PROXY_FULL_SIZE") == "1" else max(1, full // 10)


def drawn_seed() -> int:
    """The seed in ``AGY_PROXY_SEED``, else a new one; it is printed, so that a failure can be run again."""
    seed = int(os.environ.get("AGY_PROXY_SEED") or random.SystemRandom().randrange(2**32))
    print(f"AGY_PROXY_SEED={seed}")
    return seed
