"""``python -m agy_proxy``."""

import sys

from agy_proxy.start import agy_proxy

if __name__ == "__main__":
    sys.exit(agy_proxy())
