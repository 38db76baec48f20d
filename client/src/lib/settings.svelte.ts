// What this person has chosen, wherever it is shown or asked for; kept in this browser.
import { keepPreferences, preferences, type Preferences } from "./storage";

export const settings = $state<Preferences>(preferences());

export function choose(part: Partial<Preferences>): void {
  Object.assign(settings, part);
  keepPreferences(part);
  dress();
}

/** Lay the hand by suit, or again by rank. */
export const sortHand = (): void => choose({ hand: settings.hand === "rank" ? "suit" : "rank" });

/** Dress the page as it was chosen: light or dark, and how large its words are. */
export function dress(): void {
  const { theme, text } = settings;
  Object.assign(document.documentElement.dataset, { theme, text });
  for (const [scheme, meta] of ["light", "dark"].map((one) => [one, colourOf(one)] as const))
    if (meta)
      meta.media =
        theme === "system" ? `(prefers-color-scheme: ${scheme})` : theme === scheme ? "all" : "not all";
}
/** The colour of the browser's own bars. */
const colourOf = (scheme: string): HTMLMetaElement | null => document.querySelector(`#${scheme}-colour`);
