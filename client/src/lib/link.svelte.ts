// The line to a table: it says hello, comes back by itself, resends what was not answered, and keeps what was told.
import { keysOf, dropKeys, keepFinished, keepRecent, random } from "./kept";
import { obey } from "./choosing";
import type { Answer, Happening, Heard, Order, Said, Table, Told, Update, View } from "./model";
import { namesOf } from "./words";

export type Line = { key: string; seq: number; text: string; kind: string; seat: number | null };
export type Refusal = { text: string; rule: string | null };
export type Flying = { id: number; seat: number; emoji: string };
type Command = { id: string; type: string; [more: string]: unknown };
type Waiting = { command: Command; answer: (answer: Answer) => void };

const LONGEST_LOG = 600;

export class TableLink {
  table = $state.raw<Table | null>(null);
  view = $state.raw<View | null>(null);
  decision = $state.raw<number | null>(null);
  seat = $state.raw<number | null>(null);
  log = $state.raw<Line[]>([]);
  chat = $state.raw<Said[]>([]);
  here = $state.raw<number[]>([]);
  watching = $state.raw(0);
  online = $state.raw(false);
  shut = $state.raw<{ error: string; text: string } | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  hint = $state.raw<{ move: string; why: string } | null>(null);
  order = $state.raw<{ order: Order; chosen: number | null } | null>(null);
  flying = $state.raw<Flying[]>([]);
  thinking = $state.raw(false); // about a hint
  busy = $state.raw(0);
  news = $state.raw<{ id: number; text: string }[]>([]); // for those who listen
  seen = $state.raw(0); // when the clocks were read
  since = $state.raw<Record<number, number>>({}); // by seat: when its turn came, as far as we saw it
  seq = 0;

  /** Is told what happened and when the new table is to be shown, so that it can move cards between the two. */
  onTold: ((told: Told[], show: () => void) => void) | null = null;
  /** What was dealt when the match began, for whoever draws the table first. */
  dealt: Told[] = [];
  onSound: ((kind: string) => void) | null = null;

