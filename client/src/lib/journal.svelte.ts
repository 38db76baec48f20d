// What has been said at a table: the lines of the log, the news for those who hear the page, and the chat.
import type { ChatMessage, Event, TableEvent, Text } from "./types";
import { render, type Names } from "./words";

export type Line = { key: string; seq: number; text: Text; kind: string; seat: number | null };

const LONGEST_LOG = 600;
const LONGEST_CHAT = 200;
const NEWS = 10;
const BEGINS = "A new match begins.";

type Owner = { seq: () => number; names: () => Names };

export class Journal {
  log = $state.raw<Line[]>([]);
  chat = $state.raw<ChatMessage[]>([]);
  news = $state.raw<{ id: number; text: string }[]>([]);
  #owner: Owner;
  #lines = 0;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  write(text: Text | null, kind: string, seat: number | null): void {
    if (!text) return;
    this.#add([this.#line(text, kind, seat)]);
    this.speak(text);
  }
  /** The new match, which those who hear the page know of by its first event. */
  begin(): void {
    this.#add([this.#line(BEGINS, "started", null)]);
  }
  /** An event that comes on the stage; `aside` where its seat shows it and nobody says it. */
  tell({ quiet, text, kind, seat }: Event, aside: boolean): void {
    if (quiet || !text) return;
    this.#add([this.#line(text, kind, seat ?? null)]);
    if (!aside) this.speak(text);
  }
  speak(text: Text): void {
    const said = { id: ++this.#lines, text: render(text, this.#owner.names()) };
    this.news = [...this.news, said].slice(-NEWS);
  }
  /** What was missed goes to the log. */
  catchUp(events: TableEvent[]): void {
    const lines: Line[] = [];
    for (const { kind, seat = null, beats, line } of events) {
      if (kind === "started") lines.push(this.#line(BEGINS, kind, null));
      const loud = beats.flatMap((beat) => beat.events).filter((event) => !event.quiet && event.text);
      for (const event of loud) lines.push(this.#line(event.text, event.kind, event.seat ?? null));
      if (line) lines.push(this.#line(line, kind, seat));
    }
    this.#add(lines);
  }
  /** What players say is heard at once. */
  hear({ seq, kind, seat = null, text }: TableEvent): void {
    if (kind !== "said" || this.chat.some((one) => one.seq === seq)) return;
    const name = seat === null ? "" : (this.#owner.names()[seat] ?? "");
    this.chat = [...this.chat, { seq, seat, name, text: text ?? "" }].slice(-LONGEST_CHAT);
  }

  #add(lines: Line[]): void {
    this.log = [...this.log, ...lines].slice(-LONGEST_LOG);
  }
  #line(text: Text, kind: string, seat: number | null): Line {
    return { key: `${++this.#lines}`, seq: this.#owner.seq(), text, kind, seat };
  }
}
