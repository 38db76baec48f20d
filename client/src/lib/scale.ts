// The scale of a chart of scores: even steps, or by tens, hundreds and thousands where even ones show one cliff.

/** Whether most of what happened would lie flat on the floor of an even scale. */
export function isSteep(series: number[][]): boolean {
  const sizes = series.flat().map(Math.abs).filter(Boolean);
  const high = Math.max(0, ...sizes);
  const flat = sizes.filter((size) => size < high / 20).length;
  return high >= 1000 && flat > sizes.length / 2;
}

/** Zero stays zero, a loss goes down as a gain goes up, and from ten on each power of ten is one step. */
export const bent = (score: number): number => Math.asinh(score / 2) / Math.LN10;

/** The numbers written beside the scale, from the lowest to the highest. */
export function marks(low: number, high: number, steep: boolean): number[] {
  if (!steep) return [low, (low + high) / 2, high].map(Math.round);
  const found = [0];
  for (let mark = 10; mark <= Math.max(high, -low); mark *= 10) {
    if (mark <= high) found.push(mark);
    if (mark <= -low) found.unshift(-mark);
  }
  return found;
}
