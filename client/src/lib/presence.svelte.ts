// Who is at a table, who has lost the connection and since when, and how many look on.
import type { Presence, Text } from "./types";

const BLINK = 4000; // a player who is back sooner was never gone

type Owner = {
  /** Whether it is worth a line that the player of a seat is gone. */
  matters: (seat: number) => boolean;
  write: (text: Text, kind: string, seat: number) => void;
};

export class Attendance {
  present = $state.raw<number[] | null>(null); // the seats whose players are connected, once we know
  offline = $state.raw<Record<number, number>>({}); // by seat: since when its player is not
  watching = $state.raw(0);
  #missed = new Set<number>(); // offline players that the log mentions
  #owner: Owner;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** The log says so of players who are away for longer than a moment. */
  see({ seats, watching, offline }: Presence): void {
    const now = performance.now();
    this.present = seats;
    this.watching = watching;
    this.offline = Object.fromEntries(
      Object.entries(offline).map(([seat, seconds]) => [seat, now - 1000 * seconds]),
    );
    for (const seat of this.#missed) {
      if (seat in this.offline || !this.#missed.delete(seat)) continue;
      this.#owner.write({ text: "{who} is online again.", seats: { who: seat } }, "present", seat);
    }
    for (const seat of Object.keys(offline)) setTimeout(() => this.#miss(Number(seat)), BLINK);
  }
  /** From now on events speak of this player. */
  left(seat: number): void {
    this.#missed.delete(seat);
  }

  #miss(seat: number): void {
    if (!(seat in this.offline) || this.#missed.has(seat) || !this.#owner.matters(seat)) return;
    this.#missed.add(seat);
    this.#owner.write({ text: "{who} is offline.", seats: { who: seat } }, "absent", seat);
  }
}
