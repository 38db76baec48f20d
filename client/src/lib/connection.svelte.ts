// A seat at a table, or a place to watch it from: what the page shows of the table, and what its player does. What
// happened goes to the stage, beat by beat and in order; what this says of the table is what the stage has shown so
// far. How messages travel is the business of socket.ts, outbox.svelte.ts and updates.ts.
import { Autopilot } from "./autopilot.svelte";
import { emptied, isStory, OUT } from "./beats";
import { mayHint } from "./hint";
import { Journal, type Line } from "./journal.svelte";
import type { Action } from "./offers";
import { Outbox, type Command, type Content } from "./outbox.svelte";
import { Attendance } from "./presence.svelte";
import { lookForNewer } from "./newer.svelte";
import { Keeper } from "./proof";
import { Socket } from "./socket";
import { keysOf, dropKeys, keepFinished, keepRecent, reloadOnce, reloaded } from "./storage";
import { settings } from "./settings.svelte";
import { play as playSound } from "./sound";
import { Stage } from "./stage.svelte";
import { thought } from "./thought";
import type {
  Answer,
  ChatMessage,
  Event,
  Hello,
  Order,
  Outbound,
  TableEvent,
  TableView,
  Text,
  Update,
  View,
  Welcome,
} from "./types";
import { Updates } from "./updates";
import { namesOf, render, sentence, type Names } from "./words";

export type Refusal = { text: string; rule: string | null };
export type Flying = { id: number; seat: number; emoji: string };
/** What a table on the screen needs of a connection; that of a lesson has it, too. */
export type Seated = Pick<
  TableConnection,
  | ("table" | "view" | "seat" | "names" | "stage" | "present" | "flying" | "order" | "hint" | "thinking")
  | ("myTurn" | "isOut" | "isHost" | "pending" | "sending" | "refusal" | "missed" | "asking")
  | ("play" | "tryMove" | "refuse" | "miss" | "askHint" | "askTwice" | "give" | "act")
>;
type Deed = Extract<Command, { type: "do" }>["what"];

const VERSION = 1; // of the messages to and from the server
const ROLL = {
  kind: "button",
  move: "roll",
  label: "Roll",
  key: "r",
  hint: "",
  final: false,
  idle: false,
  zone: null,
  confirm: null,
  lit: false,
  auto: false,
} as const;
// After these refusals nothing more will come from the table.
const FATAL = new Set(["bad_token", "no_seat", "no_table", "no_spectators", "version", "closed"]);
const READY = "ready"; // has looked at the cards
const GO: Event = { kind: "go", text: "Go!", hold: true };
const NOTICED = 250;
const READ = 5000; // a refusal stays for as long, whatever happens

export class TableConnection {
  table = $state.raw<TableView | null>(null);
  view = $state.raw<View | null>(null);
  decision = $state.raw<number | null>(null);
  seat = $state.raw<number | null>(null);
  whyAway = $state.raw(""); // why a bot plays for us: time, offline, or nothing
  online = $state.raw(false);
  shut = $state.raw<{ error: string; text: string } | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  missed = $state(""); // why what was pressed last was not played, in a sentence for the place where it was pressed
  hint = $state.raw<{ move: string; why: string } | null>(null);
  asking = $state.raw<Action | null>(null); // its key was pressed once, and has to be pressed again
  flying = $state.raw<Flying[]>([]);
  thinking = $state.raw(false); // about a hint
  pending = $state.raw<string | null>(null); // the move that was made and has had no effect yet
  sending = $state.raw(false); // it has not been answered for longer than people notice
  since = $state.raw<Record<number, number>>({}); // by seat: when its turn came, as far as we saw it
  seq = 0;

  readonly stage = new Stage({
    show: (view) => (this.view = view),
    tell: (event, aside) => {
      if (!aside || event.seat === this.seat) this.#journal.tell(event, aside);
    },
    hasty: () => this.table?.settings.clock !== null,
    watching: () => this.isOut,
  });

