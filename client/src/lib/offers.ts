// What a person can do now: the offers of a view as actions, and the cards they are made with. Pure.
import { SUITS, face, written } from "./cards";
import type { Choice, Number as NumberOffer, Order, Selection, Text, View, Zone } from "./types";
import { capital, digits, render } from "./words";

export type Place = { zone: string; at: number };
export type Action = {
  key: string;
  label: string;
  move: string;
  hint: string;
  cards: Place[];
  /** it is made with the cards that are picked */
  fits: boolean;
  /** the player it is for */
  seat: number | null;
  /** a key has to be pressed twice */
  final: boolean;
  /** what it may cost: it has to be held down */
  confirm: string;
  /** its moment has come */
  lit: boolean;
  /** the zone that means it when touched as a whole */
  zone: string | null;
};
/** What a touch of a whole zone does: a move, or it says what the next cards are picked for. */
export type Touch = { label: string; move: string | null; armed: boolean };

const LISTED = 5; // up to this many labelled selections are simply listed
const KEPT = new Set(["?", "/", "h", "u"]); // keys that mean the same in every game

export const selections = (view: View): Selection[] =>
  view.offers.filter((offer): offer is Selection => offer.kind === "cards");
export const numbers = (view: View): NumberOffer[] =>
  view.offers.filter((offer): offer is NumberOffer => offer.kind === "number");
export const zoneOf = (view: View, id: string): Zone | undefined => view.zones.find((zone) => zone.id === id);

/** The ranks at some places: all that counts where cards are alike. */
const faces = (view: View, zone: string, at: number[]): string[] => {
  const cards = zoneOf(view, zone)?.cards ?? [];
  return at.map((place) => face(String(cards[place]?.card)).rank).sort();
};

/** Whether a choice can be made of these cards and, perhaps, others. */
function holds(view: View, offer: Selection, choice: Choice, picked: number[]): boolean {
  if (!offer.alike) return picked.every((at) => choice.cards.includes(at));
  const left = faces(view, offer.zone, choice.cards);
  for (const one of faces(view, offer.zone, picked)) {
    const found = left.indexOf(one);
    if (found < 0) return false;
    left.splice(found, 1);
  }
  return true;
}

const fits = (view: View, offer: Selection, choice: Choice, picked: number[]): boolean =>
  picked.length > 0 && choice.cards.length === picked.length && holds(view, offer, choice, picked);

const inZone = (zone: string, picked: Place[]): number[] | null =>
  picked.every((place) => place.zone === zone) ? picked.map((place) => place.at) : null;

/** The places with which some move can be made, given what is picked already; keys are `zone|place`. */
export function lit(view: View, picked: Place[]): Set<string> {
  const found = new Set<string>();
  const grows = selections(view).some((offer) => {
    const at = inZone(offer.zone, picked);
    return (
      at !== null &&
      offer.choices.some((choice) => choice.cards.length > at.length && holds(view, offer, choice, at))
    );
  });
  if (!grows) picked = []; // nothing can be added: another card begins anew
  for (const offer of selections(view)) {
    const at = inZone(offer.zone, picked);
    const size = zoneOf(view, offer.zone)?.cards?.length ?? 0;
    for (const choice of offer.choices) {
      if (at && at.length && !holds(view, offer, choice, at)) continue;
      for (const place of choice.cards) found.add(`${offer.zone}|${place}`);
      if (!offer.alike) continue;
      const wanted = faces(view, offer.zone, choice.cards);
      for (let place = 0; place < size; place++)
        if (wanted.includes(faces(view, offer.zone, [place])[0]!)) found.add(`${offer.zone}|${place}`);
    }
  }
  return found;
}

/** What is picked after a tap on a card: it joins those it goes with, else it begins anew. */
export function tap(view: View, picked: Place[], place: Place): Place[] {
  const same = picked.filter((one) => one.zone === place.zone);
  if (same.some((one) => one.at === place.at)) return same.filter((one) => one.at !== place.at);
  const more = [...same, place];
  const at = more.map((one) => one.at);
  const goes = selections(view).some(
    (offer) => offer.zone === place.zone && offer.choices.some((choice) => holds(view, offer, choice, at)),
  );
  const alone = selections(view).some(
    (offer) =>
      offer.zone === place.zone && offer.choices.some((choice) => holds(view, offer, choice, [place.at])),
  );
  return goes || !alone || !same.length ? more : [place];
}

/** What the button says that makes a choice of cards. */
export function choiceInWords(view: View, offer: Selection, choice: Choice, names: string[]): string {
  if (choice.label) return withSuits(render(choice.label, names));
  const verb = render(offer.label, names);
  const zone = zoneOf(view, offer.zone);
  if (zone?.kind === "grid") return withSuits(verb);
  const what = choice.cards
    .map((at) => {
      const card = zone?.cards?.[at];
      return card?.card && (card.up || card.seen_by === view.seat)
        ? written(card.card)
        : (zone?.places?.[at] ?? "");
    })
    .filter(Boolean)
    .join(" ");
  return what ? `${verb}: ${what}` : verb;
}

