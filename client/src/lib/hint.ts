// When a player may ask for a hint: while something is asked of them that a hint can answer, and nobody else is
// waited for.
import type { Seated } from "./connection.svelte";

export function mayHint({ table, view, seat, myTurn, order, stage }: Seated): boolean {
  if (!table?.settings.hints || seat === null || !myTurn || order) return false;
  const decided = table.sealed.includes(seat) || view?.seats[seat]?.status === "decided";
  return !decided && !stage.throwDice && !table.looking.length;
}
