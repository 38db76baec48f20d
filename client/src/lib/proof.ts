// The player's side of fair draws: tokens as the ids of commands, what the server promised as it came, and the
// comparison with the record when a match is over. The same as fairness/keeping.py and receipts.py. Of the draws, it
// makes those again that need no rules (draws.ts); `ninefold verify` makes all of them.
import { remade } from "./draws";
import { keepProof, keptProof, random } from "./storage";
import { changed, missing, Watcher, type Cards, type Message, type Sight } from "./shown";
import { fromHex, link, tagged, toHex } from "./sha256";
import type { TableEvent, TableView, View } from "./types";

const LENGTH = 1 << 12; // tokens of a chain
const STRIDE = 1 << 6; // one in 64 is kept; the others are computed again from it
const LEAVES = 64; // of the tree of a deck
const BEFORE_ALL = -1;
const PROTOCOLS: unknown[] = [2, 3, 4, 5];
const LATEST = 5;
const MOST_SIGHTS = 2_000; // that are kept of a match
const OWN = ["start", "move", "seal", "roll"];

export type Receipts = {
  format: "ninefold receipts 1";
  table: string;
  match: number;
  seat: number;
  anchor: string;
  shared: boolean;
  protocol?: number; // that the table promised to use, or a later one; 0 if it said nothing
  commitments: [string, number][]; // and the last token given away before
  begun?: Begun | null; // what was played by whom, when the match began
  sent: [string, string, string][]; // kind, text and id of commands that were answered
  shown?: Sight<Cards>[]; // cards by zone, where they had changed
  rolled?: Sight<string>[]; // dice, in the order they fell
  undone: number; // -1 for one who came late
  scores: number[] | null; // at the end, as they were shown here
};
type Begun = { game: string; options: Record<string, unknown>; seats: unknown[][] };
/** What this device keeps besides: its secret, and how far its tokens are used up. */
export type Kept = { receipts: Receipts; seed: string; given: number; taken: number };
type Sitter = { kind: string; name: string; bot?: string | null };
type Entry = [string, ...unknown[]];
type Deck = { open: Record<string, string>; closed: string[] };
export type Proof = {
  protocol?: number;
  alone?: boolean;
  table: string;
  match: number;
  commitments: string[];
  seats: (Sitter & { anchor: string })[];
  journal: Entry[];
  key?: string;
  decks?: Deck[];
};
export type Finding = {
  draws: number; // that were made
  promised: number; // that follow from a promise this device had before it gave its part
  remade: number; // of all, that this page has made again and found to be the same
  hidden: number; // cards that nobody ever showed
  moves: number; // of this player, found in the record
  part: boolean; // whether this player's part is in the draws
  undone: number;
  secret: boolean; // of a match that was cut short, the key stays so
  early: boolean; // a protocol in which the server could still choose some draws
};

class Chain {
  readonly anchor: string;
  #marks: string[];
  constructor(seed: string) {
    this.#marks = [seed];
    let token = seed;
    for (let place = 1; place <= LENGTH; place++) {
      token = link(token);
      if (place % STRIDE === 0) this.#marks.push(token);
    }
    this.anchor = token;
  }
  token(number: number): string {
    const place = LENGTH - number;
    let token = this.#marks[Math.floor(place / STRIDE)]!;
    for (let more = place % STRIDE; more; more--) token = link(token);
    return token;
  }
}

type Said = { id: string; type: string; what?: string; move?: string };
type Heard = { events?: TableEvent[]; table?: TableView; view?: View | null };
export type Share = { match: number; anchor: string };

export class Keeper {
  #match = 0;
  #next = 0;
  #asked = false;
  #kept = new Map<number, Kept>();
  #chains = new Map<string, Chain>(); // by seed
  #noted = new Map<number, number>(); // by match: commitments
  #watcher = new Watcher();
  #signed: { id: string; match: number; token: boolean } | null = null;

  constructor(
    readonly code: string,
    readonly seat: () => number | null,
  ) {}

