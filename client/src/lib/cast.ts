// The cast: everyone who plays as a bot. Knows names and levels as the server tells them, and no game.
import type { CharacterSheet, GameSheet, SeatInfo } from "./types";

const LEVELS = ["easy", "medium", "hard", "expert"];

/** The levels that a game has, from the weakest. */
export const levelsOf = (sheet: GameSheet | null): string[] =>
  LEVELS.filter((level) => (sheet?.bots ?? []).some((bot) => bot.name === level));

/** How many of four bars a level fills. */
export const barsOf = (level: string): number => LEVELS.indexOf(level) + 1;

/** Who a bot is, in a few words: `hard`, or the bot's own name if it is none of the levels. */
export const standing = (seat: SeatInfo): string => seat.level || `${seat.bot ?? ""} bot`;

/** The characters that could still sit down: everyone but those who sit elsewhere at the table. */
export function free(cast: CharacterSheet[], seats: SeatInfo[], at: number): CharacterSheet[] {
  const taken = new Set(seats.filter((_, seat) => seat !== at).map((seat) => seat.name.toLowerCase()));
  return cast.filter((one) => !taken.has(one.name.toLowerCase()));
}
