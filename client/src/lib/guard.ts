// Nothing is pressed by a finger that was on its way to something else: what can be pressed has to have stood for a
// moment, and what is final is not pressed where something else was pressed a moment ago.
const HANDS_OFF = 350;
const SURE = 700; // milliseconds between a press and one at the same place that gives something up
const NEAR = 60; // pixels
const KEPT = 6; // presses that are remembered

type Press = { x: number; y: number; at: number };

export class Guard {
  #before = "";
  #changed = -HANDS_OFF;
  #presses: Press[] = [];

  /** What can be pressed now, as one text. */
  saw(meaning: string): void {
    if (!meaning) return;
    const now = performance.now();
    if (this.#before && (this.#before !== meaning || now - this.#touched < HANDS_OFF)) this.#changed = now;
    this.#before = meaning;
  }
  touched({ clientX: x, clientY: y }: PointerEvent): void {
    this.#presses = [...this.#presses, { x, y, at: performance.now() }].slice(-KEPT);
  }
  get #touched(): number {
    return this.#presses.at(-1)?.at ?? -HANDS_OFF;
  }
  recent(): boolean {
    return performance.now() - this.#touched < 2 * HANDS_OFF;
  }
  /** Whether a press was meant for what stood there before; keys mean what they mean. */
  early(event?: MouseEvent, final = false): boolean {
    if (!event?.detail) return false;
    const now = performance.now();
    if (now - this.#changed < HANDS_OFF) return true;
    const near = ({ x, y }: Press): boolean => Math.hypot(x - event.clientX, y - event.clientY) < NEAR;
    // The last press is the one that this click ends.
    const before = this.#presses.slice(0, -1);
    const refused = final && before.some((press) => now - press.at < SURE && near(press));
    if (refused) this.#presses = before; // another press, a moment later, is meant
    return refused;
  }
}
