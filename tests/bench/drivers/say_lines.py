"""Says lines of 80 bytes, one each millisecond, each begun by CLOCK_MONOTONIC ns; argv ends with how many."""

import posix
import sys
import time

for _ in range(int(sys.argv[-1])):
    posix.write(1, b"%019d %s\n" % (time.monotonic_ns(), b"." * 59))
    time.sleep(0.001)
