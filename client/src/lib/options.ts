// The options of a game, as its fact sheet describes them.
import type { GameSheet, OptionSchema } from "./types";

/** What an option is unless it is changed: what suits an evening with friends, else the rules' own. */
export function usualValue(sheet: GameSheet, option: OptionSchema, players: number): string {
  const suits = players >= (sheet.suggested_from?.[option.name] ?? 0);
  return String((suits ? sheet.suggested[option.name] : undefined) ?? option.default);
}
