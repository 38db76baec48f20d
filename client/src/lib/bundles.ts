// How large groups of cards are drawn that lie before a player, each with what it makes. Pure; knows no game.

export type Bundled = {
  /** how wide a card is; 0 where only words fit */
  card: number;
  /** how large words are */
  type: number;
};

const LEAST = 19; // a card that is narrower cannot be read
export const STEP = 0.6; // of a card is seen under the next
const TALL = 1.42;
const BETWEEN = 6;
const LINE = 4;
const LARGEST = 14;
const SMALLEST = 7.5;
const LETTER = 0.66; // of its size, on average
const AROUND = 8;

/** What a group makes, in short: what its words end with. */
export const sumOf = (words: string): string => words.split("=").at(-1)!.trim();

/** The largest cards with which all groups have room, or else the largest words. */
export function bundled(
  groups: { cards: number; words: string }[],
  width: number,
  height: number,
  most: number,
): Bundled {
  for (let card = Math.floor(most); card >= LEAST; card--) {
    const type = Math.max(10, Math.min(18, 0.5 * card));
    const wide = groups.map(
      (one) => card * (1 + STEP * (one.cards - 1)) + type * LETTER * sumOf(one.words).length + 5,
    );
    if (fits(wide, TALL * card + LINE, width, height)) return { card, type };
  }
  for (let type = LARGEST; type > SMALLEST; type -= 0.5) {
    const wide = groups.map((one) => type * LETTER * one.words.length + AROUND);
    if (fits(wide, 1.3 * type + LINE, width, height)) return { card: 0, type };
  }
  return { card: 0, type: SMALLEST };
}

/** Whether boxes of one height fit into lines, one after another. */
function fits(wide: number[], high: number, width: number, height: number): boolean {
  let lines = 1;
  let used = -BETWEEN;
  for (const one of wide) {
    if (one > width) return false;
    if (used + BETWEEN + one > width) {
      lines++;
      used = -BETWEEN;
    }
    used += BETWEEN + one;
  }
  return lines * high - LINE <= height;
}
