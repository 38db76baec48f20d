"""Functions of the browser client, called by name in Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

HOME = Path(__file__).parents[2] / "client"


def installed() -> bool:
    return bool(shutil.which("node")) and (HOME / "node_modules").is_dir()


# It answers one line for each line, and ends with this process.
IN_NODE = """
import { createInterface } from "node:readline";
import { createServer } from "vite";
const quiet = { appType: "custom", logLevel: "error" };
const server = await createServer({ server: { middlewareMode: true, ws: false }, ...quiet });
for await (const line of createInterface({ input: process.stdin })) {
  const [file, name, calls] = JSON.parse(line);
  try {
    const module = await server.ssrLoadModule(`/src/lib/${file}`);
    console.log(JSON.stringify({ found: calls.map((given) => module[name](...given)) }));
  } catch (error) {
    console.log(JSON.stringify({ error: error.stack }));
  }
}
await server.close();
"""


@cache
def _node() -> subprocess.Popen[str]:
    command = ["node", "--input-type=module", "-e", IN_NODE]
    return subprocess.Popen(command, cwd=HOME, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def in_node(file: str, name: str, calls: list[list[Any]]) -> Any:
    """What a function of the client gives for each list of arguments."""
    node = _node()
    assert node.stdin and node.stdout
    node.stdin.write(json.dumps([file, name, calls]) + "\n")
    node.stdin.flush()
    answer = json.loads(node.stdout.readline())
    assert "error" not in answer, answer["error"]
    return answer["found"]
