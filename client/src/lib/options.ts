// The options of a game, as its fact sheet describes them.
import type { GameSheet, OptionSchema } from "./types";

/** What an option is unless it is changed: what suits an evening with friends, else the rules' own. */
export function usualValue(sheet: GameSheet, option: OptionSchema, players: number): string {
  const suits = players >= (sheet.suggested_from?.[option.name] ?? 0);
  return String((suits ? sheet.suggested[option.name] : undefined) ?? option.default);
}

/** What an option is at a table, which may leave out one that is as the rules have it. */
export function valueAt(table: { options: Record<string, unknown> }, option: OptionSchema): string {
  return String(table.options[option.name] ?? option.default);
}
