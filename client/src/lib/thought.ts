// How late the page answers by itself: an answer that came at once, or always after the same time, would tell other
// people that nobody thought about it.
import type { TableView } from "./types";

const THOUGHT = 500; // milliseconds: at least this long, and at most that much longer
const MORE_THOUGHT = 700;

/** A pause before an answer that the player need not give by hand; none where bots alone sit with them. */
export function thought(table: TableView | null, seat: number | null): number {
  const watched = table?.seats.some((one, at) => at !== seat && one.kind === "person");
  return watched ? THOUGHT + Math.random() * MORE_THOUGHT : 0;
}
