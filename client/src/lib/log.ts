// The lines of a log as they are read: what is said again and again is one line with a number. Pure.
import type { Line } from "./journal.svelte";

export type Read = Line & { times: number };

const APART = 2; // other lines between two that are the same, such as “Everyone stays.” after every roll

/** A line that says the same as one of the last takes its place. What players do is kept apart by what others do. */
export function folded(lines: Line[]): Read[] {
  const read: Read[] = [];
  const said: string[] = []; // what the lines of `read` say, to be compared
  for (const line of lines) {
    const now = JSON.stringify([line.kind, line.seat, line.text]);
    const before = said.lastIndexOf(now);
    const between = read.slice(before + 1);
    const near =
      before >= 0 &&
      between.length <= (line.seat === null ? APART : 1) &&
      (line.seat === null || between.every((one) => one.seat === line.seat));
    const times = near ? 1 + read[before]!.times : 1;
    if (near) {
      read.splice(before, 1);
      said.splice(before, 1);
    }
    read.push({ ...line, key: near ? `${line.key} ${times}` : line.key, times });
    said.push(now);
  }
  return read;
}
