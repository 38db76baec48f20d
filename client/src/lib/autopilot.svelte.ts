// A standing order of the player, such as to go on until a counter is at three: it is obeyed whenever the player is
// asked, and over when it is done or what it counts begins anew.
import { obey } from "./offers";
import type { Order, View } from "./types";

type Owner = {
  /** The table while the player is asked something. */
  asked: () => View | null;
  view: () => View | null;
  decision: () => number | null;
  /** How long to think before a move, so that an order looks like a player. */
  pause: () => number;
  play: (move: string) => void;
};

export class Autopilot {
  order = $state.raw<{ order: Order; chosen: number | null } | null>(null);
  #owner: Owner;
  #obeyed = "";
  #counted = 0;
  #closed = false;

  constructor(owner: Owner) {
    this.#owner = owner;
  }
  close(): void {
    this.#closed = true;
  }
  give(order: Order | null, chosen: number | null): void {
    this.order = order ? { order, chosen } : null;
  }

  /** What the order counts, if the table shows it. */
  #counter(): number | undefined {
    return this.#owner.view()?.counters.find((one) => one.id === this.order?.order.counter)?.value;
  }
  /** Orders are for this round: when what they count begins anew, they are over. */
  expire(): void {
    const counter = this.#counter();
    if (this.order && counter !== undefined && counter < this.#counted) this.order = null;
    this.#counted = counter ?? 0;
  }
  obey(): void {
    const view = this.#owner.asked();
    const given = this.order;
    if (!given || !view) return;
    const asked = `${this.#owner.decision()}`;
    if (this.#obeyed === asked) return;
    const move = obey(given.order, view, given.chosen);
    if (move === null) {
      // a move that cannot be made again is no reason to stop; the order's bound is
      const counter = this.#counter();
      const bound = given.order.below ?? given.chosen ?? 0;
      if (counter === undefined || counter >= bound) this.order = null;
      return;
    }
    this.#obeyed = asked;
    setTimeout(() => {
      if (`${this.#owner.decision()}` !== asked || this.#closed) return;
      if (!this.order || !this.#owner.asked()) {
        this.#obeyed = ""; // what happens meanwhile is shown first
        return;
      }
      if (move === this.order.order.then) this.order = null;
      this.#owner.play(move);
    }, this.#owner.pause());
  }
}
