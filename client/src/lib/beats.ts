// From beats to steps: what is said, what is shown and for how long. Pure, and knows no game: everything follows
// from the typed events and from what differs between two looks at a table.
import type { Beat, Changes, Event, Group, Status, View, Zone } from "./types";
import { digits } from "./words";

/** One event on the stage. Times are in milliseconds at normal speed. */
export type Step = {
  event: Event | null;
  before: View; // shown while cards only shine
  view: View; // shown as it begins
  landed: View | null; // shown once its dice lie still
  lead: number; // how long the cards it is about shine before they move
  throws: number; // how long the dice are in the air
  length: number;
  /** a big moment: its words are large until it has been seen */
  big: boolean;
  /** a roll that costs what was at stake: it stays in sight, broken */
  broken: boolean;
  /** what it brought, in a few letters: +25, ×2 */
  gain: string;
  /** one of the sealed decisions of everybody: their seats show it, and it is not worth a caption */
  aside: boolean;
};

const QUIET = 120;
const DEAL = 2000; // all of a run of quiet steps together, at most
const WORDS = 650;
const ASIDE = 300;
const ORDINARY = 1000;
const SHOWN = 1300; // one of several big moments of a beat, such as hands at a showdown
const HOLD = 2500;
const TOGETHER = 260; // one of several players who get something at the same time
const LEAD = 320;
export const THROW = 700;
const WATCHED = 600; // a roll, for those who are out and only watch
const GLANCED = 400; // and what changes nothing on the table
const READ = 550; // after dice have landed
const PER_LETTER = 14; // beyond a short line
const SHORT = 46;
const PARAMETER = /\{[^{}]*\}/g;

/** The table after a beat, from the table before it. As `apply_changes` in model/events.py. */
export function applyChanges(view: View, changes: Changes): View {
  const fresh = new Map((changes.zones ?? []).map((zone) => [zone.id, zone]));
  const gone = new Set(changes.gone ?? []);
  const zones = view.zones.filter((zone) => !gone.has(zone.id)).map((zone) => fresh.get(zone.id) ?? zone);
  for (const zone of zones) fresh.delete(zone.id);
  const seats = new Map((changes.seats ?? []).map((seat) => [seat.seat, seat]));
  return {
    ...view,
    phase: changes.phase ?? view.phase,
    prompt: changes.prompt ?? view.prompt,
    zones: [...zones, ...fresh.values()],
    counters: changes.counters ?? view.counters,
    groups: changes.groups ?? view.groups,
    legend: changes.legend ?? view.legend,
    goal: changes.goal ?? view.goal,
    progress: changes.progress ?? view.progress,
    seats: view.seats.map((seat) => seats.get(seat.seat) ?? seat),
  };
}

/** A table on which nothing can be done: what is shown while beats are played. */
export const inert = (view: View): View => ({
  ...view,
  offers: [],
  orders: [],
  moves: [],
  over: false,
  winners: [],
});

/** The table before the first beat of a match, as far as it can be known from the table after the last. */
export function emptied(view: View, beats: Beat[]): View {
  const changed = new Set(beats.flatMap((beat) => beat.changes?.zones ?? []).map((zone) => zone.id));
  const bare = (zone: Zone): Zone => ({
    ...zone,
    cards: zone.cards ? [] : (zone.cards ?? null),
    dice: zone.dice ? [] : (zone.dice ?? null),
    count: typeof zone.count === "number" ? 0 : (zone.count ?? null),
  });
  return inert({
    ...view,
    actors: [],
    zones: view.zones.map((zone) => (changed.has(zone.id) ? bare(zone) : zone)),
    counters: beats.some((beat) => beat.changes?.counters)
      ? view.counters.map((one) => ({ ...one, value: 0 }))
      : view.counters,
    groups: [],
    seats: view.seats.map((seat) => ({ ...seat, hand: null })),
  });
}

/** Where dice decide, the last step before a counter is full is felt by everybody. */
export const isTense = (view: View): boolean =>
  view.zones.some((zone) => zone.kind === "dice" && zone.owner === null) &&
  view.counters.some((one) => one.goal !== null && one.goal > 1 && one.value === one.goal - 1);

const moving = (event: Event): boolean => !!event.moves?.length;
const rolls = (event: Event): boolean => !!event.dice?.length;
const counts = (event: Event): boolean =>
  moving(event) || rolls(event) || !!event.cards?.length || typeof event.amount === "number" || !!event.hold;
/** A card that nobody here may see has nothing to be looked at. */
const unseen = ({ moves }: Event): boolean =>
  !!moves?.length && moves.every(({ cards }) => !!cards?.length && cards.every((card) => card === null));
const differ = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);

