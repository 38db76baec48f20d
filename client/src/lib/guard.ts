// Nothing is pressed by a finger that was on its way to something else: what can be pressed has to have stood for a
// moment.
const HANDS_OFF = 350;

export class Guard {
  #before = "";
  #changed = -HANDS_OFF;
  #touched = -HANDS_OFF;

  /** What can be pressed now, as one text. */
  saw(meaning: string): void {
    if (!meaning) return;
    const now = performance.now();
    if (this.#before && (this.#before !== meaning || now - this.#touched < HANDS_OFF)) this.#changed = now;
    this.#before = meaning;
  }
  touched(): void {
    this.#touched = performance.now();
  }
  recent(): boolean {
    return performance.now() - this.#touched < 2 * HANDS_OFF;
  }
  /** Whether a press was meant for what stood there before; keys mean what they mean. */
  early(event?: MouseEvent): boolean {
    return !!event?.detail && performance.now() - this.#changed < HANDS_OFF;
  }
}
