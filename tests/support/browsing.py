"""People with browsers: a real Chromium, as large as a phone or a desktop, that plays as a person would."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

PHONE = {"width": 360, "height": 740}
ASIDE = {"width": 740, "height": 360}
DESKTOP = {"width": 1280, "height": 800}
WIDE = {"width": 1920, "height": 1080}


def sizes(*always: dict[str, int]) -> list[Any]:
    """Every size of screen for a test; those not named are left to the long tests."""
    named = {"phone": PHONE, "aside": ASIDE, "desktop": DESKTOP, "wide": WIDE}
    return [
        pytest.param(size, id=name, marks=() if size in always else pytest.mark.soak)
        for name, size in named.items()
    ]


# The one without a window of its own where there is one: a page costs half as much in it.
EXECUTABLE = shutil.which("chromium-headless-shell") or shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
AXE = Path(__file__).parents[2] / "client" / "node_modules" / "axe-core" / "axe.min.js"
SEEN = os.environ.get("NINEFOLD_PICTURES")  # a folder: pictures of every screen are put there

# One sensible thing that a person could do now: what fits the cards picked, a button, or a card to pick.
ONE_THING = """(random) => {
  const bad = /^(Stop|Why not|9 of a Kind|Blocked|Chicken|Leave|Standing|Fold|Pass)/;
  const goOn = document.querySelector('.round-end .button');
  if (goOn) { goOn.click(); return 'Go on'; }
  const buttons = '.dock .acts > .button:not(:disabled), .dock .number .line .button:not(:disabled)';
  const all = [...document.querySelectorAll(buttons)];
  const fits = all.filter((one) => one.classList.contains('main'));
  const open = all.filter((one) => !bad.test(one.textContent.trim()));
  const last = all.filter((one) => /^(Pass|Fold)/.test(one.textContent.trim()));
  const lit = [...document.querySelectorAll('.mine button.lit:not(.picked)')];
  const pick = (list) => list[Math.floor(random * list.length)];
  let chosen;
  if (fits.length) chosen = pick(fits);
  else if (lit.length && (random < 0.6 || !open.length)) chosen = pick(lit);
  else chosen = pick(open.length ? open : last);
  chosen?.click();
  return chosen ? chosen.textContent.trim() : '';
}"""

# Such things, one after another, until something is there to be seen; how many were done.
PLAY_ON = f"""async ([seed, until, most]) => {{
  const once = {ONE_THING};
  const luck = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  const end = performance.now() + most;
  let done = 0;
  while (!document.querySelector(until) && performance.now() < end) {{
    if (once(luck())) done++;
    await new Promise((next) => setTimeout(next, 16));
  }}
  return done;
}}"""

# Until the person chooses something else.
PREFER = """try {
  if (localStorage.getItem('ninefold preferences') === null)
    localStorage.setItem('ninefold preferences', '{"speed": "%s", "offered": true, "tips": false}');
} catch { /* a page without storage */ }"""


def built() -> bool:
    return resources.files("ninefold.server").joinpath("static", "app", "index.html").is_file()


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser, or a skip that says why there is none."""
    if not built():
        pytest.skip("the browser client is not built here: run `make client`")
    api = pytest.importorskip("playwright.sync_api", reason="no Playwright here")
    with api.sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=EXECUTABLE, args=FLAGS)
        except api.Error as error:
            pytest.skip(f"no Chromium can be started here: {str(error).splitlines()[0]}")
        yield browser
        browser.close()


class Person:
    """Someone at a browser of their own, with everything that went wrong in it."""

    def __init__(self, browser: Any, url: str, size: dict[str, int] = DESKTOP, **more: Any) -> None:
        # Without a service worker, which fetches the page's files again; those who test it ask for it.
        usual = {"reduced_motion": "reduce", "has_touch": size is PHONE, "service_workers": "block"}
        more = usual | more
        speed = more.pop("speed", "instant")  # tests that are not about beats do not wait for them
        self.context = browser.new_context(viewport=size, base_url=url, **more)
        self.context.add_init_script(PREFER % speed)
        self.page = self.context.new_page()
        self.page.set_default_timeout(45_000)
        self.wrong: list[str] = []
        self.clicks = 0
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", self._hear)

    def _hear(self, message: Any) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.wrong.append(message.text)

    def click(self, what: str) -> None:
        """A click that counts."""
        self.page.click(what)
        self.clicks += 1

    def sit(self, token: str, code: str) -> None:
        """Come to a table whose key one has, as after a reload."""
        self.page.goto("/")
        keys = f'{{"token": "{token}"}}'
        self.page.evaluate(
            "([name, keys]) => localStorage.setItem(name, keys)", [f"ninefold table {code}", keys]
        )
        self.page.goto(f"/t/{code}")

    def over(self) -> bool:
        return bool(self.page.locator(".result").count())

    def do_something(self, random: float) -> str:
        return str(self.page.evaluate(ONE_THING, random))

    def play_until(self, what: str, seconds: float, seed: int = 7) -> int:
        """Take any choice through the controls until something is there; how many were taken."""
        taken = self.page.evaluate(PLAY_ON, [seed, what, 1000 * seconds])
        assert self.page.locator(what).count(), f"no {what} after {seconds} s"
        return int(taken)

    def picture(self, name: str) -> None:
        if SEEN:
            self.page.screenshot(path=f"{SEEN}/{name}.png")

    def faults(self, impacts: tuple[str, ...] = ("serious", "critical")) -> list[str]:
        """What axe finds on this screen that is serious."""
        if not self.page.evaluate("() => 'axe' in window"):
            self.page.evaluate(AXE.read_text())
        found = self.page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{one['id']}: {node['target']} {node['failureSummary'][:200]}"
            for one in found["violations"]
            if one["impact"] in impacts
            for node in one["nodes"][:3]
        ]
