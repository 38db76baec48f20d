// The table model and the house's messages, as types. Nothing here or anywhere in the client knows a game.

export type CardPart = { card: string | null; up: boolean; gap?: boolean; coming?: boolean; seen_by?: number };
export type Zone = {
  id: string;
  kind: "hand" | "row" | "grid" | "pile" | "dice" | "chips";
  label: string;
  owner: number | null;
  cards?: CardPart[];
  columns?: number;
  places?: string[];
  count?: number;
  value?: number;
  dice?: number[];
  held_in?: string;
};
export type Counter = { id: string; label: string; value: number; goal: number | null };
export type Button = { kind: "button"; move: string; label: string; key: string; hint: string };
export type Choice = { move: string; cards: number[]; label?: string };
export type Selection = {
  kind: "cards";
  verb: string;
  label: string;
  zone: string;
  choices: Choice[];
  alike: boolean;
  seat?: number;
};
export type Numeric = { kind: "number"; verb: string; label: string; low: number; high: number; step: number };
export type Offer = Button | Selection | Numeric;
export type Order = {
  id: string;
  label: string;
  move: string;
  counter: string;
  below: number | null;
  then: string | null;
  ask: Numeric | null;
};
export type SeatPart = { seat: number; score: number; status?: string; hand?: string; [more: string]: unknown };
export type View = {
  game: string;
  title: string;
  players: number;
  seat: number | null;
  turn: number;
  actors: number[];
  waiting_for: string;
  over: boolean;
  scores: number[];
  winners: number[];
  offers: Offer[];
  orders: Order[];
  moves: string[];
  phase: string;
  prompt: string;
  zones: Zone[];
  counters: Counter[];
  seats: SeatPart[];
};
export type Told = {
  kind: string;
  text: string;
  seat: number | null;
  quiet?: boolean;
  from?: string;
  to?: string;
  cards?: (string | null)[];
  places?: number[];
  dice?: number[];
  discarded?: string;
};
export type Happening = { seq: number; kind: string; told: Told[]; seat?: number; text?: string };

export type TableSeat = { kind: "person" | "bot" | "open"; name: string; bot: string | null; away: boolean };
export type Table = {
  game: string;
  title: string;
  players: number;
  options: Record<string, unknown>;
  settings: {
    spectators: boolean;
    public: boolean;
    clock: number | null;
    pace: string;
    chat?: boolean;
    hints?: boolean;
    pulse?: boolean;
    season?: string | null;
  };
  status: "lobby" | "playing" | "paused" | "over" | "closed";
  seats: TableSeat[];
  match: number;
  votes: number[];
  notice: string;
  undo?: { by: number; agreed: number[] } | null;
  sealed?: number[];
  result?: { scores: number[]; winners: number[]; unfinished: boolean } | null;
  clocks?: Record<string, number> | null;
  realtime?: boolean;
};
export type Said = { seq: number; seat: number | null; name: string; text: string };

export type Welcome = {
  type: "welcome";
  spent?: Record<string, number>;
  seq: number;
  seat: number | null;
  code: string;
  table: Table;
  view: View | null;
  decision: number | null;
  chat?: Said[];
  here?: number[];
};
export type Update = {
  type: "update";
  seq: number;
  events: Happening[];
  table?: Table;
  view?: View | null;
  decision?: number | null;
};
export type Answer = {
  type: "answer";
  id: string;
  ok: boolean;
  seq?: number;
  error?: string;
  text?: string;
  rule?: string | null;
  move?: string;
  why?: string;
};
export type Heard =
  | Welcome
  | Update
  | Answer
  | { type: "here"; seats: number[]; watching: number }
  | { type: "reaction"; seat: number; emoji: string }
  | { type: "refused"; error: string; text: string }
  | { type: "history_changed" }
  | { type: "pong" };

export type GameOption = {
  name: string;
  label: string;
  allowed: string;
  default: unknown;
  choices?: (string | number | boolean)[] | null;
};
export type GameSheet = {
  name: string;
  title: string;
  line: string;
  tagline?: string;
  players: [number, number];
  usual_players: number;
  options: GameOption[];
  bots: { name: string; line: string }[];
  realtime?: boolean;
  suggested?: Record<string, unknown>;
  minutes?: number;
};

export const REACTIONS = ["👍", "😂", "😮", "😢", "🎉", "🤔", "❤️", "🍀", "9️⃣"];
