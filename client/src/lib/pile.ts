// The top of a pile, also where the rules keep no order and the cards come sorted.
import type { Card } from "./types";

export class Pile {
  #before: Card[] = [];
  #top: Card | undefined;

  /** The card that came last, as far as it was seen to come; else the first one. */
  top(cards: Card[]): Card | undefined {
    const left = this.#before.map((one) => one.card);
    const added = cards.filter(({ card }) => {
      const at = left.indexOf(card);
      return at < 0 || !left.splice(at, 1).length;
    });
    if (this.#before.length && added.length && cards.length > this.#before.length) this.#top = added.at(-1);
    else if (cards.length !== this.#before.length || added.length) this.#top = cards[0];
    this.#before = cards;
    return this.#top;
  }
}
