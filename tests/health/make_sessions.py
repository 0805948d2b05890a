"""Makes `fixtures/sessions/`: the real pi, run in rpc mode with a scripted model on loopback.

    python tests/health/make_sessions.py --pi NODE_MODULES/.bin [--extension clients/pi] [--only NAME]

Each scenario is one session. The working folder is /home/dev/project, made for the run, so that no path of the
machine gets into a session file; the clock of pi's process is set to the scenario's day. With an extension, the
scenarios after its introduction run with it, and `EDIT_ASSIST_LS` names the server that it starts.
"""

import argparse
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PROJECT = Path("/home/dev/project")
TIMEOUT_S = 60

STOCK = '''\
"""Stock of a small shop."""


class Stock:
    def __init__(self):
        self.items = {}

    def add(self, name, count):
        if name in self.items:
            self.items[name] += count
        else:
            self.items[name] = count

    def take(self, name, count):
        if self.items.get(name, 0) < count:
            raise ValueError(name)
        self.items[name] -= count

    def total(self):
        return sum(self.items.values())


def report(stock):
    print("total", stock.total())


def report_all(stocks):
    for stock in stocks:
        print("total", stock.total())
'''
FILES = {"stock.py": STOCK, "notes.txt": "alpha\nbeta\ngamma\n"}

Turn = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """One thing done to pi: a prompt that the model answers with `turns`, or `command` (clone, back, abort)."""

    turns: list[Turn] = field(default_factory=list)
    command: str = "prompt"


@dataclass(frozen=True)
class Scenario:
    """One session: when it starts, which model answers, what happens."""

    name: str
    start: str
    model: str
    steps: list[Step]
    codemode: bool = False
    extension: bool = False


def calls(*made: tuple[str, Any], finish: str | None = None, stall: bool = False) -> Turn:
    """A model answer that makes calls; `stall` keeps the answer open, so that it can be aborted."""
    turn: Turn = {"calls": list(made), "stall": stall}
    if finish:
        turn["finish"] = finish
    return turn


def say(text: str) -> Turn:
    """A model answer without a call, which ends the agent's turn."""
    return {"text": text, "calls": []}


def edit(old: str, new: str, path: str = "stock.py") -> tuple[str, Any]:
    """An edit call with one edit."""
    return "edit", {"path": path, "edits": [{"oldText": old, "newText": new}]}


def edits(*pairs: tuple[str, str], path: str = "stock.py") -> tuple[str, Any]:
    """An edit call with several edits."""
    return "edit", {"path": path, "edits": [{"oldText": old, "newText": new} for old, new in pairs]}


def read(path: str = "stock.py", **rest: int) -> tuple[str, Any]:
    """A read call."""
    return "read", {"path": path, **rest}


def bash(command: str) -> tuple[str, Any]:
    """A bash call."""
    return "bash", {"command": command}


PATCH = """\
python3 - <<'EOF'
from pathlib import Path
path = Path("{path}")
text = path.read_text()
path.write_text(text.replace({old!r}, {new!r}))
EOF"""

RAISE_FLAT = "if self.items.get(name, 0) < count:\n    raise ValueError(name)\n"
RAISE_TRUE = "        if self.items.get(name, 0) < count:\n            raise ValueError(name)\n"
RAISE_NEW = "        if self.items.get(name, 0) < count:\n            raise KeyError(name)\n"
TOTAL_TABS = "\tdef total(self):\n\t\treturn sum(self.items.values())\n"
TOTAL_TRUE = "    def total(self):\n        return sum(self.items.values())\n"
TOTAL_NEW = "    def total(self):\n        return sum(self.items.values(), 0)\n"
PRINT_TWICE = 'print("total", stock.total())'

