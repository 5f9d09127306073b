"""Loads one of our cassettes whole; prints CPU seconds and the number of records."""

import json
import sys
import time
from pathlib import Path

from agy_cassettes.cassette import Cassette

began = time.process_time()
count = len(list(Cassette.open(Path(sys.argv[1])).records()))
print(json.dumps([time.process_time() - began, count]))
