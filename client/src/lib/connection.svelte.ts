// The connection to a table: it reconnects by itself, sends again what was not answered, and hands what happened
// to the stage, beat by beat and in order. What it says of the table is what the stage has shown so far.
import { keysOf, dropKeys, keepFinished, keepRecent, random } from "./storage";
import { emptied } from "./beats";
import { obey } from "./offers";
import { Stage } from "./stage.svelte";
import type {
  Answer,
  ChatMessage,
  Event,
  Hello,
  Inbound,
  Order,
  Outbound,
  Ping,
  TableEvent,
  TableView,
  Text,
  Update,
  View,
  Welcome,
} from "./types";
import { namesOf, render, sentence } from "./words";

export type Line = { key: string; seq: number; text: Text; kind: string; seat: number | null };
export type Refusal = { text: string; rule: string | null };
export type Flying = { id: number; seat: number; emoji: string };
type Command = Exclude<Inbound, Hello | Ping>;
type Content<Type extends Command["type"]> = Omit<Extract<Command, { type: Type }>, "id" | "type">;
type Action = Extract<Command, { type: "do" }>["what"];
type Waiting = { command: { id: string; type: string }; answer: (answer: Answer) => void };

const LONGEST_LOG = 600;

export class TableConnection {
  table = $state.raw<TableView | null>(null);
  view = $state.raw<View | null>(null);
  decision = $state.raw<number | null>(null);
  seat = $state.raw<number | null>(null);
  log = $state.raw<Line[]>([]);
  chat = $state.raw<ChatMessage[]>([]);
  present = $state.raw<number[] | null>(null); // the seats whose players are connected, once we know
  watching = $state.raw(0);
  online = $state.raw(false);
  shut = $state.raw<{ error: string; text: string } | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  hint = $state.raw<{ move: string; why: string } | null>(null);
  order = $state.raw<{ order: Order; chosen: number | null } | null>(null);
  flying = $state.raw<Flying[]>([]);
  thinking = $state.raw(false); // about a hint
  busy = $state.raw(0);
  pending = $state.raw<string | null>(null); // the move that was made and has had no effect yet
  news = $state.raw<{ id: number; text: string }[]>([]); // for screen readers
  since = $state.raw<Record<number, number>>({}); // by seat: when its turn came, as far as we saw it
  seq = 0;

  readonly stage = new Stage({
    show: (view) => (this.view = view),
    tell: (event, aside) => this.#tell(event, aside),
    hasty: () => this.table?.settings.clock !== null,
  });
  onSound: ((kind: string) => void) | null = null;

  #socket: WebSocket | null = null;
  #waiting = new Map<string, Waiting>();
  #attempt = 0;
  #timer = 0;
  #pulse = 0;
  #done = false;
  #last: View | null = null; // as received; the stage may still be on its way there
  #lines = 0;