SCENARIOS = [
    Scenario(
        "exact-then-flat",
        "2026-11-03T09:00:00Z",
        "small-coder",
        [
            Step(
                [
                    calls(read()),
                    calls(edit("Stock of a small shop.", "The stock of a small shop.")),
                    calls(edit(RAISE_FLAT, RAISE_FLAT.replace("ValueError", "KeyError"))),
                    calls(read()),
                    calls(edit(RAISE_TRUE, RAISE_NEW)),
                    say("Done."),
                ]
            )
        ],
    ),
    Scenario(
        "blind-tabs",
        "2026-11-04T10:00:00Z",
        "small-coder",
        [Step([calls(edit(TOTAL_TABS, TOTAL_TABS)), calls(edit(TOTAL_TRUE, TOTAL_NEW)), say("Done.")])],
    ),
    Scenario(
        "misremembered",
        "2026-11-05T10:00:00Z",
        "large-coder",
        [
            Step(
                [
                    calls(read(limit=12)),
                    calls(edit("        self.items = dict()\n", "        self.items = defaultdict(int)\n")),
                    say("I could not change it."),
                ]
            ),
            Step([calls(edit("self.items = {}", "self.items: dict[str, int] = {}")), say("Done.")]),
        ],
    ),
    Scenario(
        "twice-overlap-same",
        "2026-11-06T11:00:00Z",
        "large-coder",
        [
            Step(
                [
                    calls(edit(PRINT_TWICE, 'print("all", stock.total())')),
                    calls(edit(f"    for stock in stocks:\n        {PRINT_TWICE}", "    print(len(stocks))")),
                    calls(edits(("alpha\nbeta", "a\nb"), ("beta\ngamma", "b\nc"), path="notes.txt")),
                    calls(edit("alpha\nbeta\ngamma", "a\nb\nc", path="notes.txt")),
                    calls(edit("self.items = {}", "self.items = {}")),
                    say("There was nothing to change."),
                ]
            )
        ],
    ),
    Scenario(
        "malformed",
        "2026-11-09T09:30:00Z",
        "small-coder",
        [
            Step(
                [
                    calls(("edit", {"path": "stock.py", "offset": 1, "limit": 20})),
                    calls(("edit", 'path=stock.py "path": "stock.py"')),
                    calls(("edit", '{"path": "stock.py", "edits": [{"oldText": "sel'), finish="length"),
                    calls(edit("raise ValueError(name)", "raise KeyError(name)")),
                    say("Done."),
                ]
            )
        ],
    ),
    Scenario(
        "other-ways",
        "2026-11-10T14:00:00Z",
        "large-coder",
        [
            Step(
                [
                    calls(edit("a", "b", path="missing.py")),
                    calls(("write", {"path": "missing.py", "content": "b = 1\n"})),
                    calls(edit("", "import sys\n")),
                    calls(bash(PATCH.format(path="stock.py", old="Stock of", new="The stock of"))),
                    say("Done."),
                ]
            )
        ],
    ),
    Scenario(
        "shell-habit",
        "2026-11-11T15:00:00Z",
        "small-coder",
        [
            Step(
                [
                    calls(bash("ls"), bash("python3 - <<'EOF'\nprint(6 * 7)\nEOF")),
                    calls(bash(PATCH.format(path="notes.txt", old="beta", new="delta"))),
                    calls(bash("cat > tool.py <<'EOF'\ns = open('x').read().replace('a', 'b')\nEOF\necho made")),
                    calls(bash("echo 'python3 - <<EOF'"), bash("cat <<'EOF' | python3 -\nprint(1)\nEOF")),
                    say("Done."),
                ]
            )
        ],
    ),
    Scenario(
        "nested",
        "2026-11-12T09:00:00Z",
        "large-coder",
        [
            Step(
                [
                    calls(
                        (
                            "codemode",
                            {
                                "code": "try { await tools.edit({path: 'stock.py', edits: [{oldText: "
                                "'def totals(self):', newText: 'def sum(self):'}]}) } catch (e) { text(String(e)) }\n"
                                "text(await tools.edit({path: 'stock.py', edits: [{oldText: "
                                "'def total(self):', newText: 'def sum(self):'}]}))\n"
                                "text(await tools.edit({path: 'notes.txt', edits: [{oldText: "
                                "'alpha', newText: 'omega'}]}))\n"
                                "try { await tools.edit({path: 'notes.txt', edits: [{oldText: "
                                "'epsilon', newText: 'zeta'}]}) } catch (e) { text(String(e)) }",
                            },
                        )
                    ),
                    calls(edit("gamma", "epsilon", path="notes.txt")),
                    say("Done."),
                ]
            )
        ],
        codemode=True,
    ),
    Scenario(
        "branch-left",
        "2026-11-13T10:00:00Z",
        "small-coder",
        [
            Step([calls(read()), calls(edit(RAISE_FLAT, RAISE_FLAT.upper())), say("It does not match.")]),
            Step(command="back"),
            Step(
                [
                    calls(edit(RAISE_TRUE, RAISE_NEW)),
                    calls(edit("def nothing", "def something"), edit("def report(stock)", "def report_one(stock)")),
                    calls(edit("def report_all", "def report_every")),
                    say("Done."),
                ]
            ),
        ],
    ),
    Scenario(
        "forked",
        "2026-11-16T10:00:00Z",
        "large-coder",
        [
            Step([calls(edit("class Shop:", "class Shop(dict):")), say("There is no such class.")]),
            Step(command="clone"),
            Step([calls(edit("class Stock:", "class Stock(dict):")), say("Done.")]),
        ],
    ),
    Scenario(
        "cut-short",
        "2026-11-17T10:00:00Z",
        "small-coder",
        [
            Step([calls(edit("alpha", "one", path="notes.txt"), stall=True)], command="abort"),
            Step([calls(edit("alpha", "one", path="notes.txt")), say("Done.")]),
        ],
    ),
    Scenario(
        "corrected-flat",
        "2026-11-24T09:00:00Z",
        "small-coder",
        [
            Step(
                [
                    calls(read()),
                    calls(edit(RAISE_FLAT, RAISE_FLAT.replace("ValueError", "KeyError"))),
                    calls(edit(TOTAL_TABS, TOTAL_TABS.replace(")\n", ", 0)\n", 2))),
                    say("Done."),
                ]
            )
        ],
        extension=True,
    ),
    Scenario(
        "diagnosed",
        "2026-11-25T10:00:00Z",
        "large-coder",
        [
            Step(
                [
                    calls(edit("        self.items = dict()\n", "        self.items = defaultdict(int)\n")),
                    calls(edit("        self.items = {}\n", "        self.items = defaultdict(int)\n")),
                    calls(edit("Stock of a small shop.", "The stock of a small shop.")),
                    say("Done."),
                ]
            )
        ],
        extension=True,
    ),
]