/** When the parts of a table change: the number of the event that each belongs to. */
function schedule(before: View, events: Event[], after: View) {
  const last = (test: (event: Event) => boolean): number => events.findLastIndex(test);
  const rest = Math.max(
    0,
    last(rolls),
    last((event) => counts(event) && !(event.hold && !moving(event))),
  );
  // A big moment is over before what comes next is announced, or begins.
  const announced = events.findIndex((event, at) => at > rest && !counts(event));
  const next = !events[rest]?.hold ? rest : announced >= 0 ? announced : events.length;
  const ofZone = (zone: Zone): number => {
    const moved = last(
      (event) => !!event.moves?.some((move) => move.from === zone.id || move.to === zone.id),
    );
    if (moved >= 0) return moved;
    if (zone.kind === "dice" && last(rolls) >= 0) return last(rolls);
    if (zone.owner === null) return rest;
    const shown = last((event) => event.seat === zone.owner && !!event.cards?.length);
    return shown >= 0 ? shown : rest;
  };
  const ofSeat = (seat: number): number => {
    const found = last((event) => (event.seat === seat || event.other === seat) && counts(event));
    return found >= 0 ? found : next;
  };
  const zones = new Map<string, number>();
  for (const zone of [...before.zones, ...after.zones]) zones.set(zone.id, ofZone(zone));
  /** Where cards only turn over, what they make is said with them. */
  const ofHand = (seat: number): number =>
    last((event) => event.seat === seat && !!event.cards?.length && !rolls(event) && !moving(event));
  const had = new Map(before.zones.map((zone) => [zone.id, zone]));
  const stays = new Set(
    after.zones.filter((zone) => !differ(had.get(zone.id)?.cards, zone.cards)).map((zone) => zone.id),
  );
  const hands = before.seats.map((seat) => ofHand(seat.seat));
  return { rest, next, zones, stays, hands, seats: before.seats.map((seat) => ofSeat(seat.seat)) };
}

/** The table in the middle of a beat, with the parts that belong to the events up to one. */
function between(
  before: View,
  after: View,
  when: ReturnType<typeof schedule>,
  at: number,
  last: boolean,
): View {
  if (last && when.next <= at) return after;
  const had = new Map(before.zones.map((zone) => [zone.id, zone]));
  const has = new Map(after.zones.map((zone) => [zone.id, zone]));
  const ids = [...after.zones, ...before.zones.filter((zone) => !has.has(zone.id))].map((zone) => zone.id);
  const general = when.rest <= at ? after : before;
  const words = when.next <= at ? after : before;
  const made = ({ cards, seat }: Group): boolean => {
    const shown = typeof seat === "number" ? (when.hands[seat] ?? -1) : -1;
    return Object.keys(cards).every((zone) =>
      shown >= 0 && when.stays.has(zone) ? shown <= at : (when.zones.get(zone) ?? when.rest) <= at,
    );
  };
  return {
    ...before,
    phase: words.phase,
    prompt: words.prompt,
    counters: general.counters,
    progress: words.progress,
    groups: [...after.groups.filter(made), ...before.groups.filter((group) => !made(group))],
    zones: ids.flatMap((id) => (when.zones.get(id)! <= at ? has : had).get(id) ?? []),
    seats: before.seats.map((seat, number) => {
      const now = when.seats[number]! <= at ? (after.seats[number] ?? seat) : seat;
      const known = when.hands[number]! >= 0 && when.hands[number]! <= at && after.seats[number]?.hand;
      return { ...now, hand: known || now.hand, marks: (words.seats[number] ?? seat).marks };
    }),
  };
}

/** A zone that changes again later in its beat shows what has come to it so far. */
function withArrivals(view: View, event: Event, later: (zone: string) => boolean): View {
  const patch = (zone: Zone): Zone => {
    let cards = zone.cards;
    for (const move of event.moves ?? []) {
      if (move.to !== zone.id || !cards || !later(zone.id)) continue;
      for (const [number, card] of (move.cards ?? []).entries()) {
        if (card === null) continue;
        const place = move.target_places?.[number];
        if (zone.kind === "grid" && place !== undefined)
          cards = cards.map((one, at) => (at === place ? { card, up: true } : one));
        else if (zone.kind === "pile") cards = [{ card, up: true }, ...cards];
      }
    }
    return cards === zone.cards ? zone : { ...zone, cards: cards ?? null };
  };
  return { ...view, zones: view.zones.map(patch) };
}

function withDice(view: View, event: Event): View {
  const dice = view.zones.filter((zone) => zone.kind === "dice");
  const chosen =
    dice.find((zone) => zone.owner !== null && zone.owner === event.seat) ??
    dice.find((zone) => zone.owner === null) ??
    dice[0];
  if (!chosen) return view;
  const zones = view.zones.map((zone) => (zone === chosen ? { ...zone, dice: event.dice ?? [] } : zone));
  return { ...view, zones };
}

/** Cards that go somewhere for points, or in a big moment, shine first. */
const leads = (event: Event): boolean =>
  !event.quiet &&
  !rolls(event) &&
  (!!event.hold || typeof event.amount === "number") &&
  !!event.moves?.some((move) => move.from !== null && move.cards?.length);

