// Sentences for people: texts of the table model with names and numbers filled in, and small helpers.
import type { TableView, Text } from "./types";

const number = new Intl.NumberFormat("en");
export const digits = (value: number): string => number.format(value);

export const playerName = (seat: number): string => `Player ${seat + 1}`;

export function namesOf(table: TableView): string[] {
  return table.seats.map((seat, at) => seat.name || playerName(at));
}

/** `A`, `A and B`, `A, B and C`. */
export function listing(words: string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

type Argument = number | string | Text | Text[];

/** The names of the players, and the seat of who reads them, who may be called “you”. */
export interface Names extends Array<string> {
  me?: number | null;
}

/** A text as a string, with the names of the players at the seats. As `render` in model/text.py. */
export function render(text: Text, names: Names, me = names.me ?? null): string {
  if (typeof text === "string") return text;
  const { seats = {}, args = {} } = text;
  const name = (seat: number): string => names[seat] ?? playerName(seat);
  const shown = (value: Argument): string => {
    if (typeof value === "number") return digits(value);
    if (Array.isArray(value)) return listing(value.map((part) => render(part, names, me)));
    return render(value, names, me);
  };
  const parameter = /\{\{|\}\}|\{(\w+)(?:\|([^|{}]*))?(?:\|([^|{}]*))?\}/g;
  return text.text.replace(parameter, (found, key?: string, other?: string, own?: string) => {
    if (key === undefined) return found.charAt(0);
    const who = seats[key];
    if (who === undefined) return args[key] === undefined ? found : shown(args[key]);
    const called = [who].flat();
    if (own !== undefined) return called.length === 1 && called[0] === me ? own : other!;
    return listing(called.map((seat) => (other && seat === me ? other : name(seat))));
  });
}

/** Who had how much at the end; where scores say only who won, the winner is marked instead. */
export function outcome(names: string[], scores: number[]): string {
  const counted = scores.some((score) => score !== 0 && score !== 1);
  return names
    .map((name, seat) =>
      counted ? `${name} ${digits(scores[seat] ?? 0)}` : scores[seat] ? `★ ${name}` : name,
    )
    .join(", ");
}

export function plural(count: number, one: string, many = one + "s"): string {
  return `${digits(count)} ${count === 1 ? one : many}`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A text as a whole sentence: a capital letter first, a full stop last. */
export function sentence(text: string): string {
  return capital(text) + (/[.!?…)]$/.test(text) ? "" : ".");
}

export function clockText(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds));
  return left < 60 ? `${left}s` : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}
