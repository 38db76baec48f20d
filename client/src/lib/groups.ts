// Which groups of cards are marked on the table, and where: brackets from the boxes of cards. Knows no game.
import { isFront } from "./arrange";
import { choicesWith, type Place } from "./offers";
import type { Group, View } from "./types";
import { render } from "./words";

/** A bracket under cards that lie side by side; one of each group in a zone has its words. */
export type Bracket = {
  left: number;
  top: number;
  width: number;
  lane: number; // further brackets under the same cards are above the first
  kind: number; // groups differ in colour and line
  label: string;
  shift: number; // of the label, so that it stays on the table
};
export type Box = { left: number; top: number; width: number; height: number };

const KINDS = 3;
const LANE = 15;
const LETTER = 7.8; // about as wide as one is in a label

/** What picking or pointing would make: the groups of choices, and what each is worth. */
export function previews(view: View, picked: Place[], pointed: Place[]): Group[] {
  const marked = pointed.length ? pointed : picked;
  const used = new Set<string>();
  return choicesWith(view, marked)
    .sort((one, other) => (other.points ?? 0) - (one.points ?? 0))
    .filter((choice) => {
      const keys = choice.cards.map((at) => `${choice.zone}|${at}`);
      if (keys.some((key) => used.has(key))) return false;
      keys.forEach((key) => used.add(key));
      return true;
    })
    .map((choice) => ({ label: choice.label, cards: { [choice.zone]: choice.cards }, seat: view.seat }));
}

/** The groups to mark: what would be made, else the viewer's own; over common cards, those of who acts. */
export function shown(view: View, wanted: Group[]): Group[] {
  if (wanted.length) return wanted;
  const actor = view.actors.length === 1 ? view.actors[0]! : null;
  const focus = actor !== null && view.groups.some((group) => group.seat === actor) ? actor : view.seat;
  const common = new Set(view.zones.filter((zone) => zone.owner === null).map((zone) => zone.id));
  const before = new Set(view.zones.filter(isFront).map((zone) => zone.id)); // they say it themselves
  return view.groups
    .map((group) => {
      const kept = Object.entries(group.cards).filter(
        ([zone]) => !before.has(zone) && (!common.has(zone) || group.seat === focus),
      );
      return { ...group, cards: Object.fromEntries(kept) };
    })
    .filter((group) => Object.keys(group.cards).length);
}

/** The brackets of groups on a table of some width, where `box` says where a card lies. */
export function brackets(
  groups: Group[],
  names: string[],
  wide: number,
  box: (zone: string, at: number) => Box | null,
): Bracket[] {
  const found: Bracket[] = [];
  groups.forEach((group, number) => {
    const label = render(group.label, names);
    const half = (LETTER * label.length + 12) / 2;
    for (const [zone, places] of Object.entries(group.cards)) {
      const runs = runsOf(places.map((at) => box(zone, at)).filter((one) => one !== null));
      const widest = runs.toSorted((one, other) => other.width - one.width)[0];
      const lane = Math.max(-1, ...runs.map((run) => highest(found, run, run === widest ? half : 0))) + 1;
      for (const run of runs) {
        const middle = run.left + run.width / 2;
        found.push({
          left: run.left,
          top: run.top + run.height - LANE * lane,
          width: run.width,
          lane,
          kind: number % KINDS,
          label: run === widest ? label : "",
          shift: Math.max(half, Math.min(wide - half, middle)) - middle,
        });
      }
    }
  });
  return found;
}

/** Boxes that touch or overlap in a row, joined. */
function runsOf(boxes: Box[]): Box[] {
  const runs: Box[] = [];
  for (const one of boxes.toSorted((a, b) => a.top - b.top || a.left - b.left)) {
    const last = runs.at(-1);
    if (last && Math.abs(last.top - one.top) < 4 && one.left - (last.left + last.width) < one.width * 0.35)
      last.width = Math.max(last.width, one.left + one.width - last.left);
    else runs.push({ ...one });
  }
  return runs;
}

/** The highest lane that is taken under a run and its label, -1 if none is. */
function highest(found: Bracket[], run: Box, half: number): number {
  const wing = (one: { width: number }, label: boolean): number =>
    label ? Math.max(one.width / 2, half) : one.width / 2;
  const meets = found.filter(
    (one) =>
      Math.abs(one.left + one.width / 2 - run.left - run.width / 2) <
        wing(run, half > 0) + wing(one, !!one.label) - 4 &&
      Math.abs(one.top + LANE * one.lane - run.top - run.height) < 4,
  );
  return Math.max(-1, ...meets.map((one) => one.lane));
}