CLOCK = """\
const real = Date;
const shift = real.parse(process.env.PI_STARTS_AT) - real.now();
globalThis.Date = class Date extends real {
  constructor(...args) { args.length ? super(...args) : super(real.now() + shift); }
  static now() { return real.now() + shift; }
};
"""

BACK = """\
export default function (pi) {
  pi.registerCommand("back", {
    description: "goes back to before the first prompt",
    handler: async (_args, ctx) => {
      const first = ctx.sessionManager.getEntries().find((e) => e.type === "message" && e.message.role === "user");
      await ctx.navigateTree(first.id, { summarize: false });
    },
  });
}
"""


class Model(ThreadingHTTPServer):
    """An OpenAI-compatible endpoint that plays the turns it was given, one for each request."""

    def __init__(self) -> None:
        self.turns: queue.Queue[Turn] = queue.Queue()
        self.requests = 0
        self.go_on = threading.Event()
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: Model

    def log_message(self, *args: object) -> None:
        """No log."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        turn = self.server.turns.get(timeout=TIMEOUT_S)
        self.server.requests += 1
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for delta in _deltas(turn, self.server.requests):
            self._event({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        if turn.get("stall"):
            self.server.go_on.wait(TIMEOUT_S)
            return
        finish = turn.get("finish") or ("tool_calls" if turn["calls"] else "stop")
        usage = {"prompt_tokens": len(body) // 4, "completion_tokens": 20 + len(json.dumps(turn)) // 4}
        usage["total_tokens"] = sum(usage.values())
        self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}], "usage": usage})
        self.wfile.write(b"data: [DONE]\n\n")

    def _event(self, value: dict[str, Any]) -> None:
        event = {"id": f"chatcmpl-{self.server.requests}", "object": "chat.completion.chunk", **value}
        self.wfile.write(b"data: " + json.dumps(event).encode() + b"\n\n")
        self.wfile.flush()


def _deltas(turn: Turn, request: int) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": turn.get("text", "")}
    for index, (name, arguments) in enumerate(turn["calls"]):
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        function = {"name": name, "arguments": text}
        yield {
            "tool_calls": [{"index": index, "id": f"call_{request}_{index}", "type": "function", "function": function}]
        }


class Pi:
    """A pi in rpc mode: commands in, events out."""

    def __init__(self, scenario: Scenario, arguments: argparse.Namespace, work: Path, port: int) -> None:
        agent = work / "agent"
        agent.mkdir()
        models = [
            {"id": name, "name": name, "reasoning": False, "input": ["text"], "contextWindow": 128000}
            | {"maxTokens": 4096, "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}}
            for name in ("small-coder", "large-coder")
        ]
        provider = {"baseUrl": f"http://127.0.0.1:{port}/v1", "api": "openai-completions", "apiKey": "none"}
        (agent / "models.json").write_text(json.dumps({"providers": {"lab": provider | {"models": models}}}))
        (work / "clock.mjs").write_text(CLOCK)
        (work / "back.ts").write_text(BACK)
        environment = dict(os.environ) | {
            "PATH": f"{arguments.pi}{os.pathsep}{os.environ['PATH']}",
            "PI_CODING_AGENT_DIR": str(agent),
            "PI_OFFLINE": "1",
            "PI_TELEMETRY": "0",
            "PI_SKIP_VERSION_CHECK": "1",
            "PI_STARTS_AT": scenario.start,
            "NODE_OPTIONS": f"--import {work / 'clock.mjs'}",
        }
        command = [str(arguments.pi / "pi"), "--mode", "rpc", "--provider", "lab", "--model", scenario.model]
        command += ["--session-dir", str(work / "sessions"), "-e", str(work / "back.ts")]
        command += ["--tools", "+codemode"] if scenario.codemode else []
        command += ["-e", str(arguments.extension)] if scenario.extension else []
        self.events: queue.Queue[dict[str, Any]] = queue.Queue()
        self.process = subprocess.Popen(
            command, cwd=PROJECT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.events.put(json.loads(line))

    def send(self, **command: object) -> None:
        """Sends one command."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps(command).encode() + b"\n")
        self.process.stdin.flush()

    def until(self, kind: str) -> dict[str, Any]:
        """Waits for an event of a kind, or for the response to a command of that name."""
        while True:
            event = self.events.get(timeout=TIMEOUT_S)
            if event.get("type") == "response" and not event.get("success"):
                raise RuntimeError(event)
            if kind in (event.get("type"), event.get("command")):
                return event

    def end(self) -> None:
        """Ends pi by closing its standard input."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(TIMEOUT_S)


def play(scenario: Scenario, arguments: argparse.Namespace, out: Path) -> None:
    """Runs one scenario and moves its session files to `out`, named after it."""
    shutil.rmtree(PROJECT, ignore_errors=True)
    PROJECT.mkdir(parents=True)
    for name, text in FILES.items():
        (PROJECT / name).write_text(text)
    model = Model()
    threading.Thread(target=model.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        pi = Pi(scenario, arguments, Path(folder), model.server_port)
        for number, step in enumerate(scenario.steps, 1):
            for turn in step.turns:
                model.turns.put(turn)
            if step.command == "clone":
                pi.send(type="clone")
                pi.until("clone")
            elif step.command == "back":
                pi.send(type="prompt", message="/back")
                pi.until("prompt")
            else:
                pi.send(type="prompt", message=f"Step {number} of the work.")
                if step.command == "abort":
                    while pi.until("message_update")["assistantMessageEvent"]["type"] != "toolcall_delta":
                        pass
                    pi.send(type="abort")
                pi.until("agent_end")
        pi.end()
        model.go_on.set()
        written = sorted(Path(folder, "sessions").rglob("*.jsonl"))
        names = [f"{scenario.name}{'-fork' if place else ''}.jsonl" for place in range(len(written))]
        package = (arguments.pi / "pi").resolve().parents[2]
        for session, name in zip(written, names, strict=True):
            text = session.read_text("utf-8").replace(str(package), "/home/dev/pi")
            for other, other_name in zip(written, names, strict=True):
                text = text.replace(str(other), f"/home/dev/sessions/{other_name}")
            for part in (folder, str(ROOT), str(Path.home())):
                assert part not in text, f"a path of this machine in {name}"
            (out / name).write_text(text, "utf-8")
    model.shutdown()


def main() -> int:
    """Plays every scenario (or one)."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pi", type=Path, required=True, help="the folder that holds `pi` and `node`")
    parser.add_argument("--extension", type=Path, help="the extension's folder")
    parser.add_argument("--only", help="the name of one scenario")
    parser.add_argument("--out", type=Path, default=ROOT / "fixtures" / "sessions")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for scenario in SCENARIOS:
        if arguments.only not in (None, scenario.name) or (scenario.extension and not arguments.extension):
            continue
        play(scenario, arguments, arguments.out)
        print(scenario.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
