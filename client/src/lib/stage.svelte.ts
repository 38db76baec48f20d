// The stage: plays what happened, step after step, and shows the table that goes with each. What may be done next
// is shown after the last step that led to it. It knows no game, and nothing of connections.
import { applyChanges, hurried, inert, stepsOf, type Step } from "./beats";
import { award, fly } from "./motion";
import { keepPreferences, preferences, type Speed } from "./storage";
import type { Beat, Event, View } from "./types";

export const SPEEDS: Speed[] = ["slow", "normal", "fast", "instant"];
const PACE: Record<Speed, number> = { slow: 1.6, normal: 1, fast: 0.45, instant: 0 };
const BACKLOG = 8000; // more than this is caught up with
const CATCH_UP = 6000;
const QUICKEST = 0.15;
const BLINK = 16; // shorter than a frame: not worth waiting for

export type Caption = { id: number; event: Event };
type Owner = {
  show: (view: View) => void;
  /** An event that begins, once each and in order; `aside` where it is one of many that seats show. */
  tell: (event: Event, aside: boolean) => void;
  /** Whether time is short, as at a table with a clock. */
  hasty?: () => boolean;
};
type Item = { step?: Step; done?: () => void; pause?: number };

export class Stage {
  speed = $state<Speed>(preferences().speed);
  playing = $state(false);
  waiting = $state(0); // steps that are to come
  skipping = $state(false); // until the viewer is asked
  caption = $state.raw<Caption | null>(null);
  moment = $state.raw<Caption | null>(null); // a big one, while it is held
  broken = $state(false);
  roll = $state(0);
  pace = $state(1); // of the step that is played

  #queue: Item[] = [];
  #timer = 0;
  #landing = 0;
  #land: (() => void) | null = null;
  #owner: Owner;
  #draining = false;
  #number = 0;

  constructor(owner: Owner) {
    this.#owner = owner;
    document.addEventListener("visibilitychange", this.#hide);
  }
  close(): void {
    this.clear();
    document.removeEventListener("visibilitychange", this.#hide);
  }
  #hide = (): void => {
    if (document.hidden) this.finish();
  };

  /** Choose how fast things are shown, here and in every match to come. */
  setSpeed(speed: Speed): void {
    this.speed = speed;
    keepPreferences({ ...preferences(), speed });
    if (speed === "instant") this.finish();
  }

  /** Play beats that lead from one look at the table to another, then do what comes after them. */
  add(beats: Beat[], before: View, after: View, done: () => void): void {
    const steps: Step[] = [];
    let shown = inert(before);
    beats.forEach((beat, at) => {
      const next = at === beats.length - 1 ? inert(after) : beatAfter(shown, beat);
      steps.push(...stepsOf(shown, beat, next));
      shown = next;
    });
    this.#queue.push(...hurried(steps).map((step) => ({ step })));
    this.then(done);
  }

  /** Do something once everything before it has been played. */
  then(done: () => void): void {
    this.#queue.push({ done });
    if (!this.playing) this.#next();
    else this.#count();
  }

  /** Let some time pass. */
  rest(length: number): void {
    this.#queue.push({ pause: length });
  }

  /** Show what happened at once, where everybody plays at the same time and nothing may wait. */
  now(events: Event[], show: () => void): void {
    const loud = events.filter((event) => !event.quiet && event.text);
    for (const event of events) this.#owner.tell(event, false);
    const last = loud.findLast((event) => event.hold) ?? loud.at(-1);
    if (last) this.#say(last, !!last.hold);
    if (events.some((event) => event.dice?.length)) this.roll++;
    if (last?.hold) {
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => (this.moment = null), 2500);
    }
    if (this.speed === "instant") show();
    else void fly(events, show);
  }

  /** End the step that is played. */
  skip(): void {
    if (!this.playing) {
      this.moment = null;
      return;
    }
    this.#land?.();
    this.#next();
  }

  /** Show where everything leads, without what is between. */
  finish(): void {
    if (!this.playing) return;
    this.#land?.();
    this.#draining = true;
    this.#next();
    this.#draining = false;
  }

  /** Skip all that happens until the viewer is asked; `asked` says when. */
  skipAhead(): void {
    this.skipping = true;
    this.finish();
  }
  asked(): void {
    this.skipping = false;
  }

  /** Forget what is to come, but for telling it. */
  clear(): void {
    for (const { step } of this.#queue) if (step?.event) this.#owner.tell(step.event, step.aside);
    this.#queue = [];
    this.#stop();
    this.playing = false;
    this.moment = null;
    this.broken = false;
    this.waiting = 0;
  }

  #stop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#landing);
    this.#land = null;
  }
  #count(): void {
    this.waiting = this.#queue.filter((item) => item.step?.event).length;
  }

  #next = (): void => {
    this.#stop();
    this.playing = true;
    this.moment = null;
    this.broken = false;
    for (;;) {
      const item = this.#queue.shift();
      if (!item) break;
      item.done?.();
      const factor = this.#factor(item.step);
      const length = factor * (item.step?.length ?? item.pause ?? 0);
      if (item.step) this.#begin(item.step, length < BLINK ? 0 : factor);
      if (length < BLINK) continue;
      this.#timer = window.setTimeout(this.#next, length);
      this.#count();
      return;
    }
    this.#count();
    this.playing = false;
  };

  /** How fast a step is played: never late for long, and not at all where nobody looks. */
  #factor(step: Step | undefined): number {
    if (this.#draining || this.skipping || document.hidden) return 0;
    const chosen = PACE[this.speed] * (this.#owner.hasty?.() ? 0.5 : 1);
    const left = this.#queue.reduce((sum, { step }) => sum + (step && !step.big ? step.length : 0), 0);
    if (step?.big || chosen * left <= BACKLOG) return chosen;
    return chosen * Math.max(QUICKEST, CATCH_UP / (chosen * left));
  }

  #begin(step: Step, factor: number): void {
    const { event, view, landed } = step;
    const shown = factor > 0;
    this.pace = factor;
    if (event) {
      this.#owner.tell(event, step.aside);
      if (!event.quiet && !step.aside && event.text) this.#say(event, step.big && shown && !step.throws);
    }
    if (!shown) return this.#owner.show(landed ?? view);
    if (step.throws) {
      this.roll++;
      this.#land = () => {
        clearTimeout(this.#landing);
        this.#land = null;
        if (landed) this.#owner.show(landed);
        this.broken = step.broken;
        if (step.big && event) this.#say(event, true);
      };
      this.#landing = window.setTimeout(this.#land, step.throws * factor);
    }
    if (event?.moves?.length) void fly([event], () => this.#owner.show(view), factor);
    else {
      this.#owner.show(view);
      if (event && !step.throws) award(event, factor);
    }
  }

  #say(event: Event, big: boolean): void {
    if (this.caption?.event !== event) this.caption = { id: ++this.#number, event };
    if (big) this.moment = this.caption;
  }
}

const beatAfter = (view: View, beat: Beat): View => (beat.changes ? applyChanges(view, beat.changes) : view);
