// Cards that fly from zone to zone. Works on what is drawn: elements say which zone and card they are.
import { tick } from "svelte";
import type { Told } from "./model";

const STAGGER = 55;
const FLIGHT = 420;
const MOST = 100;

export const still = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

const zone = (name: string): HTMLElement | null => document.querySelector(`[data-zone="${CSS.escape(name)}"]`);

type Spot = { box: DOMRect; copy: HTMLElement | null };

function middle(element: HTMLElement, width: number): DOMRect {
  const box = element.getBoundingClientRect();
  const height = width * 1.4;
  return new DOMRect(box.x + box.width / 2 - width / 2, box.y + box.height / 2 - height / 2, width, height);
}

/** Where a card of a zone is, by its text or its place; else the middle of the zone, or of the table. */
function spot(name: string, card: string | null, place: number | undefined, used: Set<Element>, last: boolean): Spot | null {
  const home = zone(name);
  if (!home) {
    const felt = document.querySelector<HTMLElement>(".felt .centre");
    return felt && { box: middle(felt, 36), copy: null };
  }
  const chip = home.querySelector<HTMLElement>(".chip");
  if (chip) return { box: chip.getBoundingClientRect(), copy: chip };
  const all = [...home.querySelectorAll<HTMLElement>("[data-card]")].filter((one) => !used.has(one) && one.offsetWidth > 0);
  // Places are those of a grid, on whichever side it is.
  let found = place === undefined || !home.querySelector(".grid") ? undefined : home.querySelector<HTMLElement>(`[data-place="${place}"]`);
  if (!found && card !== null) found = last ? all.findLast((one) => one.dataset["card"] === card) : all.find((one) => one.dataset["card"] === card);
  if (!found && card === null) found = last ? all.at(-1) : all[0];
  if (!found?.offsetWidth) return { box: middle(home, Math.min(40, home.clientWidth || 40)), copy: null };
  used.add(found);
  return { box: found.getBoundingClientRect(), copy: found };
}

/** Remember where cards are, show the new table, and let the cards that moved fly there. */
export async function fly(told: Told[], show: () => void): Promise<void> {
  const moves = told.flatMap((one) =>
    one.from && one.to && one.from !== one.to
      ? (one.cards ?? [null]).map((card, at) => ({ from: one.from!, to: one.to!, card, place: one.places?.[at] }))
      : [],
  );
  if (!moves.length || moves.length > MOST || document.hidden || still()) {
    show();
    return;
  }
  const used = new Set<Element>();
  const starts = moves.map((move) => {
    const at = spot(move.from, move.card, move.place, used, false);
    return at && { box: at.box, copy: (at.copy?.cloneNode(true) as HTMLElement | undefined) ?? null };
  });
  show();
  await tick();
  const taken = new Set<Element>();
  const step = Math.min(STAGGER, 900 / moves.length);
  moves.forEach((move, number) => {
    const start = starts[number];
    const end = spot(move.to, move.card, move.place, taken, true);
    if (!start || !end) return;
    const looks = (end.copy?.cloneNode(true) as HTMLElement | undefined) ?? start.copy;
    if (!looks) return;
    send(looks, start.box, end.box, number * step, looks.classList.contains("chip") ? null : end.copy);
  });
}

function send(looks: HTMLElement, from: DOMRect, to: DOMRect, delay: number, landing: HTMLElement | null): void {
  const ghost = document.createElement("div");
  ghost.className = "ghost";
  ghost.setAttribute("aria-hidden", "true");
  looks.removeAttribute("data-card");
  looks.removeAttribute("data-place");
  looks.removeAttribute("id");
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
  const timing = { duration: FLIGHT, delay, easing: "cubic-bezier(.3,.1,.2,1)", fill: "forwards" as const };
  ghost.style.setProperty("opacity", "0"); // until it leaves
  landing?.animate([{ opacity: 0 }, { opacity: 0 }], { duration: FLIGHT + delay - 16 });
  ghost.animate(
    [
      { transform: `translate(${from.x}px, ${from.y}px) scale(${scale})`, opacity: 1 },
      { transform: `translate(${from.x + dx / 2}px, ${from.y + dy / 2 - lift}px) scale(${(scale + 1) / 2}) rotate(${dx > 0 ? 5 : -5}deg)` },
      { transform: `translate(${to.x}px, ${to.y}px) scale(1)`, opacity: 1 },
    ],
    timing,
  ).onfinish = () => ghost.remove();
  setTimeout(() => ghost.remove(), FLIGHT + delay + 400);
}
