// Cards and chips that fly from zone to zone, as the movements of events say. Works on what is drawn: elements
// say which zone, place and card they are.
import { tick } from "svelte";
import type { Event } from "./types";
import { digits } from "./words";

const STAGGER = 55;
const FLIGHT = 420;
const MOST = 100;
const HIGH = 42; // of letters that rise, at their largest
const SHAKE = 2; // pixels, so that nothing is missed by a finger

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

/** What lies on top of a pile of several cards. */
const topOf = (zone: string | null): HTMLElement | null =>
  zone === null
    ? null
    : document.querySelector(`.is-pile[data-zone="${CSS.escape(zone)}"] .stack.thick [data-card]`);

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
  const tops = new Map(all.map(({ to }) => [to.zone, topOf(to.zone)?.cloneNode(true) as HTMLElement]));
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
    const below = tops.get(to.zone);
    if (below && end.copy) cover(below, end.box, number * step * pace + FLIGHT * pace);
    tops.delete(to.zone);
    send(
      looks,
      start.box,
      end.box,
      [number * step * pace, FLIGHT * pace],
      looks.classList.contains("chip") ? null : end.copy,
    );
  });
}

/** A pile is never gone: what lay on top of it stays to be seen until the next card lies there. */
function cover(looks: HTMLElement, { x, y, width }: DOMRect, length: number): void {
  const ghost = ghostOf(plain(looks));
  ghost.style.setProperty("width", `${width}px`);
  ghost.style.setProperty("--w", `${width}px`);
  ghost.style.setProperty("transform", `translate(${x}px, ${y}px)`);
  setTimeout(() => ghost.remove(), length);
}

/** A copy that is nothing but looks. */
function plain(looks: HTMLElement): HTMLElement {
  for (const name of ["data-card", "data-place", "id"]) looks.removeAttribute(name);
  looks.setAttribute("inert", "");
  looks.className = looks.className.replace(/\b(lit|picked|dim|pointed)\b/g, "");
  return looks;
}

