// Where buttons stand, so that what comes next does not lie where something else has just been pressed. Pure: it
// follows from what a view offers.
import { numbers, type Action } from "./offers";
import type { View } from "./types";

const BETTING = 3; // what gives up, what goes on, and a number

/** Whether the viewer bets: moves with a number and those without have columns of their own. */
export const bets = (view: View): boolean =>
  numbers(view).length > 0 ||
  (view.seat !== null && view.zones.some((zone) => zone.kind === "chips" && zone.owner === view.seat));

/** The buttons with the places between them that stay empty. */
export function lanes(view: View, acts: Action[]): (Action | null)[] {
  if (bets(view)) {
    const full = acts.length + numbers(view).length >= BETTING || !acts.length || acts[0]!.final;
    const found = full ? acts : [null, ...acts];
    return [...found, ...Array<null>(Math.max(0, BETTING - found.length - numbers(view).length)).fill(null)];
  }
  // What standing orders speak of comes again and again: each has its place, and what is asked between has the first.
  const named = new Set(view.orders.flatMap(({ move, then }) => [move, ...(then ? [then] : [])]));
  const places = [...named];
  if (!places.length || acts.some((one) => one.confirm) || acts.length > places.length) return acts;
  const found: (Action | null)[] = places.map(() => null);
  const free = acts.filter((one) => !named.has(one.move));
  for (const one of acts) if (named.has(one.move)) found[places.indexOf(one.move)] = one;
  return found.map((one) => one ?? free.shift() ?? null);
}
