// The stage: plays what happened, step after step, and shows the table that goes with each. What may be done next
// is shown after the last step that led to it. It knows no game, and nothing of connections.
import { alike, applyChanges, hurried, inert, stepsOf, THROW, watched, type Step } from "./beats";
import { award, burst, flash, flightTime, fly, shake, shatter } from "./motion";
import { settings } from "./settings.svelte";
import { buzz, landingSound, play, soundOf } from "./sound";
import type { Speed } from "./storage";
import type { Beat, Event, Text, View } from "./types";

const PACE: Record<Speed, number> = { slow: 1.6, normal: 1, fast: 0.45, instant: 0 };
const BACKLOG = 8000; // more than this is caught up with
const CATCH_UP = 6000;
const PATIENCE = 2.5; // of those who are out, who can skip all of it
const QUICKEST = 0.15;
const BLINK = 16; // shorter than a frame: not worth waiting for

export type Caption = { id: number; event: Event };
const STORY = 4; // of what was said last
/** What is said while dice are in the air: a result never comes before them. */
const rolling = (seat: number): Event => ({
  kind: "throw",
  text: { text: "{who|You} {who|rolls|roll}…", seats: { who: seat } },
  seat,
});
type Owner = {
  show: (view: View) => void;
  /** An event that begins, once each and in order; `aside` where it is one of many that seats show. */
  tell: (event: Event, aside: boolean) => void;
  /** Whether time is short, as at a table with a clock. */
  hasty?: () => boolean;
  /** Whether the viewer is out, and only watches. */
  watching?: () => boolean;
};
type Item = { step?: Step; done?: () => void; pause?: number; result?: Event[] };

export class Stage {
  playing = $state(false);
  waiting = $state(0); // steps that are to come
  skipping = $state(false); // until the viewer is asked
  caption = $state.raw<Caption | null>(null);
  moment = $state.raw<Caption | null>(null); // a big one, while it is held
  story = $state.raw<Caption[]>([]); // what was said before the caption, latest first
  result = $state.raw<Event[] | null>(null); // how a round came out, until it has been seen
  broken = $state(false);
  roll = $state(0);
  thrower = $state<number | null>(null); // the seat that throws the dice, or has thrown them
  held = $state(false); // they are in its hand
  throwDice = $state.raw<(() => void) | null>(null); // where they are in the viewer's
  pace = $state(1); // of the step that is played

  #queue: Item[] = [];
  #timer = 0;
  #landing = 0;
  #land: (() => void) | null = null;
  #thrown: Step | null = null; // its dice are in the air, and nobody knows yet
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

  get speed(): Speed {
    return settings.speed;
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

  /** Show how a round came out, and nothing of what follows until the viewer goes on. */
  hold(result: Event[], then: () => void): void {
    this.#queue.push({ result });
    this.then(then);
  }
  /** A new match: nothing has been said of it yet. */
  begin(): void {
    this.caption = this.moment = null;
    this.story = [];
  }
  /** Say what was last, without showing it. */
  caught(events: Event[]): void {
    const last = events.findLast((event) => !event.quiet && event.text);
    if (last) this.#say(last, false);
  }
  release(): void {
    if (!this.result) return;
    this.result = null;
    this.#next();
  }

  /** Show what happened at once, where everybody plays at the same time and nothing may wait. */
  now(events: Event[], show: () => void): void {
    const loud = events.filter((event) => !event.quiet && event.text);
    for (const event of events) {
      this.#owner.tell(event, false);
      play(soundOf(event));
    }
    const last = loud.findLast((event) => event.hold) ?? together(loud);
    if (last) this.#say(last, !!last.hold);
    if (events.some((event) => event.dice?.length)) this.roll++;
    if (last?.hold) {
      buzz();
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => (this.moment = null), 2500);
    }
    if (this.speed === "instant") show();
    else void fly(events, show);
  }

  /** Dice wait in the hand of a seat, or of none; `mine` throws them. */
  wait(seat: number | null, mine: (() => void) | null): void {
    this.held = seat !== null;
    if (seat !== null) this.thrower = seat;
    this.throwDice = mine;
  }

  /** End the step that is played. */
  skip(): void {
    if (!this.playing) this.moment = null;
    if (!this.playing || this.result) return;
    this.#land?.();
    this.#next();
  }

  /** Show where everything leads, without what is between. */
  finish(): void {
    if (!this.playing || this.result) return;
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
    for (const step of [this.#thrown, ...this.#queue.map((item) => item.step)])
      if (step?.event) this.#owner.tell(step.event, step.aside);
    this.#thrown = null;
    this.#queue = [];
    this.#stop();
    this.playing = false;
    this.moment = this.result = null;
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
      if (item.result) return this.#hold(item.result);
      const step = item.step && this.#owner.watching?.() ? watched(item.step) : item.step;
      const factor = this.#factor(step);
      const length = factor * (step?.length ?? item.pause ?? 0);
      if (step) this.#begin(step, length < BLINK ? 0 : factor);
      if (length < BLINK) continue;
      this.#timer = window.setTimeout(this.#next, length);
      this.#count();
      return;
    }
    this.#count();
    this.playing = false;
  };

  #hold(result: Event[]): void {
    this.result = result;
    play("good");
    buzz();
    this.#count();
  }