function send(
  looks: HTMLElement,
  from: DOMRect,
  to: DOMRect,
  [delay, duration]: [number, number],
  landing: HTMLElement | null,
): void {
  const ghost = ghostOf(plain(looks));
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

/** How long cards of an event are on their way. */
export function flightTime(event: Event, pace: number): number {
  const all = flights([event]).length;
  return all && all <= MOST && !still() ? pace * (FLIGHT + (all - 1) * Math.min(STAGGER, 900 / all)) : 0;
}

/** Let the cards of an event shine where they lie, before they go. */
export function flash(event: Event, length: number): void {
  const seen = new Set<Element>();
  for (const { from } of flights([event])) {
    const card = from.zone === null ? null : spot(from, seen, false)?.copy;
    if (!card || card.classList.contains("chip")) continue;
    const glow = { boxShadow: "0 0 0 3px var(--gold), 0 0 18px 5px var(--gold)" };
    const lift = still() ? {} : { transform: "translateY(-3px) scale(1.04)" };
    card.animate([still() ? glow : {}, { ...glow, ...lift, offset: 0.4 }, glow], { duration: length });
  }
}

/** Something heavy has come down. */
export function shake(): void {
  const table = document.querySelector<HTMLElement>(".felt .layout");
  if (!table || still() || document.hidden) return;
  const by = (x: number, y: number): Keyframe => ({ transform: `translate(${x}px, ${y}px)` });
  table.animate([by(0, 0), by(0, SHAKE), by(-SHAKE, 0), by(1, -1), by(0, 0)], { duration: 180 });
}

/** A few letters that rise from where something happened, and fade. */
export function burst(text: string, where: string | null, strong: boolean, pace: number): void {
  const home =
    (where && document.querySelector(`[data-zone="${CSS.escape(where)}"]`)) ||
    document.querySelector(".felt .main strong");
  if (!home || still() || document.hidden) return;
  const box = home.getBoundingClientRect();
  const letters = ghostOf(document.createElement("b"));
  letters.firstElementChild!.textContent = text;
  letters.classList.add("burst", ...(strong ? ["strong"] : []));
  // Over cards and over numbers, which may become wider: on neither.
  const x = Math.min(innerWidth - 90, Math.max(20, box.x + box.width / 2));
  const y = Math.max(40, where ? box.y : box.y - HIGH);
  const at = (dy: number, scale: number): string => `translate(${x}px, ${y + dy}px) scale(${scale})`;
  letters.animate(
    [
      { transform: at(10, 0.6), opacity: 0 },
      { transform: at(-6, strong ? 1.35 : 1.1), opacity: 1, offset: 0.2 },
      { transform: at(-14, strong ? 1.2 : 1), opacity: 1, offset: 0.7 },
      { transform: at(-44, 1), opacity: 0 },
    ],
    { duration: 1100 * Math.max(0.4, pace) },
  ).onfinish = () => letters.remove();
}

// Triangles that cover a rectangle, in percent of it.
const SHARDS = [
  "0 0,34 0,20 55",
  "34 0,68 0,50 60",
  "68 0,100 0,80 45",
  "0 0,20 55,0 100",
  "20 55,34 0,50 60",
];
const MORE = [
  "50 60,68 0,80 45",
  "100 0,100 100,80 45",
  "0 100,20 55,45 100",
  "20 55,50 60,45 100",
  "50 60,80 45,72 100",
];
const LAST = ["45 100,50 60,72 100", "80 45,100 100,72 100"];

/** The number in the middle of the table breaks into pieces. */
export function shatter(pace: number): void {
  const number = document.querySelector<HTMLElement>(".felt .main strong");
  if (!number || still() || document.hidden) return;
  const box = number.getBoundingClientRect();
  const style = getComputedStyle(number);
  const length = 1300 * pace;
  for (const shard of [...SHARDS, ...MORE, ...LAST]) {
    const points = shard.split(",").map((point) => point.split(" ").map(Number) as [number, number]);
    const piece = ghostOf(document.createElement("b"));
    const words = piece.firstElementChild as HTMLElement;
    words.textContent = number.textContent;
    piece.classList.add("shard");
    for (const part of ["font-family", "font-size", "font-weight", "line-height"])
      piece.style.setProperty(part, style.getPropertyValue(part));
    piece.style.setProperty("clip-path", `polygon(${points.map(([x, y]) => `${x}% ${y}%`).join()})`);
    const [x, y] = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis]!, 0) / 3 - 50) as [
      number,
      number,
    ];
    const fall = 60 + Math.random() * 90;
    const from = `translate(${box.x}px, ${box.y}px)`;
    piece.animate(
      [
        { transform: from, opacity: 1 },
        { transform: `${from} translate(${x * 0.12}px, ${y * 0.12}px)`, opacity: 1, offset: 0.18 },
        {
          transform: `${from} translate(${(x * box.width) / 55}px, ${y * 0.9 + fall}px) rotate(${x * 1.6}deg)`,
          opacity: 0,
        },
      ],
      { duration: length, easing: "cubic-bezier(.3,0,.7,1)", fill: "forwards" },
    ).onfinish = () => piece.remove();
  }
  number.animate([{ opacity: 0 }, { opacity: 0, offset: 0.7 }, { opacity: 1 }], { duration: length });
}

/** Something drawn over the page that nobody can touch. */
function ghostOf(looks: HTMLElement): HTMLElement {
  const ghost = document.createElement("div");
  ghost.className = "ghost";
  ghost.setAttribute("aria-hidden", "true");
  ghost.append(looks);
  document.body.append(ghost);
  setTimeout(() => ghost.remove(), 4000); // where animations do not run
  return ghost;
}

/** What a player takes from the number in the middle of the table flies to their score. */
export function award(event: Event, pace: number): void {
  const from = document.querySelector<HTMLElement>(".felt .main strong");
  const to = document.querySelector<HTMLElement>(`.felt [data-seat="${event.seat ?? ""}"] .score`);
  if (typeof event.amount !== "number" || !from || !to || document.hidden || still()) return;
  const looks = document.createElement("b");
  looks.textContent = `+${digits(event.amount)}`;
  looks.className = "award";
  const [start, end] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
  const width = 2 * end.width; // it begins twice as large as it ends, however long the numbers are
  const begin = new DOMRect(start.x + start.width / 2 - width / 2, start.y, width, start.height);
  send(looks, begin, end, [0, 700 * pace], null);
}
