"""The browser in motion: frames a second, and whether what can be tapped moves while beats are played.

    python bench/stage.py
    python bench/stage.py --part bust --size 360x740

Parts of real matches (tests/support/performing.py) are played at normal speed in Chromium. Frames are counted
while the stage plays. At each beat everything that can be tapped is looked for where it was at the beat
before: what is more than two pixels away has moved. The shift is the browser's own measure: 0 is still, 0.1
is good, and cards that make room for others count. `--blame` says what it found. Chromium has no GPU here.

    python bench/stage.py --latency

says how long another player's move takes to the page where everyone plays at once.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from ninefold.model.events import Event
from ninefold.model.view import HIDDEN, View, Zone
from support.browsing import chromium
from support.performing import DONE, PARTS, Performance, loud, performance, words_of
from support.scripted import Script, table, view

SIZES = ("360x740", "740x360", "1280x800", "1920x1080")
MEASURE = """() => {
  window.frames_ = []; window.shift_ = 0; window.moved_ = new Set(); window.blame_ = {};
  const words = (node) => node?.className?.baseVal ?? node?.className ?? node?.nodeName ?? '';
  new PerformanceObserver((list) => { for (const one of list.getEntries()) {
    window.shift_ += one.value;
    for (const { node, previousRect: was, currentRect: is } of one.sources) {
      const name = `${node?.nodeName ?? 'gone'}.${words(node)}`.slice(0, 40);
      window.blame_[name] = [one.value, was.x, was.y, was.width, was.height, is.x, is.y, is.width, is.height]
        .map((value, at) => at ? Math.round(value) : +value.toFixed(3));
    } } }).observe({type: 'layout-shift'});
  const places = () => Object.fromEntries([...document.querySelectorAll('.match button')]
    .filter((one) => one.offsetWidth && !one.closest('.notes')).map((one) => {
      const box = one.getBoundingClientRect(), seat = one.closest('[data-seat]')?.dataset.seat ?? '';
      return [one.dataset.place ? `${one.closest('[data-zone]').dataset.zone} ${one.dataset.place}` :
        seat + (one.ariaLabel ?? one.textContent.trim()), [box.x, box.y]];
    }));
  let before = places(), beat = '', last = 0;
  window.beats_ = 0;
  const look = () => {
    const now = places();
    for (const [name, [x, y]] of Object.entries(before))
      if (now[name] && Math.hypot(now[name][0] - x, now[name][1] - y) > 2) window.moved_.add(name);
    before = now;
    window.beats_++;
  };
  window.look_ = look;
  const frame = (now) => {
    if (document.querySelector('.asked.still') && last) window.frames_.push(now - last);
    last = now;
    const said = document.querySelector('[data-caption]')?.textContent ?? '';
    if (said !== beat) { look(); beat = said; }
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""
FOUND = """() => { window.look_();
  return [window.frames_, window.shift_, [...window.moved_], window.beats_, window.blame_]; }"""
# When a number of cards lies before the next player.
SEEN = """(count) => { window.seen_ = new Promise((done) => {
  const zone = document.querySelector('[data-zone="offer-1"]');
  const look = () => zone.querySelectorAll('[data-card]').length === count
    ? done(performance.timeOrigin + performance.now()) : requestAnimationFrame(look);
  look(); }); }"""
OFFERS = 40


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
    frames, shift, moved, beats, blame = script.page.evaluate(FOUND)
    script.person.context.close()
    median = 1000 / statistics.median(frames) if frames else 0.0
    found = {"fps": median, "frames": len(frames)}
    return found | {"shift": shift, "moved": moved, "beats": beats, "blame": blame}


def offering(cards: int) -> View:
    """A table at which everyone plays at once, where the next player offers that many cards."""
    zones = []
    for seat in range(3):
        held = [HIDDEN] * (cards if seat == 1 else 0)
        zones.append(Zone(f"hand-{seat}", "hand", "Hand", seat, [HIDDEN] * 9))
        zones.append(Zone(f"offer-{seat}", "row", "Offer", seat, held, slots=3, held_in=f"hand-{seat}"))
    return view(zones)


def latency(browser: Any, size: str) -> list[float]:
    """Milliseconds from sending what another player did until the page shows it, shortest first."""
    width, height = map(int, size.split("x"))
    live = table(realtime=True)
    options: dict[str, Any] = {"speed": "normal", "motion": "no-preference"}
    script = Script(browser, {"width": width, "height": height}, offering(0), table=live, **options)
    script.sit()
    script.page.wait_for_selector("[data-zone='offer-1']")
    found = []
    for number in range(OFFERS):
        script.page.evaluate(SEEN, number % 3 + 1)
        event = Event("offer", "Bob offers.", 1)
        begun = 1000 * time.time()
        script.show(offering(number % 3 + 1), event, seq=number + 2)
        found.append(script.page.evaluate("() => window.seen_") - begun)
    script.person.context.close()
    return sorted(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--part", choices=PARTS, action="append", help="which parts (all)")
    parser.add_argument("--size", action="append", help="which sizes (four)")
    parser.add_argument("--blame", action="store_true", help="what the browser says has shifted")
    parser.add_argument("--latency", action="store_true", help="how soon another player's move is seen")
    chosen = parser.parse_args()
    with chromium() as browser:
        if chosen.latency:
            for size in chosen.size or SIZES:
                times = latency(browser, size)
                middle, late = statistics.median(times), times[int(0.95 * len(times))]
                print(f"{size:>10} median {middle:5.1f} ms, 95 % within {late:5.1f} ms", flush=True)
            return
        print(f"{'part':10} {'size':>10} {'frames/s':>9} {'frames':>7} {'beats':>6} {'shift':>7}  moved")
        for name in chosen.part or PARTS:
            for size in chosen.size or SIZES:
                found = measure(browser, performance(name), size)
                row = f"{name:10} {size:>10} {found['fps']:9.1f} {found['frames']:7} {found['beats']:6}"
                print(f"{row} {found['shift']:7.3f} ", ", ".join(found["moved"]) or "-", flush=True)
                for node, change in found["blame"].items() if chosen.blame else ():
                    print(f"    {node}: {change}")


if __name__ == "__main__":
    main()
