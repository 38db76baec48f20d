// Updates as they come from the server: what they leave out because it has not changed is filled in, and however
// fast they come, they are handed on once a frame.
import type { TableView, Update, View } from "./types";

type Shown = { table: TableView; view: View | null };

export class Updates {
  #take: (update: Update) => void;
  #queue: Update[] = [];
  #soon = 0;
  #sent: Shown | null = null; // the table as the server last sent it

  constructor(take: (update: Update) => void) {
    this.#take = take;
  }

  /** The table as a whole; what came before it is handed on first. */
  begin(shown: Shown): void {
    this.#flush();
    this.#sent = shown;
  }
  push(update: Update): void {
    this.#queue.push(this.#complete(update));
    this.#soon ||= window.setTimeout(this.#flush, 60); // where nothing is painted, as in a hidden tab
    if (this.#queue.length === 1) requestAnimationFrame(this.#flush);
  }

  #flush = (): void => {
    clearTimeout(this.#soon);
    this.#soon = 0;
    const all = this.#queue;
    this.#queue = [];
    if (!all.length) return;
    if (!all.at(-1)!.table?.realtime) for (const one of all) this.#take(one);
    else this.#take({ ...all.at(-1)!, events: all.flatMap((one) => one.events) });
  };

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
}