  #socket: WebSocket | null = null;
  #waiting = new Map<string, Waiting>();
  #attempt = 0;
  #timer = 0;
  #pulse = 0;
  #done = false;
  #fresh = true;

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
  }

  get names(): string[] {
    return this.table ? namesOf(this.table) : [];
  }
  get myTurn(): boolean {
    return this.seat !== null && this.table?.status === "playing" && !!this.view?.actors.includes(this.seat) && !!this.view.offers.length;
  }
  get isHost(): boolean {
    return this.seat === 0;
  }
  get token(): string | null {
    return this.watchOnly ? null : (keysOf(this.code)?.token ?? null);
  }

  // Saying

  send(type: string, content: Record<string, unknown> = {}): Promise<Answer> {
    const command = { id: random(12), type, ...content };
    this.busy++;
    return new Promise((answer) => {
      this.#waiting.set(command.id, { command, answer });
      if (this.#socket?.readyState === WebSocket.OPEN && this.online) this.#socket.send(JSON.stringify(command));
    });
  }

  async play(move: string, quiet = false): Promise<boolean> {
    this.refusal = null;
    this.hint = null;
    const answer = await this.send("move", { move, decision: this.decision });
    if (!answer.ok && !quiet) this.refuse(answer.error === "stale" ? { text: "The table has changed in the meantime. Look again." } : answer);
    return answer.ok;
  }

  async act(what: string): Promise<boolean> {
    const answer = await this.send("do", { what });
    if (!answer.ok) this.refuse(answer);
    return answer.ok;
  }

  async command(type: string, content: Record<string, unknown>): Promise<boolean> {
    const answer = await this.send(type, content);
    if (!answer.ok) this.refuse(answer);
    return answer.ok;
  }

  async askHint(): Promise<void> {
    if (this.thinking) return;
    this.thinking = true;
    const asked = this.decision;
    const answer = await this.send("hint");
    this.thinking = false;
    if (this.decision !== asked) return;
    if (answer.ok && answer.move) this.hint = { move: answer.move, why: answer.why ?? "" };
    else if (!answer.ok) this.refuse(answer);
  }

  refuse(answer: { text?: string; rule?: string | null }): void {
    const rule = answer.rule ?? null;
    const text = answer.text ?? "That cannot be done.";
    this.refusal = { text: (rule ? text.replace(` (${rule})`, ".") : text).replace(/^\w/, (sign) => sign.toUpperCase()), rule };
    this.onSound?.("no");
  }

  give(order: Order | null, chosen: number | null = null): void {
    this.order = order ? { order, chosen } : null;
    this.#obey();
  }

  // Hearing

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
    socket.onmessage = (message) => this.#hear(JSON.parse(message.data) as Heard);
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
  /** However fast the house is, the table is drawn once a frame. */
  #flush = (): void => {
    clearTimeout(this.#soon);
    this.#soon = 0;
    const all = this.#queue;
    this.#queue = [];
    if (all.length) this.#update({ ...all.at(-1)!, events: all.flatMap((one) => one.events) });
  };

  #hear(heard: Heard): void {
    switch (heard.type) {
      case "welcome":
        this.#flush();
        return this.#welcome(heard);
      case "update":
        this.#queue.push(heard);
        this.#soon ||= window.setTimeout(this.#flush, 60); // where nothing is painted, as in a hidden tab
        if (this.#queue.length === 1) requestAnimationFrame(this.#flush);
        return;
      case "answer": {
        const waiting = this.#waiting.get(heard.id);
        if (!waiting) return;
        this.#waiting.delete(heard.id);
        this.busy--;
        return waiting.answer(heard);
      }
      case "here":
        this.here = heard.seats;
        this.watching = heard.watching;
        return;
      case "reaction": {
        const one = { id: Math.random(), seat: heard.seat, emoji: heard.emoji };
        this.flying = [...this.flying.slice(-8), one];
        setTimeout(() => (this.flying = this.flying.filter((other) => other.id !== one.id)), 2600);
        return;
      }
      case "history_changed":
        location.reload();
        return;
      case "refused":
        if (["bad_token", "no_seat", "no_table", "no_spectators", "version", "closed"].includes(heard.error)) {
          if (heard.error === "bad_token" || heard.error === "no_seat") dropKeys(this.code);
          this.shut = heard;
        } else if (heard.error !== "unreadable") this.refuse(heard);
        else for (const [id, one] of this.#waiting) this.#fail(id, one, heard.text);
    }
  }

  /** The house could not read what we said: saying it again would not help. */
  #fail(id: string, waiting: Waiting, text: string): void {
    this.#waiting.delete(id);
    this.busy--;
    waiting.answer({ type: "answer", id, ok: false, error: "unreadable", text, rule: null });
  }

  #welcome(heard: Extract<Heard, { type: "welcome" }>): void {
    this.#attempt = 0;
    this.online = true;
    this.seq = heard.seq;
    this.seat = heard.seat;
    this.table = heard.table;
    this.seen = performance.now();
    const spent = Object.entries(heard.spent ?? {}).map(([seat, seconds]) => [seat, performance.now() - 1000 * seconds]);
    this.since = Object.fromEntries(spent) as Record<number, number>;
    this.view = heard.view;
    this.decision = heard.decision;
    if (heard.chat) this.chat = heard.chat;
    if (heard.here) this.here = heard.here;
    this.#fresh = false;
    keepRecent(this.code, heard.table.title);
    for (const { command } of this.#waiting.values()) this.#socket?.send(JSON.stringify(command)); // one effect, however often sent
    clearInterval(this.#pulse);
    this.#pulse = window.setInterval(() => this.#socket?.send('{"type":"ping"}'), 25_000);
    this.#after();
  }

  #update(heard: Update): void {
    if (heard.seq <= this.seq) return;
    const events = heard.events.filter((event) => event.seq > this.seq);
    if (this.seq && events[0] && events[0].seq > this.seq + 1) {
      this.#socket?.close(); // something is missing: come back and ask for it
      return;
    }
    this.seq = heard.seq;
    const told = events.flatMap((event) => event.told ?? []);
    this.#note(events);
    const show = (): void => {
      if (heard.table) {
        this.table = heard.table;
        this.seen = performance.now();
      }
      if (heard.view !== undefined) {
        this.#notice(this.view, heard.view);
        this.view = heard.view;
      }
      if (heard.decision !== undefined && heard.decision !== this.decision) {
        this.decision = heard.decision;
        this.hint = this.refusal = null;
      }
      this.#after();
    };
    const live = heard.table !== undefined && !this.#fresh;
    if (live && this.onTold) this.onTold(told, show);
    else {
      if (live && events.some((event) => event.kind === "started")) this.dealt = told;
      show();
    }
    if (live) this.#say(told, events);
  }

  #notice(before: View | null, now: View | null): void {
    const same = before?.turn === now?.turn;
    const clock = performance.now();
    const known = (seat: number): number | undefined => (same && before?.actors.includes(seat) ? this.since[seat] : clock);
    const entries = (now?.actors ?? []).map((seat) => [seat, known(seat)] as const).filter(([, at]) => at !== undefined);
    this.since = Object.fromEntries(entries) as Record<number, number>;
  }

  #note(events: Happening[]): void {
    const lines: Line[] = [];
    for (const event of events) {
      if (event.kind === "said") {
        const said = { seq: event.seq, seat: event.seat ?? null, name: this.names[event.seat ?? -1] ?? "", text: event.text ?? "" };
        if (!this.chat.some((one) => one.seq === said.seq)) this.chat = [...this.chat.slice(-199), said];
        continue;
      }
      if (event.kind === "started") lines.push({ key: `${event.seq}s`, seq: event.seq, text: "A new match begins.", kind: "started", seat: null });
      const told = (event.told ?? []).filter((one) => !one.quiet && one.text);
      told.forEach((one, at) => lines.push({ key: `${event.seq}.${at}`, seq: event.seq, text: one.text, kind: one.kind, seat: one.seat }));
      const other = told.length ? "" : this.#sentence(event);
      if (other) lines.push({ key: `${event.seq}`, seq: event.seq, text: other, kind: event.kind, seat: event.seat ?? null });
    }
    if (lines.length) this.log = [...this.log, ...lines].slice(-LONGEST_LOG);
  }

  #sentence(event: Happening): string {
    const who = event.seat === undefined || event.seat === null ? "Somebody" : (this.names[event.seat] ?? `Seat ${event.seat + 1}`);
    switch (event.kind) {
      case "away": return `${who} has left; a bot stands in.`;
      case "back": return `${who} is back.`;
      case "paused": return "The match is paused.";
      case "resumed": return "The match goes on.";
      case "voted": return `${who} would like to end the match.`;
      case "undo_asked": return `${who} asks to take a move back.`;
      case "undone": return "The last move is taken back.";
      case "undo_refused": return "The move stands.";
      default: return "";
    }
  }

  #say(told: Told[], events: Happening[]): void {
    const words = told.filter((one) => !one.quiet).map((one) => one.text);
    const others = events.filter((event) => !event.told?.length).map((event) => this.#sentence(event)).filter(Boolean);
    const text = [...words, ...others, this.myTurn && !this.order ? "Your turn." : ""].join(" ").trim();
    if (text) this.news = [...this.news.slice(-5), { id: this.seq, text }];
    for (const kind of new Set(told.filter((one) => !one.quiet).map((one) => (one.dice ? "roll" : one.to ? "card" : one.kind)))) this.onSound?.(kind);
  }

  #after(): void {
    const { table, view, seat } = this;
    if (table?.status === "over" && view && seat !== null && (table.result ?? view.over)) {
      const { scores, winners } = table.result ?? view;
      keepFinished({
        code: this.code, match: table.match, game: table.game, title: table.title, at: Date.now(),
        names: this.names, scores: [...scores], winners: [...winners], seat,
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

