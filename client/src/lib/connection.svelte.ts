// The connection to a table: it reconnects by itself, sends again what was not answered, and hands what happened
// to the stage, beat by beat and in order. What it says of the table is what the stage has shown so far.
import { keysOf, dropKeys, keepFinished, keepRecent, random, reloadOnce, reloaded } from "./storage";
import { emptied, isStory, OUT } from "./beats";
import { obey, type Action } from "./offers";
import { Keeper } from "./proof";
import { settings } from "./settings.svelte";
import { play as playSound } from "./sound";
import { Stage } from "./stage.svelte";
import { thought } from "./thought";
import type {
  Answer,
  ChatMessage,
  Event,
  Hello,
  Inbound,
  Order,
  Outbound,
  Ping,
  Presence,
  TableEvent,
  TableView,
  Text,
  Update,
  View,
  Welcome,
} from "./types";
import { namesOf, render, sentence, type Names } from "./words";

export type Line = { key: string; seq: number; text: Text; kind: string; seat: number | null };
export type Refusal = { text: string; rule: string | null };
export type Flying = { id: number; seat: number; emoji: string };
/** What a table on the screen needs of a connection; that of a lesson has it, too. */
export type Seated = Pick<
  TableConnection,
  | ("table" | "view" | "seat" | "names" | "stage" | "present" | "flying" | "order" | "hint" | "thinking")
  | ("myTurn" | "isOut" | "isHost" | "pending" | "sending" | "refusal" | "asking")
  | ("play" | "tryMove" | "refuse" | "askHint" | "askTwice" | "give" | "act")
>;
type Command = Exclude<Inbound, Hello | Ping>;
type Content<Type extends Command["type"]> = Omit<Extract<Command, { type: Type }>, "id" | "type">;
type Deed = Extract<Command, { type: "do" }>["what"];
type Waiting = { command: { id: string; type: string }; answer: (answer: Answer) => void };

const VERSION = 1; // of the messages to and from the server
const LONGEST_LOG = 600;
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
const READY = "ready"; // has looked at the cards
const GO: Event = { kind: "go", text: "Go!", hold: true };
const SILENCE = 3500; // after this long the page asks whether the server is still there
const HIDDEN_SILENCE = 25_000;
const PATIENCE = 3500; // for the answer; without one the connection is frozen, and a new one is made
const MOST_PATIENCE = 16_000;
const OPENING = 8000; // for a new connection
const NOTICED = 250;
const READ = 5000; // a refusal stays for as long, whatever happens
const BLINK = 4000; // a player who is back sooner was never gone

export class TableConnection {
  table = $state.raw<TableView | null>(null);
  view = $state.raw<View | null>(null);
  decision = $state.raw<number | null>(null);
  seat = $state.raw<number | null>(null);
  log = $state.raw<Line[]>([]);
  chat = $state.raw<ChatMessage[]>([]);
  present = $state.raw<number[] | null>(null); // the seats whose players are connected, once we know
  offline = $state.raw<Record<number, number>>({}); // by seat: since when its player is not
  watching = $state.raw(0);
  whyAway = $state.raw(""); // why a bot plays for us: time, offline, or nothing
  online = $state.raw(false);
  shut = $state.raw<{ error: string; text: string } | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  hint = $state.raw<{ move: string; why: string } | null>(null);
  asking = $state.raw<Action | null>(null); // its key was pressed once, and has to be pressed again
  order = $state.raw<{ order: Order; chosen: number | null } | null>(null);
  flying = $state.raw<Flying[]>([]);
  thinking = $state.raw(false); // about a hint
  busy = $state.raw(0);
  pending = $state.raw<string | null>(null); // the move that was made and has had no effect yet
  sending = $state.raw(false); // it has not been answered for longer than people notice
  news = $state.raw<{ id: number; text: string }[]>([]); // for screen readers
  since = $state.raw<Record<number, number>>({}); // by seat: when its turn came, as far as we saw it
  seq = 0;

  readonly stage = new Stage({
    show: (view) => (this.view = view),
    tell: (event, aside) => this.#tell(event, aside),
    hasty: () => this.table?.settings.clock !== null,
    watching: () => this.isOut,
  });

  readonly keeper: Keeper;
  #socket: WebSocket | null = null;
  #waiting = new Map<string, Waiting>();
  #attempt = 0;
  #timer = 0;
  #pulse = 0;
  #heardAt = 0; // when the server last said something
  #askedAt = 0; // when it was last asked something
  #patience = PATIENCE;
  #missed = new Set<number>(); // offline players that the log mentions
  #done = false;
  #last: View | null = null; // as received; the stage may still be on its way there
  #lines = 0;

