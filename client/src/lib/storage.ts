// What this browser remembers: keys to seats, a name, preferences, finished matches. None of it is sent anywhere.

import type { Kept } from "./proof";
import type { Step } from "./scorecard";

const PROOFS = 30; // matches of which what proves the draws is kept

export type Keys = { token: string; recovery?: string };
export type Finished = {
  code: string;
  match: number;
  game: string;
  title: string;
  at: number;
  names: string[];
  scores: number[];
  winners: number[];
  seat: number;
};

function get<Value>(name: string, otherwise: Value): Value {
  try {
    const text = localStorage.getItem(`ninefold ${name}`);
    return text === null ? otherwise : (JSON.parse(text) as Value);
  } catch {
    return otherwise;
  }
}
function put(name: string, value: unknown): void {
  try {
    localStorage.setItem(`ninefold ${name}`, JSON.stringify(value));
  } catch {
    // storage may be turned off or full: the game works without it
  }
}

const RELOADED = "ninefold reloaded";
/** Load a page that is too old again; false where that has been tried since it last worked. */
export function reloadOnce(): boolean {
  try {
    if (sessionStorage.getItem(RELOADED)) return false;
    sessionStorage.setItem(RELOADED, "1");
  } catch {
    return false; // it might be loaded again and again
  }
  location.reload();
  return true;
}
export function reloaded(): void {
  try {
    sessionStorage.removeItem(RELOADED);
  } catch {
    // there is nothing to forget
  }
}