/** Events that belong to one moment, such as those of all who are paid. */
const joins = (event: Event, next: Event | undefined): boolean =>
  !!next && next.kind === event.kind && typeof event.amount === "number" && !event.hold && !moving(event);

/** What an event brought: twice as much, points that count, or only how much it is about. */
function gainOf(event: Event, before: View, after: View): string {
  const { amount, seat } = event;
  if (typeof amount !== "number" || !amount || event.hold) return "";
  const [had, has] = [before.counters[0]?.value ?? 0, after.counters[0]?.value ?? 0];
  if (rolls(event)) return had > 0 && has === 2 * had && alike(event) ? "×2" : `+${digits(amount)}`;
  if (!moving(event) || !event.cards?.length) return "";
  const score = (view: View): number | undefined => view.seats.find((one) => one.seat === seat)?.score;
  if (amount < 0) return `−${digits(-amount)}`;
  return score(before) === score(after) ? digits(amount) : `+${digits(amount)}`;
}
/** Dice that all show the same. */
export const alike = (event: Event): boolean =>
  (event.dice?.length ?? 0) > 1 && event.dice!.every((die) => die === event.dice![0]);

/** A big moment with what came of it: there is something to tell, and nobody has to be quick meanwhile. */
export const isStory = ({ events }: Beat): boolean =>
  events.some((event, at) => event.hold && events.slice(at + 1).some(({ amount }) => !!amount));

function lengthOf(event: Event, next: Event | undefined, aside: boolean): number {
  if (event.quiet) return QUIET;
  if (joins(event, next)) return TOGETHER;
  const text = (typeof event.text === "string" ? event.text : event.text.text).replace(PARAMETER, "1234567");
  const reading = Math.min(900, Math.max(0, text.length - SHORT) * PER_LETTER);
  const thrown = rolls(event) ? THROW : leads(event) ? LEAD : 0;
  if (event.hold) return thrown + (next?.hold ? SHOWN : HOLD);
  if (rolls(event)) return thrown + READ + reading;
  if (counts(event) && !unseen(event)) return thrown + ORDINARY + reading;
  return aside ? ASIDE : WORDS + reading;
}

/** What is shown of one beat. Each event has its step, and brings the parts of the table that belong to it. */
export function stepsOf(before: View, beat: Beat, after: View): Step[] {
  const { events } = beat;
  const plain = { landed: null, lead: 0, throws: 0, big: false, broken: false, gain: "", aside: false };
  if (!events.length)
    return differ(before, after) ? [{ event: null, before, view: after, length: 0, ...plain }] : [];
  const when = schedule(before, events, after);
  const everybody = before.waiting_for === "everyone";
  const lit = (view: View, event: Event): View =>
    typeof event.seat === "number" ? { ...view, actors: [event.seat] } : { ...view, actors: [] };
  const found: Step[] = [];
  events.forEach((event, at) => {
    const last = at === events.length - 1;
    const later = (zone: string): boolean => when.zones.get(zone)! > at;
    const shown = withArrivals(lit(between(before, after, when, at, last), event), event, later);
    const broken = rolls(event) && !!event.hold && when.rest <= at;
    const held = at ? found.at(-1)! : null;
    const aside = everybody && !counts(event);
    const step: Step = {
      event,
      before,
      view: shown,
      ...plain,
      length: lengthOf(event, events[at + 1], aside),
      lead: leads(event) ? LEAD : 0,
      big: !!event.hold,
      broken,
      gain: gainOf(event, before, after),
      aside: aside && typeof event.seat === "number",
    };
    if (step.aside) step.length = QUIET;
    const base = held ? (held.landed ?? held.view) : before;
    step.before = lit(base, event);
    if (rolls(event)) {
      step.view = withDice(lit(base, event), event);
      step.landed = broken ? null : withDice(shown, event);
      step.throws = THROW;
    }
    found.push(step);
  });
  const end = found.at(-1)!;
  if (end.broken || when.next >= events.length)
    found.push({ event: null, before, view: after, length: 0, ...plain });
  return found;
}

/** Steps that only deal follow each other faster the more there are. */
export function hurried(steps: Step[]): Step[] {
  const quiet = steps.filter((step) => step.event?.quiet).length;
  const each = Math.min(QUIET, DEAL / Math.max(1, quiet));
  return steps.map((step) => (step.event?.quiet ? { ...step, length: each } : step));
}

/** A step for those who are out: others' rolls follow each other quickly, and big moments stay. */
export function watched(step: Step): Step {
  if (step.big || step.event?.quiet) return step;
  if (step.throws) return { ...step, throws: 0.6 * WATCHED, length: WATCHED };
  return { ...step, length: step.event && counts(step.event) ? WATCHED : Math.min(step.length, GLANCED) };
}

/** Statuses of players who have nothing to decide until the next round. */
export const OUT: Status[] = ["out", "folded", "sitting_out", "broke", "left"];
