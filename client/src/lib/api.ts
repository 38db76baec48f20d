// The server's HTTP side. Errors are sentences for a person.
import type {
  Asked,
  CardStanding,
  CharacterSheet,
  Frame,
  GameList,
  GameSheet,
  Joining,
  LessonAnswer,
  LessonPage,
  LogPage,
  Opening,
  ReplayPage,
  RulesPage,
  SeasonOpened,
  SeasonPage,
  SeatTaken,
  Summary,
  TableFound,
} from "./types";
import { random } from "./storage";
import { sentence } from "./words";

export class ApiError extends Error {
  constructor(
    readonly code: string,
    text: string,
  ) {
    super(text);
  }
}

// So that people behind one address are kept apart: the server counts by it. Forgotten when the page is loaded again.
const PAGE = random(9);

async function ask<Found>(
  method: string,
  path: string,
  body?: unknown,
  token?: string | null,
): Promise<Found> {
  const headers: Record<string, string> = { "X-Page": PAGE };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers["Authorization"] = `Bearer ${token}`;
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError("offline", "Can’t reach Ninefold. Check your connection and try again.");
  }
  const found = answer.status === 204 ? {} : await answer.json().catch(() => ({}));
  if (!answer.ok) throw new ApiError(found.error ?? "error", sentence(found.text ?? answer.statusText));
  return found as Found;
}

let known: Promise<GameList> | null = null;
function gameList(): Promise<GameList> {
  known ??= ask<GameList>("GET", "/api/games");
  known.catch(() => (known = null));
  return known;
}
export const games = (): Promise<GameSheet[]> => gameList().then((found) => found.games);
/** Everyone who plays as a bot. */
export const theCast = (): Promise<CharacterSheet[]> => gameList().then((found) => found.cast);
export const pictureOf = (game: string): string => `/api/games/${encodeURIComponent(game)}/picture.svg`;
export const summary = (code: string, token: string | null, match: number) =>
  ask<Summary>("GET", `/api/tables/${code}/summary?match=${match}`, undefined, token);
export const rules = (game: string) => ask<RulesPage>("GET", `/api/games/${game}/rules`);
export const lesson = (game: string, number: number) =>
  ask<LessonPage>("GET", `/api/games/${game}/lessons/${number}`);
export const answerLesson = (game: string, number: number, move: string) =>
  ask<LessonAnswer>("POST", `/api/games/${game}/lessons/${number}`, { move });
export const openTable = (opening: Opening) => ask<SeatTaken>("POST", "/api/tables", opening);
export const showTable = (code: string, token?: string) =>
  ask<TableFound>("GET", `/api/tables/${code}`, undefined, token);
export const join = (code: string, joining: Joining) =>
  ask<SeatTaken | Asked>("POST", `/api/tables/${code}/join`, joining);
export const gameLog = (code: string, token: string | null) =>
  ask<LogPage>("GET", `/api/tables/${code}/log`, undefined, token);
export const record = (code: string, token: string | null, match: number) =>
  ask<unknown>("GET", `/api/tables/${code}/record?match=${match}`, undefined, token);
export const openSeason = (id: string, name: string) =>
  ask<SeasonOpened>("POST", "/api/seasons", { id, name });
export const season = (code: string) => ask<SeasonPage>("GET", `/api/seasons/${code}`);
export const scoreCard = (body: unknown) => ask<CardStanding>("POST", "/api/card", body);

/** All of a match that is over, page by page. */
export async function replay(code: string, token: string | null, match: number): Promise<Frame[]> {
  const frames: Frame[] = [];
  let start: number | null = 0;
  while (start !== null) {
    const path = `/api/tables/${code}/replay?match=${match}&start=${start}`;
    const page: ReplayPage = await ask<ReplayPage>("GET", path, undefined, token);
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
