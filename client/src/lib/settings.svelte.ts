// What this person has chosen, wherever it is shown or asked for; kept in this browser.
import { keepPreferences, preferences, type Preferences } from "./storage";

export const settings = $state<Preferences>(preferences());

export function choose(part: Partial<Preferences>): void {
  Object.assign(settings, part);
  keepPreferences(part);
}

/** Lay the hand by suit, or again by rank. */
export const sortHand = (): void => choose({ hand: settings.hand === "rank" ? "suit" : "rank" });