/** Random text for keys and ids. */
export function random(bytes: number): string {
  const text = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
export const newKeys = (): Keys => ({ token: random(32), recovery: random(32) });

/** The word by which a host's table knows this browser again, if the host removed us. */
export function browser(): string {
  const word = get("browser", "") || random(32);
  put("browser", word);
  return word;
}

export const keysOf = (code: string): Keys | null => get<Keys | null>(`table ${code}`, null);
export const keepKeys = (code: string, keys: Keys): void => put(`table ${code}`, keys);
export const dropKeys = (code: string): void => localStorage.removeItem(`ninefold table ${code}`);

const NAMES =
  `Alder Aspen Badger Bilberry Bramble Briar Clover Curlew Damson Dipper Elder Fennel Finch Foxglove Hazel Heather Heron Hornbeam
  Ivy Juniper Kestrel Lapwing Larch Linnet Maple Marten Mistle Otter Plover Quince Robin Rowan Siskin Sorrel Teasel Willow Wren Yarrow`.split(
    /\s+/,
  );
const anyOf = (names: string[]): string =>
  names[crypto.getRandomValues(new Uint8Array(1))[0]! % names.length]!;

/** The player's name in this browser; until they choose one, one of those above. */
export function myName(): string {
  const kept = get("name", "") || anyOf(NAMES);
  put("name", kept);
  return kept;
}

/** The player's name, or one like it that nobody at the table has yet. */
export function myNameAmong(others: string[]): string {
  const taken = new Set(others.map((name) => name.toLowerCase()));
  const isFree = (name: string): boolean => !taken.has(name.toLowerCase());
  const mine = myName();
  if (!isFree(mine) && NAMES.includes(mine)) return anyOf(NAMES.filter(isFree));
  let name = mine;
  for (let next = 2; !isFree(name); next++) name = `${mine.slice(0, 29)} ${next}`;
  return name;
}
export const keepName = (name: string): void => put("name", name);

/** How fast what happens is shown. */
export const SPEEDS = ["slow", "normal", "fast", "instant"] as const;
export type Speed = (typeof SPEEDS)[number];
export const THEMES = ["system", "light", "dark"] as const;
export const TEXT_SIZES = ["normal", "large", "larger"] as const;
export type Preferences = {
  theme: (typeof THEMES)[number];
  text: (typeof TEXT_SIZES)[number];
  /** a notification when it is their turn and the page is not to be seen */
  notify: boolean;
  sound: boolean;
  /** whether sound has been offered */
  offered: boolean;
  vibration: boolean;
  rollForMe: boolean;
  /** in the first match of a game */
  tips: boolean;
  speed: Speed;
  /** how a hand lies, where suits are collected as well as ranks */
  hand: "rank" | "suit";
};
/** Preferences were called `wishes` once, and may still be stored under that name. */
export const preferences = (): Preferences => ({
  theme: "system",
  text: "normal",
  notify: false,
  sound: false,
  offered: false,
  vibration: true,
  rollForMe: false,
  tips: true,
  speed: "normal",
  hand: "rank",
  ...get<Partial<Preferences>>("wishes", {}),
  ...get<Partial<Preferences>>("preferences", {}),
});
export const keepPreferences = (value: Partial<Preferences>): void =>
  put("preferences", { ...preferences(), ...value });

/** What this device keeps of the draws of its last matches. */
export const keptProof = (code: string, match: number): Kept | null =>
  get<Kept | null>(`proof ${code} ${match}`, null);
export function keepProof(code: string, match: number, kept: Kept): void {
  const name = `${code} ${match}`;
  const known = get<string[]>("proofs", []);
  if (!known.includes(name)) {
    for (const old of known.slice(PROOFS - 1)) localStorage.removeItem(`ninefold proof ${old}`);
    put("proofs", [name, ...known].slice(0, PROOFS));
  }
  put(`proof ${name}`, kept);
}

export type Seating = { players: number; level: string; pulse?: boolean; options: Record<string, string> };
export const lastSeating = (game: string): Partial<Seating> => get<Partial<Seating>>(`seating ${game}`, {});
export const keepSeating = (game: string, value: Seating): void => put(`seating ${game}`, value);

/** `seat` is null for a spectator. */
export type Recent = { code: string; title: string; at: number; seat?: number | null };
export const recent = (): Recent[] => get<Recent[]>("recent", []);
export function keepRecent(code: string, title: string, seat: number | null): void {
  put(
    "recent",
    [{ code, title, at: Date.now(), seat }, ...recent().filter((one) => one.code !== code)].slice(0, 12),
  );
}
export const dropRecent = (code: string): void =>
  put(
    "recent",
    recent().filter((one) => one.code !== code),
  );

export const finished = (): Finished[] => get<Finished[]>("matches", []);
export function keepFinished(one: Finished): void {
  const others = finished();
  if (others.some((other) => other.code === one.code && other.match === one.match)) return;
  put("matches", [one, ...others].slice(0, 500));
}
export const forgetFinished = (): void => put("matches", []);

export type Season = { code: string; name: string; key?: string };
export const seasons = (): Season[] => get<Season[]>("seasons", []);
export function keepSeason(one: Season): void {
  const known = seasons().find((other) => other.code === one.code);
  put(
    "seasons",
    [{ ...known, ...one }, ...seasons().filter((other) => other !== known && other.code !== one.code)].slice(
      0,
      12,
    ),
  );
}
/** Whether this browser may open tables for a season: codes of those that need a key are longer. */
export const isOpenSeason = ({ code, key }: Season): boolean => code.length < 16 || !!key;
/** What to send with a season’s code to open a table for it. */
export function seasonKey(code: string): { season_key?: string } {
  const key = seasons().find((one) => one.code === code)?.key;
  return key ? { season_key: key } : {};
}

/** `steps`: the last entries and where they led, if they were added up on this device. */
export type CardSheet = {
  players: string[];
  entries: string[];
  options: Record<string, string>;
  steps?: Step[];
};
export const cardSheet = (): CardSheet =>
  get<CardSheet>("score card", { players: [], entries: [], options: {} });
export const keepCardSheet = (value: CardSheet): void => put("score card", value);

/** Games whose lessons this person has been through. */
export const learned = (): string[] => get<string[]>("learned", []);
export function keepLearned(game: string): void {
  put("learned", [...new Set([...learned(), game])]);
}

/** Tips of a game that this person has seen. */
export const coached = (game: string): string[] => get<string[]>(`tips ${game}`, []);
export function keepCoached(game: string, tip: string): void {
  put(`tips ${game}`, [...new Set([...coached(game), tip])]);
}
