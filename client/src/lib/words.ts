// Sentences of the house, with people's names in them.
import type { Table } from "./model";

export function namesOf(table: Table): string[] {
  return table.seats.map((seat, at) => seat.name || `Seat ${at + 1}`);
}

/** `seat 2` becomes the name of whoever sits there. */
export function named(text: string, names: string[]): string {
  return text.replace(/\b[Ss]eat (\d+)/g, (whole, at) => names[Number(at)] ?? whole);
}

const number = new Intl.NumberFormat("en");
export const digits = (value: number): string => number.format(value);

export function listing(words: string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export function plural(count: number, one: string, many = one + "s"): string {
  return `${digits(count)} ${count === 1 ? one : many}`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function clockText(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds));
  return left < 60 ? `${left}s` : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}
