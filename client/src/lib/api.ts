// The house's HTTP side. Errors are sentences for a person.
import type { GameSheet, Table, Told, View } from "./model";

export class Refused extends Error {
  constructor(readonly code: string, text: string) {
    super(text);
  }
}

async function ask<Found>(method: string, path: string, body?: unknown, token?: string | null): Promise<Found> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers["Authorization"] = `Bearer ${token}`;
  let answer: Response;
  try {
    answer = await fetch(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  } catch {
    throw new Refused("offline", "The house cannot be reached. Is the network there?");
  }
  const found = answer.status === 204 ? {} : await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(found.error ?? "error", found.text ?? answer.statusText);
  return found as Found;
}

export type Opening = {
  game: string;
  id: string;
  name: string;
  token: string;
  recovery: string;
  players: number;
  options: Record<string, unknown>;
  bots: string[];
  spectators: boolean;
  clock?: number;
  pace?: string;
  chat?: boolean;
  hints?: boolean;
  pulse?: boolean;
  season?: string;
};
export type Frame = { seq: number; told: Told[]; view: View };
export type Replay = { match: number; seat: number | null; total: number; frames: Frame[]; next: number | null };
export type SeasonTable = {
  name: string;
  games?: Record<string, number>;
  standings: { name: string; played: number; won: number; points?: number; streak: number }[];
  matches: { at: number; game: string; table: string; names: string[]; scores: number[]; winners: number[] | string[] }[];
};

let sheets: Promise<GameSheet[]> | null = null;
export function games(): Promise<GameSheet[]> {
  sheets ??= ask<{ games: GameSheet[] }>("GET", "/api/games").then((found) => found.games);
  sheets.catch(() => (sheets = null));
  return sheets;
}
export const rules = (game: string) => ask<{ title: string; text: string }>("GET", `/api/games/${game}/rules`);
export const openTable = (opening: Opening) => ask<{ code: string; link: string }>("POST", "/api/tables", opening);
export const showTable = (code: string) => ask<Table & { code: string }>("GET", `/api/tables/${code}`);
export const join = (code: string, body: { id: string; name: string; token: string; recovery: string; seat?: number }) =>
  ask<{ code: string; seat: number }>("POST", `/api/tables/${code}/join`, body);
export const record = (code: string, token: string | null, match: number) =>
  ask<unknown>("GET", `/api/tables/${code}/record?match=${match}`, undefined, token);
export const openSeason = (id: string, name: string) => ask<{ code: string }>("POST", "/api/seasons", { id, name });
export const season = (code: string) => ask<SeasonTable>("GET", `/api/seasons/${code}`);
export const scoreCard = (body: unknown) => ask<Record<string, unknown>>("POST", "/api/card", body);

/** All of a match that is over, page by page. */
export async function replay(code: string, token: string | null, match: number): Promise<Frame[]> {
  const frames: Frame[] = [];
  let start: number | null = 0;
  while (start !== null) {
    const page: Replay = await ask<Replay>("GET", `/api/tables/${code}/replay?match=${match}&start=${start}`, undefined, token);
    frames.push(...page.frames);
    start = page.next;
  }
  return essential(frames);
}

/** Where everybody decides at once, steps after which nothing looks different are left out. */
function essential(frames: Frame[]): Frame[] {
  const found: Frame[] = [];
  const look = ({ view }: Frame): string => JSON.stringify([view.zones, view.counters, view.scores]);
  let before = "";
  for (const frame of frames) {
    const now = look(frame);
    if (now === before && frame.view.waiting_for === "everyone" && found.length) continue;
    found.push(frame);
    before = now;
  }
  return found;
}
