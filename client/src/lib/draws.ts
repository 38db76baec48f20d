// Makes the draws of a finished match again, as far as that needs no rules: dice, the order of sealed moves, and the
// cards of decks that are dealt from place by place. Which cards are left in other games only `ninefold verify` knows.
// The same as fairness/chance.py and decks.py; docs/fairness.md explains each step.
import type { Proof, Recorded } from "./proof";
import { bytesOf, fromHex, link, sha256, tagged } from "./sha256";

const LABELLED = 5; // the first protocol in which a draw says what it is for
const TOKENS = ["start", "move", "seal", "roll"];
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const CARDS = RANKS.flatMap((rank) => ["S", "H", "D", "C"].map((suit) => rank + suit));
const DICE: [string, number][] = [1, 2, 3, 4, 5, 6].flatMap((one) =>
  [1, 2, 3, 4, 5, 6]
    .filter((other) => other >= one)
    .map((other): [string, number] => [`roll ${one} ${other}`, one === other ? 1 : 2]),
);

type InUse = { number: number; seed: Uint8Array; taken: number[] } | null;
type Last = { what: string; count: number };

/** How many draws were made again and came out the same; an error for the first that did not. */
export function remade(record: Recorded): number {
  const fair = record.fair;
  if (!fair || Number(fair.protocol) < LABELLED || fair.key === "") return 0;
  return new Match(record, fair).run();
}

class Match {
  #fair: Proof;
  #base: Uint8Array;
  #cast: Uint8Array;
  #heads: string[];
  #begun: string[] = [];
  #firsts: string[] = []; // by seat: the first token of the last round in which it had one
  #heard = new Set<number>(); // whose there was one in this round
  #mover = -1;
  #key: Uint8Array;
  #decks = 0;
  #deck: InUse = null;
  #last: Last = { what: "", count: 0 };
  #steps: [InUse, Last][] = [];
  #undos = 0;
  #openings = 0;
  #caused = new Map<string, number>(); // by pot: draws, where everyone plays at once
  #number = 0; // of draws so far
  #again = 0;

