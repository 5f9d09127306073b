"""What session-compass finds in the store under HOME; runs inside that reader's environment."""

import json
import sys

from session_compass.agents import antigravity

found = [
    {name: str(session[name]) for name in ("id", "cwd", "summary", "summary_source", "resume_status")}
    for session in antigravity.collect_sessions()
]
print(json.dumps({"sessions": found, "resume": antigravity.ADAPTER.build_resume_command(sys.argv[1])}))