  /** How fast a step is played: never late for long, and not at all where nobody looks. */
  #factor(step: Step | undefined): number {
    if (this.#draining || this.skipping || document.hidden) return 0;
    const chosen = PACE[this.speed] * (this.#owner.hasty?.() ? 0.5 : 1);
    const out = this.#owner.watching?.() ?? false;
    const left = this.#queue.reduce((sum, { step: one }) => {
      if (!one || one.big) return sum;
      return sum + (out ? watched(one) : one).length;
    }, 0);
    const late = (chosen * left) / (out ? PATIENCE : 1);
    if (step?.big || late <= BACKLOG) return chosen;
    return chosen * Math.max(QUICKEST, CATCH_UP / late);
  }

  #begin(step: Step, factor: number): void {
    const { event, view, landed } = step;
    const shown = factor > 0;
    this.pace = factor;
    this.held = false;
    if (event && shown && step.throws) return this.#throw(event, step, factor);
    if (event) this.#tell(event, step, step.big && shown);
    if (!shown) return this.#owner.show(landed ?? view);
    if (event && !step.aside) this.#feel(event, step.big);
    if (event?.moves?.length) this.#move(event, step, factor);
    else {
      this.#owner.show(view);
      if (event) award(event, factor);
    }
  }

  #tell(event: Event, step: Step, big: boolean): void {
    this.#owner.tell(event, step.aside);
    if (!event.quiet && !step.aside && event.text) this.#say(event, big);
  }

  #feel(event: Event, big: boolean): void {
    play(soundOf(event));
    if (big || event.dice?.length) buzz();
  }

  /** Dice fly, and what they do comes when they lie still. */
  #throw(event: Event, step: Step, factor: number): void {
    this.thrower = event.seat ?? null;
    this.pace = factor * (step.throws / THROW);
    this.roll++;
    this.#thrown = step;
    this.#feel(event, false);
    if (typeof event.seat === "number") this.#say(rolling(event.seat), false);
    this.#owner.show(step.view);
    this.#later(step.throws * factor, () => {
      this.#thrown = null;
      this.#tell(event, step, step.big || (alike(event) && typeof event.amount === "number"));
      if (step.landed) this.#owner.show(step.landed);
      this.broken = step.broken;
      play(landingSound(event, step.broken, step.view, step.landed ?? step.view));
      if (step.broken) shatter(factor);
      if (step.gain) burst(step.gain, null, alike(event), factor);
      if (step.big) buzz([20, 60, 40]);
    });
  }

  /** Cards and chips that matter shine, fly, and come down. */
  #move(event: Event, step: Step, factor: number): void {
    const go = (): void => {
      void fly([event], () => this.#owner.show(step.view), factor);
      const target = event.moves?.findLast((move) => move.cards?.length && move.to)?.to ?? null;
      if (step.lead)
        this.#later(flightTime(event, factor), () => {
          if (step.gain) burst(step.gain, target, true, factor);
          if (step.big) shake();
        });
    };
    if (!step.lead) return go();
    this.#owner.show(step.before);
    flash(event, step.lead * factor);
    this.#later(step.lead * factor, go, () => this.#owner.show(step.view));
  }

  /** Do something in the middle of a step; if the step is ended before, do the other thing instead. */
  #later(length: number, then: () => void, ended = then): void {
    const once = (what: () => void) => (): void => {
      clearTimeout(this.#landing);
      this.#land = null;
      what();
    };
    this.#land = once(ended);
    this.#landing = window.setTimeout(once(then), length);
  }

  #say(event: Event, big: boolean): void {
    if (this.caption?.event !== event) {
      const last = this.caption;
      if (last && last.event.kind !== "throw") this.story = [last, ...this.story].slice(0, STORY);
      this.caption = { id: ++this.#number, event };
    }
    if (big) this.moment = this.caption;
  }
}

/** What one player did at the same time as one event, which says all of it. */
function together(events: Event[]): Event | undefined {
  const last = events.at(-1);
  const same = events.slice(events.findLastIndex((event) => event.seat !== last?.seat) + 1);
  if (!last || same.length < 2 || typeof last.seat !== "number") return last;
  return { ...last, text: { text: same.map((_, at) => `{${at}}`).join(" "), args: textsOf(same) } };
}
const textsOf = (events: Event[]): Record<string, Text> =>
  Object.fromEntries(events.map((event, at) => [`${at}`, event.text]));

const beatAfter = (view: View, beat: Beat): View => (beat.changes ? applyChanges(view, beat.changes) : view);