  constructor({ game, version, players, options }: Recorded, fair: Proof) {
    this.#fair = fair;
    this.#heads = fair.seats.map(({ anchor }) => anchor);
    const terms = ["ninefold match", fair.protocol, fair.table, fair.match, game, version, players];
    const more = [options, fair.commitments, [...this.#heads], fair.alone];
    this.#base = hashed([...terms, ...more]);
    this.#cast = hashed(fair.seats.map(({ kind, name, bot }) => [kind, name, bot ?? null]));
    this.#key = fromHex(fair.key ?? "");
  }

  run(): number {
    for (const [kind, ...rest] of this.#fair.journal) {
      if (kind === "draw") this.#draw(String(rest[0]), rest[1]);
      else if (kind === "open") this.#open(rest[0] as number[]);
      else if (kind === "undo") this.#undo(Number(rest[1]));
      this.#number += Number(kind === "draw" || kind === "open");
      if (!TOKENS.includes(kind)) continue;
      this.#token(Number(rest[0]), String(rest.at(-1)));
      this.#mover = kind === "start" ? -1 : Number(rest[0]);
      if (kind === "start") {
        this.#begun = [...this.#heads];
        this.#firsts = [...this.#heads];
        this.#heard.clear();
      } else if (kind === "move") this.#steps.push([this.#deck, this.#last]);
    }
    return this.#again;
  }

  #token(seat: number, name: string): void {
    if (!this.#heads[seat] || link(name) !== this.#heads[seat]) return;
    this.#heads[seat] = name;
    if (!this.#heard.has(seat)) this.#firsts[seat] = name;
    this.#heard.add(seat);
  }

  #pot(ofRound = false): Uint8Array {
    let [heads, begun] = [ofRound ? this.#firsts : this.#heads, this.#begun];
    if (this.#fair.alone && this.#mover >= 0 && !ofRound) {
      const own = (all: string[]): string[] => [String(this.#mover), all[this.#mover]!];
      [heads, begun] = [own(heads), own(begun)];
    }
    const asBegun = heads.join() === begun.join() && this.#heads.some(Boolean);
    return sha256(joined(this.#base, asBegun ? new Uint8Array() : this.#cast, bytesOf(heads.join(" "))));
  }

  #draw(text: string, given: unknown): void {
    this.#steps.push([this.#deck, this.#last]);
    if (typeof given === "number") return this.#deal(text, given);
    const label = String(given);
    const ofRound = Boolean(this.#fair.alone) && label.startsWith("part ");
    const pot = this.#pot(ofRound);
    if (label !== this.#label(label.split(" "), pot)) throw wrong(text);
    if (!text.startsWith("roll ")) return;
    if (text !== thrown(keyed(this.#key, joined(bytesOf(label), pot)))) throw wrong(text);
    this.#again++;
  }

  /** The label of a draw, but for what only the rules know: the round, the turn. */
  #label([kind, ...words]: string[], pot: Uint8Array): string {
    if (kind === "own" && this.#fair.alone) {
      const count = this.#caused.get(pot.join()) ?? 0;
      this.#caused.set(pot.join(), count + 1);
      this.#last = { what: `own ${this.#mover}`, count };
      return `own ${count}`;
    }
    if (kind === "draw") return `draw ${this.#number}`; // of a game that says no more
    const own = `own ${this.#openings} ${this.#mover}`;
    const occasion = words.slice(1, -1).join(" ");
    const what = kind === "part" ? `part ${occasion}` : own;
    const count = this.#last.what === what ? this.#last.count : 0;
    this.#last = { what, count: count + 1 };
    if (kind === "part") this.#heard.clear();
    return kind === "part" ? `part ${this.#undos} ${occasion} ${count}` : `${own} ${count}`;
  }

  /** The next card of a deck, whose place may stay closed. */
  #deal(text: string, number: number): void {
    const pot = this.#pot();
    if (number === this.#decks) {
      this.#decks++;
      this.#deck = { number, seed: tagged("deck", wide(number, 8), pot), taken: [] };
    }
    const deck = this.#deck;
    if (deck?.number !== number) throw wrong(text);
    const label = bytesOf(`deck ${this.#undos} ${number} ${deck.taken.length}`);
    const free = CARDS.map((_, place) => place).filter((place) => !deck.taken.includes(place));
    const place = free[below(tagged("place", label, pot), free.length)]!;
    this.#deck = { ...deck, taken: [...deck.taken, place] };
    const content = this.#fair.decks?.[number]?.open[place];
    const drawn = content === undefined ? "??" : CARDS[ordered(deck.seed)[fromHex(content)[16]!]!];
    if (text !== `deal ${drawn}`) throw wrong(text);
    this.#again += Number(drawn !== "??");
  }

  #open(order: number[]): void {
    const digest = keyed(this.#key, joined(bytesOf(`order ${this.#openings}`), this.#pot()));
    this.#openings++;
    const lot = (seat: number): string => keyed(digest, Uint8Array.of(seat)).join(",");
    const sorted = [...order].sort((one, other) => compare(lot(one), lot(other)));
    if (sorted.join() !== order.join()) throw wrong("the order of moves");
    this.#again++;
  }

  #undo(to: number): void {
    this.#undos++;
    const step = this.#steps[to];
    if (!step) return;
    [this.#deck, this.#last] = step;
    this.#steps.length = to;
  }
}

const wrong = (what: string): Error =>
  new Error(`The record has ${what}, but that is not what had been promised.`);

/** The roll that a hash draws: every unit of weight draws a lot, and the lowest wins. */
function thrown(digest: Uint8Array): string {
  const lots = DICE.flatMap(([text, weight], outcome) =>
    [...Array(weight).keys()].map((unit) => {
      const lot = sha256(joined(digest, wide(outcome, 4), wide(unit, 4)));
      return { text, lot: lot.join(",") };
    }),
  );
  return lots.reduce((least, one) => (compare(one.lot, least.lot) < 0 ? one : least)).text;
}

/** Which of two lists of bytes, as text, comes first. */
function compare(one: string, other: string): number {
  const [left, right] = [one.split(",").map(Number), other.split(",").map(Number)];
  const at = left.findIndex((byte, place) => byte !== right[place]);
  return at < 0 ? 0 : left[at]! - right[at]!;
}

/** The numbers below 52 in the order of the hashes of a seed and a number. */
function ordered(seed: Uint8Array): number[] {
  const lots = CARDS.map((_, number) => sha256(joined(seed, Uint8Array.of(number))).join(","));
  return CARDS.map((_, number) => number).sort((one, other) => compare(lots[one]!, lots[other]!));
}

function keyed(key: Uint8Array, message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(64);
  padded.set(key); // 32 bytes, so that it need not be hashed first
  const inner = sha256(joined(padded.map((byte) => byte ^ 0x36), message)); // prettier-ignore
  return sha256(joined(padded.map((byte) => byte ^ 0x5c), inner)); // prettier-ignore
}

const below = (digest: Uint8Array, limit: number): number =>
  digest.reduce((rest, byte) => (rest * 256 + byte) % limit, 0);

function joined(...parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A number as bytes. */
function wide(number: number, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, at) => Math.floor(number / 256 ** (size - 1 - at)) % 256);
}

const hashed = (value: unknown): Uint8Array => sha256(bytesOf(canonical(value)));

/** JSON with sorted names, no spaces and nothing but ASCII, as the server hashes it. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value && typeof value === "object") {
    const parts = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${parts.map(([name, part]) => `${canonical(name)}:${canonical(part)}`).join(",")}}`;
  }
  const text = JSON.stringify(value);
  return text.replace(/[\u007f-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
