// The score card of Doubles on this device: what its buttons enter is added up here, so that it works without a
// connection. Everything else that can be typed in is the server's, which plays all entries from the beginning; a
// test compares the two, sentence by sentence.
import type { CardStanding } from "./types";

export type Standing = Omit<CardStanding, "kept" | "refused">;
/** An entry and where the game stands after it. */
export type Step = { entry: string; standing: Standing };

const LAST_SEVEN = 4;
const LONG_ROUND = 200; // entries of one that the server lists
const EMPTY = "no entries yet";
const NAMED = 4; // players who got nothing in a round, by name at most
const UNDO = 20; // steps that can be undone without a connection
const EXACT = 10n ** 21n; // larger numbers are written as powers of ten

const points = (text: string): bigint => BigInt(text.replaceAll(",", ""));
const amount = (number: bigint): string => number.toLocaleString("en-US");
/** `Ann`, `Ann and Bob`, `Ann, Bob and Cleo`; a long list is cut. */
function listed(words: string[], most = 12): string {
  const shown = words.length > most ? words.slice(0, most - 2) : words.slice(0, -1);
  const left = words.length - shown.length;
  const end = left > 1 ? `${left} more` : (words.at(-1) ?? "");
  return shown.length ? `${shown.join(", ")} and ${end}` : end;
}

/** A card before the first roll; null where the server has to say what is wrong with the names or the rounds. */
export function begin(names: string[], rounds: number): Standing | null {
  const tidy = names.map((name) => name.trim().split(/\s+/).join(" "));
  const folded = new Set(tidy.map((name) => name.normalize("NFKC").toUpperCase().toLowerCase()));
  const clear = tidy.every(
    (name) => name.length <= 40 && /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .'’-]*$/u.test(name),
  );
  if (!clear || folded.size !== tidy.length || folded.has("all") || !tidy.length || tidy.length > 100)
    return null;
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 1_000_000) return null;
  return {
    lines: [],
    round: 1,
    rounds,
    total: "0",
    sevens: 0,
    rolls: 0,
    roller: tidy[0]!,
    rolled: null,
    over: false,
    players: tidy.map((name) => ({
      name,
      score: "0",
      part: true,
      in: true,
      away: false,
      gain: null,
      leads: false,
    })),
    past: [],
    entries: listing(1),
  };
}

const listing = (round: number): string[] => [`Round ${round}, being played`, EMPTY];

/** The steps with one more entry; null where only the server can tell what comes of it. */
export function take(steps: Step[], entry: string): Step[] | null {
  const last = steps.at(-1);
  if (!last) return null;
  if (entry === "undo") {
    const before = steps.at(-2);
    const undone = before && words(last.entry, before.standing);
    if (!undone) return null;
    const lines = [{ text: `Undone: ${undone}.`, tone: "good" }];
    return [...steps.slice(0, -2), { ...before, standing: { ...before.standing, lines } }];
  }
  const at = last.standing;
  const dice = diceOf(entry);
  const who = cashing(entry, at);
  const large = [at.total, ...at.players.map((one) => one.score)].some((text) => text.includes("e"));
  if (
    at.over ||
    large ||
    at.entries.length >= LONG_ROUND ||
    at.roller === null ||
    (!dice && !(who && at.rolls))
  )
    return null;
  const standing = dice ? roll(at, dice) : cashOut(at, who!);
  const counted = [standing.total, ...standing.players.map((one) => one.score)].map(points);
  return counted.some((number) => number >= EXACT) ? null : [...steps, { entry, standing }].slice(-UNDO);
}

const diceOf = (entry: string): [number, number] | null =>
  /^[1-6] [1-6]$/.test(entry) ? [Number(entry[0]), Number(entry[2])] : null;
/** Who cashes out with an entry such as `cash Ann, Bob`, in seating order. */
function cashing(entry: string, at: Standing): string[] | null {
  const called = entry.startsWith("cash ") ? entry.slice(5).split(", ") : [];
  const found = at.players.filter((one) => one.in && called.includes(one.name)).map((one) => one.name);
  return found.length && found.length === called.length ? found : null;
}
function words(entry: string, before: Standing): string | null {
  const dice = diceOf(entry);
  if (dice) return `the roll of ${dice[0]} and ${dice[1]}`;
  const who = cashing(entry, before);
  return who && `the cash-out of ${listed(who)}`;
}

