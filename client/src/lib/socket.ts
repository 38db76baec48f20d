// A socket to the server that connects again by itself, and notices when it is open and dead. It knows what a hello
// and a ping are, and nothing else of what is said.
import type { Inbound, Outbound } from "./types";

const SILENCE = 3500; // after this long the page asks whether the server is still there
const HIDDEN_SILENCE = 25_000;
const PATIENCE = 3500; // for the answer; without one the connection is frozen, and a new one is made
const MOST_PATIENCE = 16_000;
const OPENING = 8000; // for a new connection

type Owner = {
  hello: () => Inbound;
  hear: (message: Outbound) => void;
  /** The connection is gone; a new one is made unless `close` is called. */
  lost: () => void;
  /** Whether the server has been asked for something that takes longer. */
  patient: () => boolean;
};

export class Socket {
  #owner: Owner;
  #socket: WebSocket | null = null;
  #welcome = false; // the server has answered the hello
  #attempt = 0;
  #timer = 0;
  #pulse = 0;
  #heardAt = 0; // when the server last said something
  #askedAt = 0; // when it was last asked something
  #patience = PATIENCE;
  #closed = false;

  constructor(owner: Owner) {
    this.#owner = owner;
    this.#connect();
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#pulse);
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    this.#socket?.close();
  }

  /** Whether what is sent now arrives at a table. */
  get ready(): boolean {
    return this.#welcome && this.#socket?.readyState === WebSocket.OPEN;
  }
  welcomed(): void {
    this.#welcome = true;
    this.#attempt = 0;
  }
  send(message: object): void {
    this.#socket!.send(JSON.stringify(message));
    if (this.#askedAt <= this.#heardAt) this.#askedAt = performance.now();
  }
  /** Something is missing: connect again, and ask for it. */
  renew(): void {
    this.#socket?.close();
  }

  #hurry = (): void => {
    if (this.#closed || document.hidden) return;
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
    socket.onopen = () => socket.send(JSON.stringify(this.#owner.hello()));
    socket.onmessage = (message) => {
      if (this.#socket !== socket) return;
      this.#heardAt = performance.now();
      this.#owner.hear(JSON.parse(message.data) as Outbound);
    };
    socket.onclose = () => {
      if (this.#socket === socket) this.#retry();
    };
  }

  #retry(): void {
    this.#welcome = false;
    this.#socket = null;
    clearInterval(this.#pulse);
    if (!this.#closed) this.#owner.lost();
    if (this.#closed) return;
    this.#timer = window.setTimeout(() => this.#connect(), Math.min(5000, 100 * 2 ** this.#attempt++));
  }

  /** Notice a connection that is open and dead: ask after some silence, and give up if there is no answer. */
  #check = (): void => {
    const now = performance.now();
    if (this.#askedAt > this.#heardAt) {
      const patience = !this.#welcome ? OPENING : this.#owner.patient() ? MOST_PATIENCE : this.#patience;
      if (now - this.#askedAt < patience) return;
      this.#patience = Math.min(MOST_PATIENCE, 2 * this.#patience); // it may only be slow
      const frozen = this.#socket;
      this.#retry();
      frozen?.close();
    } else if (now - this.#heardAt > (document.hidden ? HIDDEN_SILENCE : SILENCE) && this.#welcome) {
      this.#patience = Math.max(PATIENCE, this.#patience - 500);
      this.send({ type: "ping" });
    }
  };
}