  of(match: number): Kept {
    let kept = keptProof(this.code, match) ?? this.#kept.get(match); // another tab may have gone on
    if (!kept || kept.receipts.seat !== (this.seat() ?? -1)) {
      const receipts: Receipts = {
        format: "ninefold receipts 1",
        table: this.code,
        match,
        seat: this.seat() ?? -1,
        anchor: "",
        shared: false,
        protocol: 0,
        commitments: [],
        begun: null,
        sent: [],
        undone: 0,
        scores: null,
      };
      kept = { receipts, seed: "", given: BEFORE_ALL, taken: 0 };
      if (match <= this.#match) kept.receipts.undone = -1; // it had begun before
    }
    this.#kept.set(match, kept);
    return kept;
  }

  #save(kept: Kept): void {
    this.#kept.set(kept.receipts.match, kept);
    keepProof(this.code, kept.receipts.match, kept);
  }

  /** A welcome or an update has come. */
  hear({ events = [], table, view }: Heard): void {
    for (const { kind } of events) {
      if (kind === "started") this.#match++;
      if (kind !== "undone") continue;
      const kept = this.of(this.#match);
      if (kept.receipts.undone >= 0) kept.receipts.undone++;
      this.#save(kept);
    }
    if (!table) return;
    this.#match = table.match;
    if (events.some(({ kind }) => kind === "started")) {
      const kept = this.of(table.match);
      kept.receipts.begun = begun(table, table.seats);
      this.#save(kept);
    }
    this.#note(table.match, table.commitments);
    if (view?.over) {
      const kept = this.of(table.match);
      kept.receipts.scores = view.scores;
      this.#save(kept);
    }
    if (!table.promise) return;
    this.#next = table.promise.match;
    this.#note(this.#next, table.promise.commitments);
    const { protocol } = table.promise;
    const kept = this.of(this.#next);
    if (protocol > (kept.receipts.protocol ?? 0)) {
      kept.receipts.protocol = protocol;
      this.#save(kept);
    }
    const seat = this.seat();
    this.#asked = seat !== null && !table.promise.shares.includes(seat);
  }

  /** A message has come, before it is joined with others: what it shows of dice and cards is kept. */
  watch(message: Message, isWelcome: boolean): void {
    const seen = this.#watcher.hear(message, isWelcome);
    if (!seen || !this.#kept.has(seen.match)) return;
    const kept = this.of(seen.match);
    const { receipts } = kept;
    const [shown, rolled] = [(receipts.shown ??= []), (receipts.rolled ??= [])];
    const last = Math.max(shown.at(-1)?.[0] ?? -1, rolled.at(-1)?.[0] ?? -1);
    if (seen.seq <= last || receipts.undone < 0 || shown.length > MOST_SIGHTS) return; // perhaps by another tab
    const before = shown.length + rolled.length;
    const sent = receipts.sent.length;
    for (const roll of seen.rolls) rolled.push([seen.seq, sent, roll]);
    for (const zones of seen.sights) {
      const news = changed(shown, zones);
      if (Object.keys(news).length) shown.push([seen.seq, sent, news]);
    }
    if (shown.length + rolled.length > before) this.#save(kept);
  }

  #note(match: number, roots: string[]): void {
    if (!match || this.#noted.get(match) === roots.length) return;
    this.#noted.set(match, roots.length);
    const kept = this.of(match);
    const fresh = roots.slice(kept.receipts.commitments.length);
    if (!fresh.length) return;
    for (const root of fresh) kept.receipts.commitments.push([root, kept.given]);
    this.#save(kept);
  }

  /** This player's part in the next match, if the server waits for it. */
  share(): Share | null {
    if (!this.#asked) return null;
    this.#asked = false;
    const kept = this.of(this.#next);
    kept.seed ||= random(32);
    kept.receipts.anchor = this.#chain(kept).anchor;
    kept.given = Math.max(kept.given, 0);
    this.#save(kept);
    return { match: this.#next, anchor: kept.receipts.anchor };
  }

  shared(match: number): void {
    const kept = this.of(match);
    kept.receipts.shared = true;
    this.#save(kept);
  }

  #chain({ seed }: Kept): Chain {
    if (!this.#chains.has(seed)) this.#chains.set(seed, new Chain(seed));
    return this.#chains.get(seed)!;
  }

  /** The id of a command: the next token where tokens count, unless one is on its way. */
  idFor(type: string, what: string | undefined): string {
    const match =
      type === "do" && what === "start" ? this.#next : type === "move" || type === "roll" ? this.#match : 0;
    const kept = match ? this.of(match) : null;
    if (!kept || this.#signed) return random(12);
    const token = kept.receipts.shared && kept.taken < LENGTH;
    const id = token ? this.#chain(kept).token(kept.taken + 1) : random(12);
    if (token) kept.given = kept.taken + 1;
    this.#signed = { id, match, token };
    this.#save(kept);
    return id;
  }

  isToken(id: string): boolean {
    return this.#signed?.id === id && this.#signed.token;
  }

  /** A command was answered. The token of one that was refused is used again, unless it is used up. */
  settle(command: Said, accepted: boolean, usedUp = false): void {
    const signed = this.#signed;
    if (signed?.id !== command.id) return;
    this.#signed = null;
    const kept = this.of(signed.match);
    if (signed.token && (accepted || usedUp)) kept.taken++;
    if (usedUp) this.#save(kept);
    if (!accepted) return;
    const kind = command.type === "do" ? "start" : command.type;
    kept.receipts.sent.push([kind, command.move ?? "", command.id]);
    this.#save(kept);
  }
}

export type Recorded = {
  fair?: Proof;
  over?: boolean;
  scores?: number[];
  game: string;
  version: number;
  players: number;
  options: Record<string, unknown>;
};

function begun(table: { game: string; options: Record<string, unknown> }, seats: Sitter[]): Begun {
  const who = seats.map(({ kind, name, bot }) => [kind, name, bot ?? null]);
  return { game: table.game, options: table.options, seats: who };
}
function described({ game, options, seats }: Begun): string {
  return JSON.stringify([game, Object.entries(options).sort(), seats]);
}

/** What a record shows beside what was kept, or the sentence that says what is wrong. */
export function check(record: Recorded, kept: Receipts): Finding | string {
  try {
    return compare(record, kept);
  } catch (error) {
    return (error as Error).message;
  }
}

function compare(record: Recorded, kept: Receipts): Finding {
  const fair = record.fair;
  if (!fair || !PROTOCOLS.includes(fair.protocol))
    throw new Error("The record has no proof that this page can check.");
  const { journal } = fair;
  const protocol = Number(fair.protocol);
  if (protocol < (kept.protocol ?? 0))
    throw new Error("The record’s draws were made in an earlier, weaker way than the table had promised.");
  if (fair.table !== kept.table || fair.match !== kept.match)
    throw new Error("The record is of another match.");
  const roots = [
    ...fair.commitments,
    ...journal.filter(([kind]) => kind === "promise").map((one) => String(one[1])),
  ];
  if (kept.commitments.some(([root], at) => at < roots.length && roots[at] !== root))
    throw new Error("The record’s promises are not those that this device was shown.");
  checkOpened(fair, roots, record.over === false);
  const anchor = fair.seats[kept.seat]?.anchor ?? "";
  if (kept.shared && anchor !== kept.anchor) throw new Error("The record leaves out your part in the draws.");
  if (kept.begun && described(kept.begun) !== described(begun(record, fair.seats)))
    throw new Error("The record is of other players or another game than this page saw.");
  const cut = record.over === false; // a match that was cut short may end before what was interrupted
  const moves = compareSent(journal, kept, cut);
  const undone = journal.filter(([kind]) => kind === "undo").length;
  if (kept.undone !== -1 && kept.undone !== undone && !(cut && kept.undone > undone))
    throw new Error("The record has other undone moves than this page saw.");
  if (kept.scores && record.scores?.join() !== kept.scores.join())
    throw new Error("The record ends with other scores than this page saw.");
  const known = cut ? places(journal, kept) - 1 : Infinity; // what it has to have if it was cut short
  const lost = kept.undone < 0 ? "" : missing(journal, kept.shown ?? [], kept.rolled ?? [], known);
  if (lost) throw new Error(`This page was shown ${lost}, and the record has something else.`);
  const part = kept.anchor !== "" && anchor === kept.anchor;
  const secret = cut && fair.key === "";
  const counted = countDraws(journal, kept, part && !secret);
  return { ...counted, remade: remade(record), moves, part, undone, secret, early: protocol < LATEST };
}

/** How many of this player's commands a record has. */
function places(journal: Entry[], kept: Receipts): number {
  const there = new Set(journal.filter(([kind]) => OWN.includes(kind)).map((entry) => entry.at(-1)));
  return kept.sent.filter(([, , id]) => there.has(id)).length;
}

function compareSent(journal: Entry[], kept: Receipts, cut: boolean): number {
  const words = (text: unknown): string => String(text).toLowerCase().split(/\s+/).sort().join(" ");
  const places = new Map<unknown, number>();
  journal.forEach((entry, at) => {
    const id = entry.at(-1);
    if (OWN.includes(entry[0]) && id && !places.has(id)) places.set(id, at);
  });
  let last = -1;
  const sent = [...kept.sent];
  while (cut && sent.length && !places.has(sent.at(-1)![2])) sent.pop();
  for (const [kind, text, id] of sent) {
    const at = places.get(id);
    const entry = at === undefined ? null : journal[at]!;
    const fits = entry && entry[1] === kept.seat && (!text || words(entry[2]) === words(text));
    if (!fits) throw new Error(`The record doesn’t have your ${text || kind} as you sent it.`);
    if (at! < last) throw new Error("The record has your moves in another order.");
    last = at!;
  }
  return sent.filter(([kind]) => kind !== "start").length;
}

function countDraws(
  journal: Entry[],
  kept: Receipts,
  part: boolean,
): { draws: number; promised: number; hidden: number } {
  let head = kept.anchor;
  let given = 0;
  let [draws, promised, hidden] = [0, 0, 0];
  for (const [kind, ...rest] of journal) {
    const id = String(rest.at(-1));
    if (part && OWN.includes(kind) && rest[0] === kept.seat && rest.at(-1) && link(id) === head) {
      head = id;
      given++;
    } else if (kind === "draw" || kind === "open") {
      draws++;
      if (kind === "draw" && String(rest[0]).endsWith("??")) hidden++;
      const seen = kept.commitments[kind === "draw" && typeof rest[1] === "number" ? rest[1] : 0];
      if (part && seen && seen[1] < given) promised++;
    }
  }
  return { draws, promised, hidden };
}

/** What the server shows at the end must be what it had promised. */
function checkOpened(fair: Proof, roots: string[], cut: boolean): void {
  const broken = new Error("What the server shows now is not what it had promised.");
  if (fair.key === "" && cut) return; // of a match that was cut short it stays secret, with the hands
  if (fair.key !== undefined) {
    if (roots.length !== 1 || toHex(tagged("key", fromHex(fair.key))) !== roots[0]) throw broken;
    return;
  }
  if (!fair.decks || fair.decks.length > roots.length) throw broken;
  fair.decks.forEach((deck, at) => {
    if (rootOf(deck) !== roots[at]) throw broken;
  });
}

/** The root of a tree of which some leaves are opened. */
export function rootOf(deck: Deck): string {
  const rest = deck.closed.map(fromHex);
  const places = Object.keys(deck.open).map(Number);
  const climb = (first: number, size: number): Uint8Array => {
    if (!places.some((place) => first <= place && place < first + size))
      return rest.shift() ?? new Uint8Array();
    if (size === 1) return tagged("leaf", fromHex(deck.open[first]!));
    const left = climb(first, size / 2);
    return tagged("node", left, climb(first + size / 2, size / 2));
  };
  const root = toHex(climb(0, LEAVES));
  return rest.length ? "" : root;
}
