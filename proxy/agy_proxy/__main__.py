"""``python -m agy_proxy``."""

import sys

from agy_proxy.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
