// Commands on their way to the server: each is kept until it is answered, and sent again after the connection was
// lost. A command has one effect, however often it is sent.
import type { Keeper } from "./proof";
import type { Socket } from "./socket";
import { random } from "./storage";
import type { Answer, Hello, Inbound, Ping } from "./types";

export type Command = Exclude<Inbound, Hello | Ping>;
export type Content<Type extends Command["type"]> = Omit<Extract<Command, { type: Type }>, "id" | "type">;
type Waiting = { command: { id: string; type: string }; answer: (answer: Answer) => void };

export class Outbox {
  busy = $state.raw(0); // how many are not answered yet
  #socket: Socket;
  #keeper: Keeper;
  #waiting = new Map<string, Waiting>();

  constructor(socket: Socket, keeper: Keeper) {
    this.#socket = socket;
    this.#keeper = keeper;
  }

  send<Type extends Command["type"]>(type: Type, content: Content<Type>): Promise<Answer> {
    const what = "what" in content ? String(content.what) : undefined;
    const command = { id: this.#keeper.idFor(type, what), type, ...content };
    return new Promise((answer) => {
      this.#wait({ command, answer });
      if (this.#socket.ready) this.#socket.send(command);
    });
  }

  /** After the connection was lost: everything that was not answered. */
  resend(): void {
    for (const { command } of [...this.#waiting.values()]) this.#socket.send(command);
  }
  has(type: Command["type"]): boolean {
    return [...this.#waiting.values()].some(({ command }) => command.type === type);
  }

  answered(message: Answer): void {
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    this.#forget(message.id);
    if (message.error === "id_reused" && this.#keeper.isToken(waiting.command.id))
      return this.#again(waiting);
    this.#keeper.settle(waiting.command, message.ok);
    waiting.answer(message);
  }
  /** The server could not read a message: sending it again would not help. */
  unreadable(text: string): void {
    for (const [id, { answer }] of [...this.#waiting]) {
      this.#forget(id);
      answer({ type: "answer", id, ok: false, error: "unreadable", text });
    }
  }

  /** Its token was used by another tab of this browser: it is sent without one. */
  #again(waiting: Waiting): void {
    this.#keeper.settle(waiting.command, false, true);
    const command = { ...waiting.command, id: random(12) };
    this.#wait({ ...waiting, command });
    this.#socket.send(command);
  }
  #wait(waiting: Waiting): void {
    this.#waiting.set(waiting.command.id, waiting);
    this.busy = this.#waiting.size;
  }
  #forget(id: string): void {
    this.#waiting.delete(id);
    this.busy = this.#waiting.size;
  }
}