/** A move as its button says it. */
export function labelOf(view: View, move: string, names: string[]): string {
  for (const offer of view.offers) {
    if (offer.kind === "button" && offer.move === move) return withSuits(render(offer.label, names));
    const choice = offer.kind === "cards" && offer.choices.find((one) => one.move === move);
    if (choice) return choiceInWords(view, offer, choice, names);
  }
  return capital(withSuits(move));
}

/** Letters of suits after ranks become their signs: `7S` is `7♠`. */
export function withSuits(text: string): string {
  return text.replace(
    /\b(10|[A2-9JQK])([RPXWLSHDC])\b/g,
    (_, rank, suit) => rank + SUITS[suit as keyof typeof SUITS].symbol,
  );
}

/** Everything that one press does now, with what is picked. */
export function actions(view: View, picked: Place[], names: string[]): Action[] {
  const taken = new Set(KEPT);
  const found: Action[] = [];
  for (const offer of view.offers)
    if (offer.kind === "button") {
      const words = render(offer.label, names);
      found.push({
        key: free([offer.key, ...words.toLowerCase()], taken),
        label: withSuits(words),
        move: offer.move,
        hint: render(offer.hint, names),
        cards: [],
        fits: false,
        seat: null,
        final: offer.final ?? false,
        confirm: offer.confirm === null ? "" : render(offer.confirm, names),
        lit: offer.lit,
        zone: offer.zone,
      });
    }
  const chosen: Action[] = [];
  const all = selections(view);
  const few = all.reduce((sum, offer) => sum + offer.choices.length, 0) <= LISTED;
  for (const offer of all) {
    const at = inZone(offer.zone, picked);
    for (const choice of offer.choices) {
      const fit = at !== null && fits(view, offer, choice, at);
      const open = few && choice.label && (!picked.length || (at !== null && holds(view, offer, choice, at)));
      if (!fit && !open) continue;
      const key = free([...offer.verb.toLowerCase(), ..."123456789"], taken);
      const cards = choice.cards.map((place) => ({ zone: offer.zone, at: place }));
      chosen.push({
        key,
        label: choiceInWords(view, offer, choice, names),
        move: choice.move,
        hint: "",
        cards,
        fits: fit,
        seat: offer.seat,
        final: false,
        confirm: choice.confirm ? render(choice.confirm, names) : "",
        lit: false,
        zone: offer.source,
      });
    }
  }
  return [...chosen.sort((a, b) => Number(b.fits) - Number(a.fits)), ...found];
}

/** What can be touched as a whole: piles, dice, what others offer. */
export function touches(
  view: View,
  acts: Action[],
  armed: string | null,
  names: string[],
): Map<string, Touch> {
  const found = new Map<string, Touch>();
  for (const offer of selections(view))
    if (offer.source && offer.choices.length && !found.has(offer.source))
      found.set(offer.source, {
        label: `${withSuits(render(offer.label, names))}: choose cards`,
        move: null,
        armed: armed === offer.source,
      });
  for (const one of acts)
    if (one.zone && !one.confirm && (one.fits || !one.cards.length))
      found.set(one.zone, { label: one.label, move: one.move, armed: false });
  return found;
}

/** The view with only the selections that a touched zone is the source of. */
export const narrowed = (view: View, source: string | null): View =>
  source === null
    ? view
    : { ...view, offers: view.offers.filter((offer) => offer.kind !== "cards" || offer.source === source) };

/** The move that one touch of a place makes: where one is enough, its source was touched, or it is touched again. */
export function directMove(view: View, picked: Place[], place: Place, armed: boolean): string | null {
  const all = selections(view).filter((offer) => offer.zone === place.zone);
  const fitting = all.flatMap((offer) =>
    offer.choices
      .filter((choice) => choice.cards.length === 1 && choice.cards[0] === place.at)
      .map((choice) => ({ offer, choice })),
  );
  const single = all.every((offer) => offer.choices.every((choice) => choice.cards.length === 1));
  const again = single && picked.some((one) => one.zone === place.zone && one.at === place.at);
  const found = fitting.find(({ offer }) => again || (single && armed) || offer.direct);
  return found && !found.choice.confirm ? found.choice.move : null; // what is asked about is held down
}

function free(wanted: string[], taken: Set<string>): string {
  const key = [...wanted, ..."123456789abcdefgijklmnopqrstvwxyz"].find(
    (one) => one && /^[a-z0-9.]$/.test(one) && !taken.has(one),
  );
  if (key) taken.add(key);
  return key ?? "";
}

