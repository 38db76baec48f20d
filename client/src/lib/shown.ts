// What a player was shown: the faces of cards, and dice, as they came. The same as fairness/keeping.py keeps; the
// comparison with the record needs the rules for most of it, which `ninefold verify --commitments` knows.
import type { Beat, TableEvent, TableView, View, Zone } from "./types";

export type Cards = Record<string, string>; // by zone
/** With the event, and how many commands this player had sent by then. */
export type Sight<What> = [number, number, What];
export type Message = { seq: number; events?: TableEvent[]; table?: TableView; view?: View | null };
export type Seen = { match: number; seq: number; sights: Cards[]; rolls: string[] };
const UNKNOWN = "?";

/** Follows the messages of a table. */
export class Watcher {
  #zones: Cards | null = null; // if they are known
  #seq = -1;
  #last = ""; // what was seen, to tell whether anything has changed

  /** What a message shows, beat by beat; the last beat of one with a view has no changes. */
  hear({ seq, events = [], table, view }: Message, isWelcome: boolean): Seen | null {
    const first = events[0]?.seq ?? seq;
    if (isWelcome || first > this.#seq + 1) this.#zones = null; // something may be missing
    const news = isWelcome ? [] : events.filter((event) => event.seq > this.#seq || event.quiet);
    this.#seq = Math.max(seq, this.#seq);
    if (!table) {
      this.#zones = null;
      return null;
    }
    const [sights, rolls]: [Cards[], string[]] = [[], []];
    for (const event of news) {
      if (!["moved", "rolled"].includes(event.kind)) this.#zones = null;
      if (event.kind === "started") sights.length = rolls.length = 0; // of the match before
      for (const beat of event.beats) {
        rolls.push(...thrown(beat));
        if (!this.#zones || !beat.changes) continue;
        for (const zone of [...(beat.changes.gone ?? []), ...(beat.changes.zones ?? []).map(({ id }) => id)])
          delete this.#zones[zone];
        this.#zones = { ...this.#zones, ...faces(beat.changes.zones ?? []) };
        this.#look(sights);
      }
    }
    this.#zones = view ? faces(view.zones) : null;
    this.#look(sights);
    return sights.length || rolls.length ? { match: table.match, seq, sights, rolls } : null;
  }

  #look(sights: Cards[]): void {
    const now = JSON.stringify(this.#zones);
    if (this.#zones && now !== this.#last) sights.push({ ...this.#zones });
    this.#last = now;
  }
}

const thrown = ({ events }: Beat): string[] =>
  events.flatMap(({ dice }) => (dice?.length ? [[...dice].sort().join(" ")] : []));

/** The cards of all zones in which some are known. */
function faces(zones: Zone[]): Cards {
  const found: Cards = {};
  for (const { id, cards } of zones) {
    const known = (cards ?? []).map(({ card }) => card ?? UNKNOWN);
    if (known.some((card) => card !== UNKNOWN)) found[id] = known.join(" ");
  }
  return found;
}

/** Which zones differ from those that were kept last. */
export function changed(kept: Sight<Cards>[], now: Cards): Cards {
  const last = together(kept).at(-1) ?? {};
  const zones = [...new Set([...Object.keys(last), ...Object.keys(now)])];
  return Object.fromEntries(
    zones.filter((zone) => (now[zone] ?? "") !== (last[zone] ?? "")).map((zone) => [zone, now[zone] ?? ""]),
  );
}

/** All that was seen at each moment. */
export function together(kept: Sight<Cards>[]): Cards[] {
  let all: Cards = {};
  return kept.map(([, , zones]) => (all = { ...all, ...zones }));
}

const ROLL = "roll ";
const OWN_CARDS = 2; // of a hand that nobody else has seen

/** The first thing seen that the record does not have, as far as this shows without the rules. */
export function missing(
  journal: [string, ...unknown[]][],
  shown: Sight<Cards>[],
  rolled: Sight<string>[],
  known: number,
): string {
  const draws = journal.filter(([kind]) => kind === "draw");
  const rolls = draws.map(([, text]) => String(text)).filter((text) => text.startsWith(ROLL));
  let at = 0;
  for (const [, sent, roll] of rolled) {
    while (at < rolls.length && rolls[at] !== ROLL + roll) at++;
    if (at++ >= rolls.length && sent < known) return `the roll ${roll}`;
  }
  if (typeof draws[0]?.[2] !== "number") return "";
  const decks: string[][] = [];
  for (const [, text, deck] of draws) (decks[Number(deck)] ??= []).push(String(text).split(" ")[1]!);
  const fits = (cards: string[]): boolean =>
    decks.some((deck) => {
      const strange = cards.filter((card) => !deck.includes(card)).length;
      return strange <= Math.min(OWN_CARDS, deck.filter((card) => card === "??").length);
    });
  const all = together(shown);
  for (const [number, zones] of all.entries()) {
    const cards = Object.values(zones).flatMap((cards) =>
      cards.split(" ").filter((card) => card && card !== UNKNOWN),
    );
    if (!fits(cards) && shown[number]![1] < known) return `the cards ${cards.join(" ")}`;
  }
  return "";
}
