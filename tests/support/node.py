"""Functions of the browser client, called by name in Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

HOME = Path(__file__).parents[2] / "client"


def installed() -> bool:
    return bool(shutil.which("node")) and (HOME / "node_modules").is_dir()


IN_NODE = """
import { createServer } from "vite";
const [file, name, calls] = JSON.parse(process.argv[1]);
const quiet = { appType: "custom", logLevel: "error" };
const server = await createServer({ server: { middlewareMode: true, ws: false }, ...quiet });
const module = await server.ssrLoadModule(`/src/lib/${file}`);
console.log(JSON.stringify(calls.map((given) => module[name](...given))));
await server.close();
"""


def in_node(file: str, name: str, calls: list[list[Any]]) -> Any:
    """What a function of the client gives for each list of arguments."""
    command = ["node", "--input-type=module", "-e", IN_NODE, json.dumps([file, name, calls])]
    done = subprocess.run(command, cwd=HOME, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