function roll(at: Standing, [one, other]: [number, number]): Standing {
  const had = points(at.total);
  const seven = one + other === 7;
  const doubles = one === other;
  const first = at.rolls === 0;
  const more = doubles ? (first ? BigInt(100 * one) : had) : BigInt(seven ? 75 : one + other);
  const sevens = at.sevens + Number(seven);
  const total = amount(had + more);
  const rolled = `${at.roller} rolls ${one} and ${other}`;
  const rolls = { ...at, rolls: at.rolls + 1, rolled: at.roller, sevens };
  if (sevens === LAST_SEVEN) {
    const text = `FOURTH SEVEN! ${rolled}: ${at.total} is lost.`;
    const entries = entered(at, `${rolled}: lost  a seven`);
    return endRound({ ...rolls, entries, lines: [{ text, tone: "bust" }] }, true);
  }
  const line = doubles
    ? {
        text: `DOUBLES! ${rolled}${first ? ` on the first roll: ${total}` : `: ${at.total} becomes ${total}`}.`,
        tone: "doubles",
      }
    : seven && sevens === LAST_SEVEN - 1
      ? { text: `THIRD SEVEN! ${rolled}: +75. The next seven ends the round.`, tone: "warning" }
      : { text: `${rolled}${seven ? ", a seven" : ""}: +${amount(more)}.`, tone: "plain" };
  const loud = doubles ? "  DOUBLES" : seven ? "  a seven" : "";
  const entries = entered(at, `${rolled}: total ${total}${loud}`);
  return passed({ ...rolls, total, lines: [line], entries });
}

function cashOut(at: Standing, who: string[]): Standing {
  const total = points(at.total);
  const text = `${listed(who)} ${who.length > 1 ? "cash" : "cashes"} out ${at.total}`;
  const players = at.players.map((one) =>
    who.includes(one.name)
      ? { ...one, in: false, gain: at.total, score: amount(points(one.score) + total) }
      : one,
  );
  const lines = [{ text: `${text}.`, tone: "good" }];
  const after = { ...at, players: led(players), lines, entries: entered(at, text) };
  return players.some((one) => one.in) ? passed(after) : endRound(after, false);
}

function led(players: Standing["players"]): Standing["players"] {
  const best = players.map((one) => points(one.score)).reduce((a, b) => (a > b ? a : b), 0n);
  return players.map((one) => ({ ...one, leads: best > 0n && points(one.score) === best }));
}
/** The entries of this round, numbered as corrections name them. */
function entered(at: Standing, text: string): string[] {
  const known = at.entries.filter((line) => line !== EMPTY);
  return [...known, `${at.round}.${String(known.length).padEnd(3)} ${text}`];
}
/** The dice go to the next player who is in, after the one who rolled last. */
function passed(at: Standing): Standing {
  const start = at.players.findIndex((one) => one.name === at.rolled) + 1;
  const next = [...at.players.slice(start), ...at.players.slice(0, start)].find((one) => one.in);
  return { ...at, roller: next?.name ?? null };
}

function endRound(at: Standing, busted: boolean): Standing {
  const gains = at.players.map((one) => (one.part ? (one.gain ?? "0") : null));
  const past = [...at.past, { round: at.round, busted, gains }];
  const over = at.round >= at.rounds;
  const lines = [...at.lines, { text: summary(at), tone: "good" }];
  if (over) lines.push({ text: `That was the last round. ${winners(at)}`, tone: "doubles" });
  const rest = { ...at, past, lines, over, total: "0", sevens: 0 };
  if (over) {
    const players = at.players.map((one) => ({ ...one, in: false }));
    const entries = [`Round ${at.round}`, ...at.entries.slice(1), summary(at)];
    return { ...rest, players, entries, roller: null };
  }
  const round = at.round + 1;
  const players = at.players.map((one) => ({ ...one, part: !one.away, in: !one.away, gain: null }));
  return passed({ ...rest, round, players, entries: listing(round), rolls: 0 });
}
function summary(at: Standing): string {
  const byGain = new Map<string, string[]>();
  for (const { name, gain } of at.players.filter((one) => one.part))
    byGain.set(gain ?? "0", [...(byGain.get(gain ?? "0") ?? []), name]);
  const best = [...byGain].sort(([one], [other]) => (points(one) < points(other) ? 1 : -1));
  const none = (who: string[]): string =>
    who.length <= NAMED ? listed(who) : best.length > 1 ? "the others" : "anyone";
  const parts = best.map(([gain, who]) =>
    gain === "0" ? `nothing for ${none(who)}` : `${gain} for ${listed(who)}`,
  );
  const results = parts.slice(0, 8).join(", ") + (parts.length > 8 ? " ..." : ".");
  return `Round ${at.round} is over: ${parts.length ? results : "nobody played it."}`;
}
function winners(at: Standing): string {
  const best = led(at.players);
  const most = best.some((one) => one.leads) ? best.filter((one) => one.leads) : best;
  const names = most.map((one) => one.name);
  const score = most[0]!.score;
  if (names.length === 1) return `${names[0]} wins with ${score}.`;
  if (names.length === at.players.length && names.length > 12)
    return `All ${names.length} players share the win with ${score}.`;
  return `${listed(names)} share the win with ${score}.`;
}

/** Where a card stands after these entries, if its buttons could have made them. */
export function play(names: string[], rounds: number, entries: string[]): Standing | null {
  const start = begin(names, rounds);
  let steps: Step[] | null = start && [{ entry: "", standing: start }];
  for (const entry of entries) steps = steps && take(steps, entry);
  return steps?.at(-1)?.standing ?? null;
}