  constructor(
    readonly code: string,
    readonly watchOnly = false,
  ) {
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

  get names(): string[] {
    return this.table ? namesOf(this.table) : [];
  }
  get myTurn(): boolean {
    return (
      this.seat !== null &&
      this.table?.status === "playing" &&
      !!this.view?.actors.includes(this.seat) &&
      !!this.view.offers.length
    );
  }
  get isHost(): boolean {
    return this.seat === 0;
  }
  get token(): string | null {
    return this.watchOnly ? null : (keysOf(this.code)?.token ?? null);
  }

  // Sending

  send<Type extends Command["type"]>(type: Type, content: Content<Type>): Promise<Answer> {
    const command = { id: random(12), type, ...content };
    this.busy++;
    return new Promise((answer) => {
      this.#waiting.set(command.id, { command, answer });
      if (this.#socket?.readyState === WebSocket.OPEN && this.online)
        this.#socket.send(JSON.stringify(command));
    });
  }

  /** Play a move without saying so where it is refused: the answer says why. */
  tryMove(move: string): Promise<Answer> {
    return this.send("move", { move, decision: this.decision ?? 0 });
  }

  async play(move: string, quiet = false): Promise<boolean> {
    if (this.pending !== null && !this.table?.realtime) return false;
    this.refusal = null;
    this.hint = null;
    this.pending = move;
    const answer = await this.tryMove(move);
    const settle = (): void => void (this.pending = this.pending === move ? null : this.pending);
    if (answer.ok && (answer.seq ?? 0) > this.seq) setTimeout(settle, 1500);
    else settle();
    if (!answer.ok && !quiet)
      this.refuse(
        answer.error === "stale" ? { text: "The table has changed since. Check it and try again." } : answer,
      );
    return answer.ok;
  }

  act(what: Action): Promise<boolean> {
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
    const asked = this.decision;
    const answer = await this.send("hint", {});
    this.thinking = false;
    if (this.decision !== asked) return;
    if (answer.ok && answer.move) this.hint = { move: answer.move, why: answer.why ?? "" };
    else if (!answer.ok) this.refuse(answer);
  }

  refuse(answer: { text?: string | null; rule?: string | null }): void {
    this.refusal = { text: sentence(answer.text ?? "That isn’t possible."), rule: answer.rule ?? null };
    this.onSound?.("no");
  }

  give(order: Order | null, chosen: number | null = null): void {
    this.order = order ? { order, chosen } : null;
    this.#obey();
  }

  // Receiving

  #hurry = (): void => {
    if (this.#done || document.hidden) return;
    if (!this.#socket || this.#socket.readyState > WebSocket.OPEN) {
      clearTimeout(this.#timer);
      this.#connect();
    }
  };

  #connect(): void {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    this.#socket = socket;
    socket.onopen = () => {
      socket.send(JSON.stringify({ type: "hello", table: this.code, token: this.token, since: this.seq }));
    };
    socket.onmessage = (message) => this.#receive(JSON.parse(message.data) as Outbound);
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.online = false;
      clearInterval(this.#pulse);
      if (this.#done || this.shut) return;
      this.#timer = window.setTimeout(() => this.#connect(), Math.min(5000, 100 * 2 ** this.#attempt++));
    };
  }

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

  #receive(message: Outbound): void {
    switch (message.type) {
      case "welcome":
        this.#flush();
        return this.#welcome(message);
      case "update":
        this.#queue.push(message);
        this.#soon ||= window.setTimeout(this.#flush, 60); // where nothing is painted, as in a hidden tab
        if (this.#queue.length === 1) requestAnimationFrame(this.#flush);
        return;
      case "answer": {
        const waiting = this.#waiting.get(message.id);
        if (!waiting) return;
        this.#waiting.delete(message.id);
        this.busy--;
        return waiting.answer(message);
      }
      case "presence":
        this.present = message.seats;
        this.watching = message.watching;
        return;
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
        if (
          ["bad_token", "no_seat", "no_table", "no_spectators", "version", "closed"].includes(message.error)
        ) {
          if (message.error === "bad_token" || message.error === "no_seat") dropKeys(this.code);
          this.shut = message;
        } else if (message.error !== "unreadable") this.refuse(message);
        else for (const [id, one] of this.#waiting) this.#fail(id, one, message.text);
    }
  }

  /** The server could not read a message: sending it again would not help. */
  #fail(id: string, waiting: Waiting, text: string): void {
    this.#waiting.delete(id);
    this.busy--;
    waiting.answer({ type: "answer", id, ok: false, error: "unreadable", text });
  }

  #welcome(message: Welcome): void {
    this.#attempt = 0;
    this.online = true;
    this.seq = message.seq;
    this.seat = message.seat;
    this.table = message.table;
    const now = performance.now();
    this.since = Object.fromEntries(
      Object.entries(message.elapsed).map(([seat, seconds]) => [seat, now - 1000 * seconds]),
    );
    this.stage.clear();
    this.view = this.#last = message.view;
    this.decision = message.decision;
    this.chat = message.chat;
    this.pending = null;
    keepRecent(this.code, message.table.title);
    // A command has one effect, however often it is sent.
    for (const { command } of this.#waiting.values()) this.#socket?.send(JSON.stringify(command));
    clearInterval(this.#pulse);
    this.#pulse = window.setInterval(() => this.#socket?.send('{"type":"ping"}'), 25_000);
    this.#after();
  }

  #update(update: Update): void {
    if (update.seq <= this.seq) return;
    const events = update.events.filter((event) => event.seq > this.seq);
    if (this.seq && events[0] && events[0].seq > this.seq + 1) {
      this.#socket?.close(); // something is missing: reconnect and ask for it
      return;
    }
    this.seq = update.seq;
    for (const event of events) this.#hear(event);
    if (update.table === undefined) return this.#catchUp(events); // a welcome follows
    if (update.view !== undefined) this.#notice(this.#last, update.view);
    this.#play(events, update);
    this.#last = update.view ?? null;
  }

  /** Everything that happens passes here, in order: the stage plays it, and then the table is as it is now. */
  #play(events: TableEvent[], update: Update): void {
    const beats = events.flatMap((event) => event.beats);
    const begins = events.some((event) => event.kind === "started");
    const after = update.view ?? null;
    const before = begins && after ? emptied(after, beats) : this.#last;
    const others = (): void => {
      for (const { kind, seat = null, beats } of events)
        if (!beats.length) this.#write(tableSentence(kind, seat), kind, seat);
    };
    if (begins)
      this.stage.then(() => {
        this.#write("A new match begins.", "started", null);
        if (!before) return;
        this.view = before;
        this.table = { ...update.table!, status: "playing", result: null };
      });
    if (!after || !before || !beats.length) {
      this.stage.then(() => {
        others();
        this.#show(update);
      });
    } else if (update.table?.realtime) {
      const show = (): void => this.#show(update);
      const happened = beats.flatMap((beat) => beat.events);
      // The page that draws a new table needs a moment before cards can fly on it.
      if (begins) setTimeout(() => this.stage.now(happened, show), 30);
      else this.stage.now(happened, show);
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
    if (update.view !== undefined) this.view = update.view;
    if (update.decision !== undefined && update.decision !== this.decision) {
      this.decision = update.decision;
      this.hint = this.refusal = null;
    }
    this.pending = null;
    const asked = this.myTurn && !this.order;
    if (asked || this.table?.status !== "playing") this.stage.asked();
    if (asked && !this.stage.skipping && update.events.some((event) => event.beats.length))
      this.#speak("Your turn.");
    this.#after();
  }

  #notice(before: View | null, now: View | null): void {
    const same = before?.turn === now?.turn;
    const clock = performance.now();
    const known = (seat: number): number | undefined =>
      same && before?.actors.includes(seat) ? this.since[seat] : clock;
    const entries = (now?.actors ?? [])
      .map((seat) => [seat, known(seat)] as const)
      .filter(([, at]) => at !== undefined);
    this.since = Object.fromEntries(entries) as Record<number, number>;
  }

  /** What players say is heard at once. */
  #hear({ seq, kind, seat = null, text }: TableEvent): void {
    if (kind !== "said" || this.chat.some((one) => one.seq === seq)) return;
    const said = { seq, seat, name: seat === null ? "" : (this.names[seat] ?? ""), text: text ?? "" };
    this.chat = [...this.chat.slice(-199), said];
  }

  /** What was missed goes to the log. */
  #catchUp(events: TableEvent[]): void {
    const lines: Line[] = [];
    for (const { kind, seat = null, beats } of events) {
      if (kind === "started") lines.push(this.#line("A new match begins.", kind, null));
      const loud = beats.flatMap((beat) => beat.events).filter((event) => !event.quiet && event.text);
      for (const event of loud) lines.push(this.#line(event.text, event.kind, event.seat ?? null));
      const other = loud.length ? null : tableSentence(kind, seat);
      if (other) lines.push(this.#line(other, kind, seat));
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
    if (!this.stage.skipping && !aside) this.onSound?.(soundOf(event));
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
  #obey(): void {
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
    if (move === this.order.order.then) this.order = null;
    void this.play(move, true);
  }
}

/** What happened at a table besides the match, or null where there is nothing to say. */
function tableSentence(kind: string, seat: number | null): Text | null {
  const about = (text: string): Text => ({ text, seats: { who: seat ?? 0 } });
  switch (kind) {
    case "away":
      return about("{who} left. A bot is playing for them.");
    case "back":
      return about("{who} is back.");
    case "paused":
      return "Match paused.";
    case "resumed":
      return "Match resumed.";
    case "voted":
      return about("{who} wants to end the match.");
    case "undo_asked":
      return about("{who} asks to undo the last move.");
    case "undone":
      return "The last move was undone.";
    case "undo_refused":
      return "The move stands.";
    default:
      return null;
  }
}

const soundOf = (event: Event): string =>
  event.dice?.length ? "roll" : event.moves?.length ? "card" : event.kind;
