"""Stand-in until the module itself is written; replace the whole file."""

import json, os
from fake_agy.stores.files import private_folder, replace_private
from fake_agy.record import NamedTuple
from fake_agy.stores.step import Usage


class Facts(NamedTuple):
    conversation: str
    trajectory: str
    created: float
    workspaces: tuple
    project: str
    parent: str
    depth: int


class Told(NamedTuple):
    prompt: str
    answer: str
    usage: Usage
    execution: str


class Database:
    def __init__(self, path, facts):
        self.p = path
        if facts:
            self.d = {"created": facts.created, "steps": []}
            self.save()
        else:
            self.d = json.load(open(path))

    def save(self):
        private_folder(os.path.dirname(self.p))
        replace_private(self.p, json.dumps(self.d).encode())

    def next_idx(self):
        self.d = json.load(open(self.p))
        return max([s["idx"] for s in self.d["steps"]], default=-1) + 1

    def append(self, steps):
        for s in steps:
            self.d["steps"].append(
                {
                    "idx": s.idx,
                    "type": s.type,
                    "plain": s.plain,
                    "content": s.content,
                    "usage": s.usage,
                    "error": s.error,
                }
            )
        self.save()

    def change(self, s):
        pass

    def told(self):
        self.d = json.load(open(self.p))
        out = []
        for s in self.d["steps"]:
            if s["type"] == "USER_INPUT":
                out.append([s["plain"], None, []])
            elif s["type"] == "PLANNER_RESPONSE" and out:
                out[-1][1] = s["content"]
                out[-1][2].append(Usage(*s["usage"]))
        from fake_agy.turns.answer import total

        return tuple(Told(p, a, total(u), "") for p, a, u in out)

    def created(self):
        return self.d["created"]

    def model(self):
        return ""

    def last_error(self):
        return None

    def finish(self, checkpoint):
        pass