  constructor(
    readonly code: string,
    readonly watchOnly = false,
  ) {
    this.keeper = new Keeper(code, () => this.seat);
    this.#connect();
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
  }

  close(): void {
    this.#done = true;
    clearTimeout(this.#timer);
    clearInterval(this.#pulse);
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    this.#socket?.close();
    this.stage.close();
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
    const what = "what" in content ? String(content.what) : undefined;
    const command = { id: this.keeper.idFor(type, what), type, ...content };
    this.busy++;
    return new Promise((answer) => {
      this.#waiting.set(command.id, { command, answer });
      if (this.#socket?.readyState === WebSocket.OPEN && this.online) this.#ask(command);
    });
  }

  #ask(command: object): void {
    this.#socket!.send(JSON.stringify(command));
    if (this.#askedAt <= this.#heardAt) this.#askedAt = performance.now();
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
    this.pending = move;
    const slow = setTimeout(() => (this.sending = true), NOTICED);
    const answer = await this.tryMove(move);
    clearTimeout(slow);
    this.sending = false;
    const settle = (): void => void (this.pending = this.pending === move ? null : this.pending);
    if (answer.ok && (answer.seq ?? 0) > this.seq) setTimeout(settle, 1500);
    else settle();
    if (!answer.ok && !quiet)
      this.refuse(
        answer.error === "stale" ? { text: "The table has changed since. Check it and try again." } : answer,
      );
    return answer.ok;
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
    if (this.decision !== asked) return;
    if (answer.ok && answer.move) this.hint = { move: answer.move, why: answer.why ?? "" };
    else if (!answer.ok) this.refuse(answer);
  }

  #refusedAt = 0;
  refuse(answer: { text?: string | null; rule?: string | null }): void {
    this.#refusedAt = performance.now();
    this.refusal = { text: sentence(answer.text ?? "That isn’t possible."), rule: answer.rule ?? null };
    playSound("no");
  }

  /** A key pressed by mistake gives nothing up: it is asked for once more, for a while. */
  askTwice(action: Action): void {
    this.asking = action;
    setTimeout(() => (this.asking = this.asking === action ? null : this.asking), 4000);
  }

  give(order: Order | null, chosen: number | null = null): void {
    this.order = order ? { order, chosen } : null;
    this.#obey();
  }

  // Receiving

  #hurry = (): void => {
    if (this.#done || document.hidden) return;
    if (!this.#socket || this.#socket.readyState > WebSocket.OPEN) this.#connect();
    else this.#check();
  };

  #connect(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#pulse);
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    this.#socket = socket;
    this.#askedAt = performance.now();
    this.#heardAt = 0;
    this.#pulse = window.setInterval(this.#check, 500);
    socket.onopen = () => {
      socket.send(
        JSON.stringify({
          type: "hello",
          table: this.code,
          token: this.token,
          since: this.seq,
          version: VERSION,
          differences: true,
        }),
      );
    };
    socket.onmessage = (message) => {
      if (this.#socket !== socket) return;
      this.#heardAt = performance.now();
      this.#receive(JSON.parse(message.data) as Outbound);
    };
    socket.onclose = () => {
      if (this.#socket === socket) this.#retry();
    };
  }

  #retry(): void {
    this.online = false;
    this.#socket = null;
    clearInterval(this.#pulse);
    if (this.#done || this.shut) return;
    this.#timer = window.setTimeout(() => this.#connect(), Math.min(5000, 100 * 2 ** this.#attempt++));
  }

  /** Notice a connection that is open and dead: ask after some silence, and give up if there is no answer. */
  #check = (): void => {
    const now = performance.now();
    if (this.#askedAt > this.#heardAt) {
      const patience = !this.online ? OPENING : this.thinking ? MOST_PATIENCE : this.#patience;
      if (now - this.#askedAt < patience) return;
      this.#patience = Math.min(MOST_PATIENCE, 2 * this.#patience); // it may only be slow
      const frozen = this.#socket;
      this.#retry();
      frozen?.close();
    } else if (now - this.#heardAt > (document.hidden ? HIDDEN_SILENCE : SILENCE) && this.online) {
      this.#patience = Math.max(PATIENCE, this.#patience - 500);
      this.#ask({ type: "ping" });
    }
  };

  #queue: Update[] = [];
  #soon = 0;
  /** However fast the server is, the table is drawn once a frame. */
  #flush = (): void => {
    clearTimeout(this.#soon);
    this.#soon = 0;
    const all = this.#queue;
    this.#queue = [];
    if (!all.length) return;
    if (!all.at(-1)!.table?.realtime) for (const one of all) this.#update(one);
    else this.#update({ ...all.at(-1)!, events: all.flatMap((one) => one.events) });
  };

  #sent: { table: TableView; view: View | null } | null = null;
  /** An update with all that it left out because it is as it was. */
  #complete(update: Update): Update {
    const changed = update.differences;
    if (changed && this.#sent?.view) {
      const { view, table } = this.#sent;
      const fields = { ...view, ...changed.fields } as View;
      const zones = new Map(changed.zones.map((zone) => [zone.id, zone]));
      const seats = new Map(changed.seats.map((seat) => [seat.seat, seat]));
      update.table ??= table;
      update.view = {
        ...fields,
        zones: fields.zones.map((zone) => zones.get(zone.id) ?? zone),
        seats: fields.seats.map((seat) => seats.get(seat.seat) ?? seat),
      };
    }
    if (update.table) this.#sent = { table: update.table, view: update.view ?? null };
    return update;
  }

  #receive(message: Outbound): void {
    switch (message.type) {
      case "welcome":
        this.#flush();
        this.#sent = message;
        this.#welcome(message);
        return this.keeper.watch(message, true);
      case "update":
        this.#queue.push(this.#complete(message));
        this.keeper.watch(message, false);
        this.#soon ||= window.setTimeout(this.#flush, 60); // where nothing is painted, as in a hidden tab
        if (this.#queue.length === 1) requestAnimationFrame(this.#flush);
        return;
      case "answer": {
        const waiting = this.#waiting.get(message.id);
        if (!waiting) return;
        this.#waiting.delete(message.id);
        this.busy--;
        if (message.error === "id_reused" && this.keeper.isToken(waiting.command.id))
          return this.#sayAgain(waiting);
        this.keeper.settle(waiting.command, message.ok);
        return waiting.answer(message);
      }
      case "presence":
        return this.#see(message);
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
        if (
          ["bad_token", "no_seat", "no_table", "no_spectators", "version", "closed"].includes(message.error)
        ) {
          if (message.error === "bad_token" || message.error === "no_seat") dropKeys(this.code);
          this.shut = message;
        } else if (message.error !== "unreadable") this.refuse(message);
        else for (const [id, one] of this.#waiting) this.#fail(id, one, message.text);
    }
  }

  /** Its token was used by another tab of this browser: it is sent without one. */
  #sayAgain(waiting: Waiting): void {
    this.keeper.settle(waiting.command, false, true);
    const command = { ...waiting.command, id: random(12) };
    this.busy++;
    this.#waiting.set(command.id, { ...waiting, command });
    this.#ask(command);
  }

  /** The server could not read a message: sending it again would not help. */
  #fail(id: string, waiting: Waiting, text: string): void {
    this.#waiting.delete(id);
    this.busy--;
    waiting.answer({ type: "answer", id, ok: false, error: "unreadable", text });
  }

  #welcome(message: Welcome): void {
    this.#attempt = 0;
    reloaded();
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
    this.chat = message.chat;
    const waiting = [...this.#waiting.values()];
    if (!waiting.some(({ command }) => command.type === "move")) this.pending = null;
    keepRecent(this.code, message.table.title, message.seat);
    // A command has one effect, however often it is sent.
    for (const { command } of waiting) this.#ask(command);
    this.#hearPromises(message);
    this.#after();
  }

  #update(update: Update): void {
    // what only we may know has no number of its own
    const events = update.events.filter((event) => event.seq > this.seq || (event.quiet && update.table));
    if (!events.length) return;
    if (this.seq && events[0] && events[0].seq > this.seq + 1) {
      this.#socket?.close(); // something is missing: reconnect and ask for it
      return;
    }
    this.seq = update.seq;
    for (const event of events) this.#hear(event);
    this.#hearPromises({ ...update, events });
    if (update.table === undefined) return this.#catchUp(events); // a welcome follows
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
        if (line && kind !== "go") this.#write(line, kind, seat); // Go is a moment of its own
    };
    if (begins)
      this.stage.then(() => {
        this.#write("A new match begins.", "started", null);
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
        for (const event of happened) this.#tell(event, false);
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
      this.#speak("Your turn.");
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

  /** Who is here. The log says so of players who are away for longer than a moment. */
  #see({ seats, watching, offline }: Presence): void {
    const now = performance.now();
    this.present = seats;
    this.watching = watching;
    this.offline = Object.fromEntries(
      Object.entries(offline).map(([seat, seconds]) => [seat, now - 1000 * seconds]),
    );
    for (const seat of this.#missed) {
      if (seat in this.offline || !this.#missed.delete(seat)) continue;
      this.#write({ text: "{who} is online again.", seats: { who: seat } }, "present", seat);
    }
    for (const seat of Object.keys(offline)) setTimeout(() => this.#miss(Number(seat)), BLINK);
  }
  #miss(seat: number): void {
    if (this.table?.status !== "playing" || this.table.seats[seat]?.away) return;
    if (!(seat in this.offline) || this.#missed.has(seat) || !this.online) return;
    this.#missed.add(seat);
    this.#write({ text: "{who} is offline.", seats: { who: seat } }, "absent", seat);
  }

  /** What players say is heard at once. */
  #hear({ seq, kind, seat = null, text, why }: TableEvent): void {
    if (kind === "away" && seat !== null) this.#missed.delete(seat); // from now on events speak of them
    if (kind === "away" && seat === this.seat) this.whyAway = why ?? "";
    if (kind !== "said" || this.chat.some((one) => one.seq === seq)) return;
    const said = { seq, seat, name: seat === null ? "" : (this.names[seat] ?? ""), text: text ?? "" };
    this.chat = [...this.chat.slice(-199), said];
  }

  /** What was missed goes to the log. */
  #catchUp(events: TableEvent[]): void {
    const lines: Line[] = [];
    for (const { kind, seat = null, beats, line } of events) {
      if (kind === "started") lines.push(this.#line("A new match begins.", kind, null));
      const loud = beats.flatMap((beat) => beat.events).filter((event) => !event.quiet && event.text);
      for (const event of loud) lines.push(this.#line(event.text, event.kind, event.seat ?? null));
      if (line) lines.push(this.#line(line, kind, seat));
    }
    this.log = [...this.log, ...lines].slice(-LONGEST_LOG);
  }

  #line = (text: Text, kind: string, seat: number | null): Line => ({
    key: `${++this.#lines}`,
    seq: this.seq,
    text,
    kind,
    seat,
  });

  #write(text: Text | null, kind: string, seat: number | null): void {
    if (!text) return;
    this.log = [...this.log, this.#line(text, kind, seat)].slice(-LONGEST_LOG);
    if (kind !== "started") this.#speak(text);
  }

  /** An event comes on the stage: it is written, said to screen readers, and heard. */
  #tell(event: Event, aside: boolean): void {
    if (aside && event.seat !== this.seat) return;
    if (!event.quiet && event.text) {
      this.log = [...this.log, this.#line(event.text, event.kind, event.seat ?? null)].slice(-LONGEST_LOG);
      if (!aside) this.#speak(event.text);
    }
  }

  #speak(text: Text): void {
    this.news = [...this.news.slice(-9), { id: ++this.#lines, text: render(text, this.names) }];
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

  #obeyed = "";
  #counted = 0;
  /** Orders are for this round: when what they count begins anew, they are over. */
  #expire(): void {
    const counter = this.view?.counters.find((one) => one.id === this.order?.order.counter);
    if (this.order && counter && counter.value < this.#counted) this.order = null;
    this.#counted = counter?.value ?? 0;
  }
  #obey(): void {
    this.#expire();
    if (this.stage.throwDice && (this.order || settings.rollForMe)) return void this.roll();
    if (!this.order || !this.myTurn || !this.view) return;
    const asked = `${this.decision}`;
    if (this.#obeyed === asked) return;
    const move = obey(this.order.order, this.view, this.order.chosen);
    if (move === null) {
      // a move that cannot be made again is no reason to stop; the order's bound is
      const counter = this.view.counters.find((one) => one.id === this.order?.order.counter);
      const bound = this.order.order.below ?? this.order.chosen ?? 0;
      if (!counter || counter.value >= bound) this.order = null;
      return;
    }
    this.#obeyed = asked;
    const pause = thought(this.table, this.seat);
    setTimeout(() => {
      if (`${this.decision}` !== asked || this.#done) return;
      if (!this.order || !this.myTurn) {
        this.#obeyed = ""; // what happens meanwhile is shown first
        return;
      }
      if (move === this.order.order.then) this.order = null;
      void this.play(move, true);
    }, pause);
  }
}
