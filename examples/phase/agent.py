#!/usr/bin/env python3
"""An agent of the `command` contract, for those who want to write one: agent.py SCRIPT.json

The question is one JSON document on stdin, the answer one on stdout; what it changes, it changes in the current folder, as any
agent would. It answers from the same file as the script backend does. The script backend is told the round; a program is told
what a real agent is told, and goes by what it sees: where its last edits stand in the folder, it has come that far.
"""

import json
import sys
import time
from pathlib import Path

TRY_AGAIN_LATER = 75


def main():
    request = json.load(sys.stdin)
    answers = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["answers"]
    answer = find_answer(request, answers)
    time.sleep(answer.get("delay_ms", 0) / 1000)
    edit(answer.get("edits", []), request["abilities"])
    if "fail" in answer:
        print(answer.get("message", answer["fail"]), file=sys.stderr)
        return TRY_AGAIN_LATER if answer["fail"] == "Agent.Unavailable" else 1
    print(answer["text"] if "text" in answer else json.dumps(answer["answer"]))
    return 0


def find_answer(request, answers):
    named = {**request, "round": round_of(request, answers)}
    fits = [each for each in answers if all(each[name] == named[name] for name in names_in(each))]
    if not fits:
        words = ", ".join(f"{name} {named[name]}" for name in ("role", "task_id", "round", "attempt"))
        sys.exit(f"there is no answer for {words}")
    return max(fits, key=lambda each: len(names_in(each)))


def names_in(answer):
    return [name for name in ("role", "task_id", "round", "attempt") if name in answer]


def round_of(request, answers):
    """Who changes files goes on after what stands there; who does not is asked once for each round of the coder's."""
    if request["task_id"] is None:
        return 1
    if request["role"] == "reviewer":
        return max(1, last_round("coder", request, answers))
    done = last_round(request["role"], request, answers)
    # What was complained of and does not stand there was taken back: that happens once in a script.
    was_refused = done == 0 and request["input"].get("complaint") is not None
    return 2 if was_refused else done + 1


def last_round(role, request, answers):
    """The last round of a role's whose edits stand in the folder; 0 when there is none."""
    mine = [each for each in answers if each["role"] == role and each.get("task_id") == request["task_id"]]
    return max((each.get("round", 1) for each in mine if stands(each.get("edits", []))), default=0)


def stands(edits):
    return len(edits) > 0 and all(text_of(each["path"]) == each["content"] for each in edits)


def text_of(path):
    place = Path(path)
    return place.read_bytes().decode("utf-8", "replace") if place.is_file() else None


def edit(edits, abilities):
    if edits and abilities not in ("edit", "run"):
        sys.exit("the script has edits for a role that may make none")
    for each in edits:
        place = Path(each["path"])
        if each["content"] is None:
            place.unlink(missing_ok=True)
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(each["content"].encode("utf-8"))


if __name__ == "__main__":
    sys.exit(main())
