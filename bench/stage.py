"""The browser in motion: frames a second, and whether what can be tapped moves while beats are played.

    python bench/stage.py
    python bench/stage.py --part bust --size 360x740

Parts of real matches (tests/support/performing.py) are played at normal speed in Chromium. Frames are counted
while the stage plays. A tappable thing has moved if it is more than two pixels from where it was
before; the shift is the browser's own measure (0 is still, 0.1 is good). Chromium draws without a GPU.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.browsing import chromium
from support.performing import DONE, PARTS, Performance, loud, performance, words_of
from support.scripted import Script

SIZES = ("360x740", "740x360", "1280x800", "1920x1080")
MEASURE = """() => {
  window.frames_ = []; window.shift_ = 0;
  new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shift_ += one.value; })
    .observe({type: 'layout-shift'});
  const places = () => Object.fromEntries([...document.querySelectorAll('.match button')]
    .filter((one) => one.offsetWidth && !one.closest('.notes')).map((one, at) => {
      const box = one.getBoundingClientRect();
      return [one.dataset.place ? `${one.closest('[data-zone]').dataset.zone} ${one.dataset.place}` :
        one.ariaLabel ?? one.textContent.trim(), [box.x, box.y]];
    }));
  window.places_ = places; window.before_ = places();
  let last = 0;
  const frame = (now) => {
    if (document.querySelector('.asked.still') && last) window.frames_.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""
MOVED = """() => { const after = window.places_();
  return Object.entries(window.before_).filter(([name, [x, y]]) =>
    after[name] && Math.hypot(after[name][0] - x, after[name][1] - y) > 2).map(([name]) => name); }"""


def measure(browser: Any, given: Performance, size: str) -> dict[str, Any]:
    width, height = map(int, size.split("x"))
    options: dict[str, Any] = {"speed": "normal", "motion": "no-preference"}
    script = Script(browser, {"width": width, "height": height}, given.view, table=given.table(), **options)
    script.sit()
    script.page.wait_for_selector(".felt")
    script.page.wait_for_timeout(500)
    script.page.evaluate(MEASURE)
    for number, part in enumerate(given.parts, start=2):
        given.send(script, part, number)
    script.page.wait_for_function(DONE, arg=words_of(loud(given)[-1]))
    frames, shift = script.page.evaluate("() => [window.frames_, window.shift_]")
    moved = script.page.evaluate(MOVED)
    script.person.context.close()
    median = 1000 / statistics.median(frames) if frames else 0.0
    return {"fps": median, "frames": len(frames), "shift": shift, "moved": moved}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--part", choices=PARTS, action="append", help="which parts (all)")
    parser.add_argument("--size", action="append", help="which sizes (four)")
    chosen = parser.parse_args()
    print(f"{'part':10} {'size':>10} {'frames/s':>9} {'frames':>7} {'shift':>7}  moved")
    with chromium() as browser:
        for name in chosen.part or PARTS:
            for size in chosen.size or SIZES:
                found = measure(browser, performance(name), size)
                row = f"{name:10} {size:>10} {found['fps']:9.1f} {found['frames']:7} {found['shift']:7.3f}"
                print(row, "", ", ".join(found["moved"]) or "-", flush=True)


if __name__ == "__main__":
    main()
