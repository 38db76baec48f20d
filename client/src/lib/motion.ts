// Cards and chips that fly from zone to zone, as the movements of events say. Works on what is drawn: elements
// say which zone, place and card they are.
import { tick } from "svelte";
import type { Event } from "./types";
import { digits } from "./words";

const STAGGER = 55;
const FLIGHT = 420;
const MOST = 100;

export const still = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** One end of a flight: a card, if it is known, at a place of a zone, if it has one. */
type End = { zone: string | null; place: number | undefined; card: string | null };
type Flight = { from: End; to: End };
type Spot = { box: DOMRect; copy: HTMLElement | null };

/** The flights of some events, a card each; chips fly as one. */
export function flights(events: Event[]): Flight[] {
  return events
    .flatMap((event) => event.moves ?? [])
    .filter((move) => move.to !== null && move.from !== move.to)
    .flatMap((move) =>
      (move.cards?.length ? move.cards : [null]).map((card, at) => ({
        from: { zone: move.from, place: move.source_places?.[at], card },
        to: { zone: move.to, place: move.target_places?.[at], card },
      })),
    );
}

function middle(element: HTMLElement, width: number): DOMRect {
  const box = element.getBoundingClientRect();
  const height = width * 1.4;
  return new DOMRect(box.x + box.width / 2 - width / 2, box.y + box.height / 2 - height / 2, width, height);
}

/** The element of a card: the one at its place, else one that shows it, else one that is face down. */
function cardAt(
  home: HTMLElement,
  { place, card }: End,
  used: Set<Element>,
  last: boolean,
): HTMLElement | null {
  const all = [...home.querySelectorAll<HTMLElement>("[data-card], [data-place]")].filter(
    (one) => !used.has(one) && one.offsetWidth > 0,
  );
  const at = all.find((one) => place !== undefined && one.dataset["place"] === String(place));
  // In a grid a place is where it is; elsewhere cards close up, so that the one there may be another by now.
  if (at && (home.querySelector(".grid") || card === null || at.dataset["card"] === card)) return at;
  if (last) all.reverse();
  const shows = (face: string): HTMLElement | undefined => all.find((one) => one.dataset["card"] === face);
  return (card === null ? all[0] : (shows(card) ?? shows(""))) ?? null;
}

/** Where a flight starts or lands: its card, else the middle of its zone, or of the table. */
function spot(end: End, used: Set<Element>, last: boolean): Spot | null {
  const home =
    end.zone === null ? null : document.querySelector<HTMLElement>(`[data-zone="${CSS.escape(end.zone)}"]`);
  if (!home) {
    const centre = document.querySelector<HTMLElement>(".felt .centre");
    return centre && { box: middle(centre, 36), copy: null };
  }
  const chip = home.querySelector<HTMLElement>(".chip");
  if (chip) return { box: chip.getBoundingClientRect(), copy: chip };
  const found = cardAt(home, end, used, last);
  if (!found) return { box: middle(home, Math.min(40, home.clientWidth || 40)), copy: null };
  used.add(found);
  return { box: found.getBoundingClientRect(), copy: found };
}

/** Remember where cards are, show the new table, and let the cards that moved fly there. */
export async function fly(events: Event[], show: () => void, pace = 1): Promise<void> {
  const all = flights(events);
  if (!all.length || all.length > MOST || document.hidden || still()) {
    show();
    return;
  }
  const left = new Set<Element>();
  const starts = all.map(({ from }) => {
    const at = spot(from, left, false);
    return at && { box: at.box, copy: (at.copy?.cloneNode(true) as HTMLElement | undefined) ?? null };
  });
  show();
  await tick();
  const taken = new Set<Element>();
  const step = Math.min(STAGGER, 900 / all.length);
  all.forEach(({ to }, number) => {
    const start = starts[number];
    const end = spot(to, taken, true);
    if (!start || !end) return;
    const looks = (end.copy?.cloneNode(true) as HTMLElement | undefined) ?? start.copy;
    if (!looks) return;
    send(
      looks,
      start.box,
      end.box,
      [number * step * pace, FLIGHT * pace],
      looks.classList.contains("chip") ? null : end.copy,
    );
  });
}

function send(
  looks: HTMLElement,
  from: DOMRect,
  to: DOMRect,
  [delay, duration]: [number, number],
  landing: HTMLElement | null,
): void {
  const ghost = document.createElement("div");
  ghost.className = "ghost";
  ghost.setAttribute("aria-hidden", "true");
  looks.removeAttribute("data-card");
  looks.removeAttribute("data-place");
  looks.removeAttribute("id");
  looks.setAttribute("inert", "");
  looks.className = looks.className.replace(/\b(lit|picked|dim|pointed)\b/g, "");
  ghost.append(looks);
  document.body.append(ghost);
  const size = to.width > 4 ? to : from;
  ghost.style.setProperty("width", `${size.width}px`);
  ghost.style.setProperty("--w", `${size.width}px`);
  const scale = from.width > 4 ? from.width / size.width : 1;
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const lift = Math.min(60, 16 + Math.hypot(dx, dy) / 10);
  const timing = { duration, delay, easing: "cubic-bezier(.3,.1,.2,1)", fill: "forwards" as const };
  ghost.style.setProperty("opacity", "0"); // until it leaves
  landing?.animate([{ opacity: 0 }, { opacity: 0 }], { duration: duration + delay - 16 });
  ghost.animate(
    [
      { transform: `translate(${from.x}px, ${from.y}px) scale(${scale})`, opacity: 1 },
      {
        transform: `translate(${from.x + dx / 2}px, ${from.y + dy / 2 - lift}px) scale(${(scale + 1) / 2}) rotate(${dx > 0 ? 5 : -5}deg)`,
      },
      { transform: `translate(${to.x}px, ${to.y}px) scale(1)`, opacity: 1 },
    ],
    timing,
  ).onfinish = () => ghost.remove();
  setTimeout(() => ghost.remove(), duration + delay + 400);
}

/** What a player takes from the number in the middle of the table flies to their score. */
export function award(event: Event, pace: number): void {
  const from = document.querySelector<HTMLElement>(".felt .main strong");
  const to = document.querySelector<HTMLElement>(`.felt [data-seat="${event.seat ?? ""}"] .score`);
  if (typeof event.amount !== "number" || !from || !to || document.hidden || still()) return;
  const looks = document.createElement("b");
  looks.textContent = `+${digits(event.amount)}`;
  looks.className = "award";
  send(looks, from.getBoundingClientRect(), to.getBoundingClientRect(), [0, 700 * pace], null);
}