/** The choices with words that some cards belong to; without cards, those that are worth points. */
export function choicesWith(
  view: View,
  marked: Place[],
): { zone: string; cards: number[]; label: Text; points: number | null }[] {
  return selections(view).flatMap((offer) => {
    const at = inZone(offer.zone, marked);
    if (at === null) return [];
    const some = offer.choices.filter(
      ({ label, points, cards }) =>
        label && (at.length ? cards.length > 1 && holds(view, offer, { cards, move: "" }, at) : points),
    );
    const exact = some.filter((choice) => choice.cards.length === at.length);
    return (exact.length ? exact : some).map((choice) => ({
      zone: offer.zone,
      cards: exact.length ? at : offer.alike ? swapped(view, offer, choice, at) : choice.cards,
      label: typeof choice.points === "number" ? `+${digits(choice.points)}` : choice.label!,
      points: choice.points ?? null,
    }));
  });
}

/** The places of a choice, with those that are picked in place of equal cards. */
function swapped(view: View, offer: Selection, choice: Choice, picked: number[]): number[] {
  const cards = zoneOf(view, offer.zone)?.cards ?? [];
  const places = [...choice.cards];
  for (const at of picked) {
    const equal = places.findIndex((one) => !picked.includes(one) && cards[one]?.card === cards[at]?.card);
    if (!places.includes(at) && equal >= 0) places[equal] = at;
  }
  return places;
}

/** The move that is played for the person, where there is nothing to decide. As `forced` in model/view.py. */
export function forced(view: View): string | null {
  const only = view.offers.length === 1 ? view.offers[0]! : null;
  return only?.kind === "button" && only.auto ? only.move : null;
}

/** How to choose cards, where nothing is picked yet or nothing fits. */
export function advice(view: View, picked: Place[]): string {
  const wanted = selections(view).filter((offer) => offer.choices.length);
  if (!wanted.length) return "";
  const at = picked.map((place) => place.at);
  if (picked.length) {
    if (wanted.some((offer) => offer.choices.some((choice) => fits(view, offer, choice, at)))) return "";
    const going = wanted.some(
      (offer) => inZone(offer.zone, picked) && offer.choices.some((choice) => holds(view, offer, choice, at)),
    );
    return going ? "Add the cards that go with it." : "";
  }
  return matchMedia("(pointer: coarse)").matches ? "Tap cards to choose." : "Choose cards.";
}

/** What a person who taps a card that cannot be used is trying to do, as a move that the rules refuse. */
export function attempts(view: View, picked: Place[]): string[] {
  const zone = picked.length ? zoneOf(view, picked[0]!.zone) : undefined;
  if (!zone) return [];
  const what = picked.map((place) => zone.places?.[place.at] ?? zone.cards?.[place.at]?.card ?? "").join(" ");
  const verbs = selections(view)
    .filter((offer) => offer.zone === zone.id)
    .map((offer) => moveVerb(offer));
  return [...new Set(verbs)]
    .map((verb) => `${verb} ${what}`.trim())
    .filter((text) => !view.moves.includes(text));
}

/** The words before the cards in the texts of a selection's moves. */
function moveVerb(offer: Selection): string {
  const texts = offer.choices.map((choice) => choice.move.split(" "));
  const first = texts[0] ?? [];
  let common = 0;
  while (common < first.length - 1 && texts.every((words) => words[common] === first[common])) common++;
  if (texts.length > 1) return first.slice(0, common).join(" ");
  return offer.choices[0]?.move.startsWith(offer.verb) ? offer.verb : (first[0] ?? offer.verb);
}

/** The move a standing order makes in this view, or null where it is the person's turn to think. */
export function obey(order: Order, view: View, chosen: number | null): string | null {
  const bound = order.below ?? chosen;
  const counter = view.counters.find((one) => one.id === order.counter);
  if (bound === null || !counter) return null;
  const move = counter.value < bound ? order.move : order.then;
  return view.offers.some((offer) => offer.kind === "button" && offer.move === move) ? move : null;
}

/** Where a place of a grid is, for those who hear it. */
export function placeInWords(zone: Zone, at: number): string {
  const columns = zone.columns;
  if (zone.kind !== "grid" || !columns) return "";
  const [row, column] = [Math.floor(at / columns), at % columns];
  if (columns !== 3 || zone.cards?.length !== 9) return `row ${row + 1}, column ${column + 1}`;
  return at === 4 ? "centre" : `${["top", "middle", "bottom"][row]} ${["left", "middle", "right"][column]}`;
}

/** A zone in words, for those who hear it. */
export function inWords(zone: Zone): string {
  const cards = zone.cards ?? [];
  if (zone.kind === "dice") return (zone.dice ?? []).join(" and ") || "not rolled";
  if (zone.kind === "pile" || zone.kind === "chips") return String(zone.count ?? cards.length);
  if (!cards.length) return String(zone.count ?? "none");
  if (cards.every((card) => card.card === null && !card.gap)) return `${cards.length} face down`;
  return cards
    .map((card) => (card.gap ? "empty" : card.card === null ? "face down" : written(card.card)))
    .join(" ");
}