  readonly keeper: Keeper;
  #socket: Socket;
  #outbox: Outbox;
  #updates = new Updates((update) => this.#update(update));
  #journal = new Journal({ seq: () => this.seq, names: () => this.names });
  #attendance = new Attendance({
    matters: (seat) => this.online && this.table?.status === "playing" && !this.table.seats[seat]?.away,
    write: (text, kind, seat) => this.#journal.write(text, kind, seat),
  });
  #autopilot = new Autopilot({
    asked: () => (this.myTurn ? this.view : null),
    view: () => this.view,
    decision: () => this.decision,
    pause: () => thought(this.table, this.seat),
    play: (move) => void this.play(move, true),
  });
  #last: View | null = null; // as received; the stage may still be on its way there

  constructor(
    readonly code: string,
    readonly watchOnly = false,
  ) {
    this.keeper = new Keeper(code, () => this.seat);
    this.#socket = new Socket({
      hello: () => this.#hello(),
      hear: (message) => this.#receive(message),
      lost: () => (this.online = false),
      patient: () => this.thinking,
    });
    this.#outbox = new Outbox(this.#socket, this.keeper);
  }

  close(): void {
    this.#socket.close();
    this.#autopilot.close();
    this.stage.close();
  }

  get log(): Line[] {
    return this.#journal.log;
  }
  set log(lines: Line[]) {
    this.#journal.log = lines;
  }
  get chat(): ChatMessage[] {
    return this.#journal.chat;
  }
  /** For those who hear the page. */
  get news(): { id: number; text: string }[] {
    return this.#journal.news;
  }
  /** The seats whose players are connected, once we know. */
  get present(): number[] | null {
    return this.#attendance.present;
  }
  /** By seat: since when its player is offline. */
  get offline(): Record<number, number> {
    return this.#attendance.offline;
  }
  get watching(): number {
    return this.#attendance.watching;
  }
  /** How many commands are not answered yet. */
  get busy(): number {
    return this.#outbox.busy;
  }
  get order(): { order: Order; chosen: number | null } | null {
    return this.#autopilot.order;
  }

  get names(): Names {
    return Object.assign(this.table ? namesOf(this.table) : [], { me: this.seat });
  }
  get myTurn(): boolean {
    return (
      this.seat !== null &&
      this.table?.status === "playing" &&
      !!this.view?.actors.includes(this.seat) &&
      !!this.view.offers.length
    );
  }
  /** Out, and nothing to decide until the next round. */
  get isOut(): boolean {
    return this.seat !== null && OUT.includes(this.view?.seats[this.seat]?.status ?? "in");
  }
  get isHost(): boolean {
    return this.seat === 0;
  }
  get token(): string | null {
    return this.watchOnly ? null : (keysOf(this.code)?.token ?? null);
  }

  // Sending

  send<Type extends Command["type"]>(type: Type, content: Content<Type>): Promise<Answer> {
    return this.#outbox.send(type, content);
  }

  /** Play a move without saying so where it is refused: the answer says why. */
  tryMove(move: string): Promise<Answer> {
    return this.send("move", { move, decision: this.decision ?? 0 });
  }

  async play(move: string, quiet = false): Promise<boolean> {
    if (this.pending !== null && !this.table?.realtime) return false;
    if (move === ROLL.move) return this.roll();
    if (move === READY) return this.act(READY); // no move of the game, so it counts for nothing in the draws
    this.refusal = this.hint = this.asking = null;
    this.missed = "";
    this.pending = move;
    const slow = setTimeout(() => (this.sending = true), NOTICED);
    const answer = await this.tryMove(move);
    clearTimeout(slow);
    this.sending = false;
    const settle = (): void => void (this.pending = this.pending === move ? null : this.pending);
    if (answer.ok && (answer.seq ?? 0) > this.seq) setTimeout(settle, 1500);
    else settle();
    if (answer.ok || quiet) return answer.ok;
    if (answer.error === "stale")
      this.miss("The table has just changed, so this wasn’t played. Choose again.");
    else this.refuse(answer);
    return false;
  }

  /** Throw the dice, if they are in our hand. Where it comes too late, they have rolled already. */
  async roll(): Promise<boolean> {
    if (this.pending !== null || !this.stage.throwDice) return false;
    this.pending = ROLL.move;
    const answer = await this.send("roll", { decision: this.decision ?? 0 });
    if (!answer.ok) this.pending = null;
    return answer.ok;
  }

  act(what: Deed): Promise<boolean> {
    return this.command("do", { what });
  }

  async command<Type extends Command["type"]>(type: Type, content: Content<Type>): Promise<boolean> {
    const answer = await this.send(type, content);
    if (!answer.ok) this.refuse(answer);
    return answer.ok;
  }

  async askHint(): Promise<void> {
    if (this.thinking) return;
    this.thinking = true;
    this.refusal = null;
    const asked = this.decision;
    const answer = await this.send("hint", {});
    this.thinking = false;
    if (this.decision !== asked || !mayHint(this)) return;
    if (answer.ok && answer.move) this.hint = { move: answer.move, why: answer.why ?? "" };
    else if (!answer.ok) this.refuse(answer);
  }

  #refusedAt = 0;
  refuse(answer: { text?: string | null; rule?: string | null }): void {
    this.#refusedAt = performance.now();
    this.refusal = { text: sentence(answer.text ?? "That isn’t possible."), rule: answer.rule ?? null };
    playSound("no");
  }

  #missing = 0;
  /** What was pressed is not played, and the buttons are as they were. */
  miss(why: string): void {
    this.missed = why;
    clearTimeout(this.#missing);
    this.#missing = window.setTimeout(() => (this.missed = ""), READ);
    playSound("no");
  }

  /** A key pressed by mistake gives nothing up: it is asked for once more, for a while. */
  askTwice(action: Action): void {
    this.asking = action;
    setTimeout(() => (this.asking = this.asking === action ? null : this.asking), 4000);
  }

  give(order: Order | null, chosen: number | null = null): void {
    this.#autopilot.give(order, chosen);
    this.#obey();
  }

  // Receiving

  #hello(): Hello {
    return {
      type: "hello",
      table: this.code,
      token: this.token,
      since: this.seq,
      version: VERSION,
      differences: true,
    };
  }

  #receive(message: Outbound): void {
    switch (message.type) {
      case "welcome":
        this.#updates.begin(message);
        this.#welcome(message);
        return this.keeper.watch(message, true);
      case "update":
        this.#updates.push(message);
        return this.keeper.watch(message, false);
      case "answer":
        return this.#outbox.answered(message);
      case "presence":
        return this.#attendance.see(message);
      case "reaction": {
        const one = { id: Math.random(), seat: message.seat, emoji: message.emoji };
        this.flying = [...this.flying.slice(-8), one];
        setTimeout(() => (this.flying = this.flying.filter((other) => other.id !== one.id)), 2600);
        return;
      }
      case "history_changed":
        location.reload();
        return;
      case "refused":
        if (message.error === "version" && reloadOnce()) return;
        if (FATAL.has(message.error)) this.#shut(message);
        else if (message.error !== "unreadable") this.refuse(message);
        else this.#outbox.unreadable(message.text);
    }
  }

  #shut(refused: { error: string; text: string }): void {
    if (refused.error === "bad_token" || refused.error === "no_seat") dropKeys(this.code);
    this.shut = refused;
    this.online = false;
    this.#socket.close();
  }

  #welcome(message: Welcome): void {
    this.#socket.welcomed();
    reloaded();
    if (this.seq) void lookForNewer();
    this.online = true;
    this.seq = message.seq;
    this.seat = message.seat;
    this.table = message.table;
    const now = performance.now();
    this.since = Object.fromEntries(
      Object.entries(message.elapsed).map(([seat, seconds]) => [seat, now - 1000 * seconds]),
    );
    this.stage.clear();
    this.#last = message.view;
    this.view = this.#asked(message.view);
    this.decision = message.decision;
    this.#journal.chat = message.chat;
    if (!this.#outbox.has("move")) this.pending = null;
    keepRecent(this.code, message.table.title, message.seat);
    this.#outbox.resend();
    this.#hearPromises(message);
    this.#after();
  }

  #update(update: Update): void {
    // what only we may know has no number of its own
    const events = update.events.filter((event) => event.seq > this.seq || (event.quiet && update.table));
    if (!events.length) return;
    if (this.seq && events[0] && events[0].seq > this.seq + 1) {
      this.#socket.renew();
      return;
    }
    this.seq = update.seq;
    for (const event of events) this.#hear(event);
    this.#hearPromises({ ...update, events });
    if (update.table === undefined) return this.#journal.catchUp(events); // a welcome follows
    if (update.view !== undefined) this.#notice(this.#last, update.view);
    this.#play(events, update);
    this.#last = update.view ?? null;
  }

  /** This player's part in the next match is sent as soon as the server has promised its draws. */
  #hearPromises(message: Parameters<Keeper["hear"]>[0]): void {
    this.keeper.hear(message);
    const share = this.keeper.share();
    if (share)
      void this.send("share", share).then(({ ok }) => {
        if (ok) this.keeper.shared(share.match);
      });
  }

  /** Everything that happens passes here, in order: the stage plays it, and then the table is as it is now. */
  #play(events: TableEvent[], update: Update): void {
    const beats = events.flatMap((event) => event.beats);
    const begins = events.some((event) => event.kind === "started");
    const after = update.view ?? null;
    const before = begins && after ? emptied(after, beats) : this.#last;
    const others = (): void => {
      for (const { kind, seat = null, line } of events)
        if (line && kind !== "go") this.#journal.write(line, kind, seat); // Go is a moment of its own
    };
    if (begins)
      this.stage.then(() => {
        this.#journal.begin();
        this.stage.begin();
        if (!before) return;
        this.view = before;
        this.table = { ...update.table!, status: "playing", result: null };
      });
    if (events.some((event) => event.kind === "go")) {
      this.stage.release(); // what is still being read gives way
      this.stage.then(() => this.stage.now([GO], () => this.#show(update)));
      others();
    } else if (!after || !before || !beats.length) {
      this.stage.then(() => {
        others();
        this.#show(update);
      });
    } else if (update.table?.realtime) {
      const show = (): void => this.#show(update);
      const happened = beats.flatMap((beat) => beat.events);
      const live = (): void => this.stage.now(happened, show);
      // How a round came out stays until it has been seen; what has begun behind it comes after it.
      const story = beats.findLast(isStory)?.events;
      if (story) {
        for (const event of happened) this.#journal.tell(event, false);
        this.stage.hold(story.slice(story.findIndex((event) => event.hold)), () => {
          this.stage.caught(happened);
          show();
        });
      } else if (this.stage.playing) this.stage.then(live);
      // The page that draws a new table needs a moment before cards can fly on it.
      else if (begins) setTimeout(live, 30);
      else live();
      others();
    } else {
      if (begins) this.stage.rest(250);
      this.stage.add(beats, before, after, () => {
        others();
        this.#show(update);
      });
    }
  }

  #show(update: Update): void {
    if (update.table) this.table = update.table;
    if (update.view !== undefined) this.view = this.#asked(update.view);
    if (update.decision !== undefined && update.decision !== this.decision) {
      this.decision = update.decision;
      this.hint = this.asking = null;
      // What was refused because the table moved on is still to be read when it does.
      if (performance.now() - this.#refusedAt > READ) this.refusal = null;
    }
    this.pending = null;
    const asked = this.myTurn && !this.order;
    if (asked || this.table?.status !== "playing") this.stage.asked();
    if (asked && !this.stage.skipping && update.events.some((event) => event.beats.length))
      this.#journal.speak("Your turn.");
    this.#after();
  }

  /** The table with what this client asks by itself: whose throw the match waits for. */
  #asked(view: View | null): View | null {
    const roller = this.table?.rolling ?? null;
    const mine = roller !== null && roller === this.seat && !this.table!.seats[roller]!.away;
    this.stage.wait(view && roller, mine ? () => void this.roll() : null);
    if (!view || roller === null) return view;
    const own = view.waiting_for === "chance" ? view.prompt : "Your roll."; // with what it may bring
    const prompt: Text = mine ? own : { text: "{who} rolls…", seats: { who: roller } };
    return { ...view, actors: [roller], prompt, offers: mine ? [ROLL] : [] };
  }

  #notice(before: View | null, now: View | null): void {
    const same =
      before?.turn === now?.turn && render(before?.phase ?? "", []) === render(now?.phase ?? "", []);
    const clock = performance.now();
    const known = (seat: number): number | undefined =>
      same && before?.actors.includes(seat) ? this.since[seat] : clock;
    const entries = (now?.actors ?? [])
      .map((seat) => [seat, known(seat)] as const)
      .filter(([, at]) => at !== undefined);
    this.since = Object.fromEntries(entries) as Record<number, number>;
  }

  /** What is heard at once, whatever is still being shown. */
  #hear(event: TableEvent): void {
    const { kind, seat = null, why } = event;
    if (kind === "away" && seat !== null) this.#attendance.left(seat);
    if (kind === "away" && seat === this.seat) this.whyAway = why ?? "";
    this.#journal.hear(event);
  }

  #after(): void {
    const { table, view, seat } = this;
    if (table?.status === "over" && view && seat !== null && (table.result ?? view.over)) {
      const { scores, winners } = table.result ?? view;
      keepFinished({
        code: this.code,
        match: table.match,
        game: table.game,
        title: table.title,
        at: Date.now(),
        names: this.names,
        scores: [...scores],
        winners: [...winners],
        seat,
      });
    }
    this.#obey();
  }

  #obey(): void {
    this.#autopilot.expire();
    if (this.stage.throwDice && (this.order || settings.rollForMe)) return void this.roll();
    this.#autopilot.obey();
  }
}
