// A lesson as the connection of a table: moves are asked of the server, which keeps nothing, and the stage plays what
// comes of them. It knows no game.
import { answerLesson, lesson as loadLesson } from "./api";
import { OUT } from "./beats";
import type { Refusal, Seated } from "./connection.svelte";
import type { Line } from "./journal.svelte";
import { play as playSound } from "./sound";
import { Stage } from "./stage.svelte";
import { myNameAmong } from "./storage";
import type { Answer, LessonPage, SeatInfo, TableView, View } from "./types";
import { render, sentence, type Names } from "./words";

const PATIENCE = 2; // wrong answers after which the move is shown

export class LessonTable implements Seated {
  page = $state.raw<LessonPage | null>(null);
  table = $state.raw<TableView | null>(null);
  view = $state.raw<View | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  hint = $state.raw<Seated["hint"]>(null);
  missed = $state("");
  asking = $state.raw<Seated["asking"]>(null);
  pending = $state.raw<string | null>(null);
  solved = $state(false);
  after = $state("");
  failed = $state("");
  news = $state.raw<Pick<Line, "key" | "text">[]>([]); // for screen readers
  readonly present = null;
  readonly flying = [];
  readonly order = null;
  readonly thinking = false;
  readonly sending = false;
  readonly isHost = false;
  #wrong = 0;
  #number = 0;

  readonly stage = new Stage({
    show: (view) => (this.view = view),
    tell: (event, aside) => {
      if (!event.quiet && !aside && event.text)
        this.news = [...this.news.slice(-9), { key: `${++this.#number}`, text: event.text }];
    },
  });

  constructor(
    readonly game: string,
    readonly number: number,
  ) {
    void this.load();
  }
  close(): void {
    this.stage.close();
  }

  get seat(): number | null {
    return this.page?.view.seat ?? null;
  }
  get names(): Names {
    const names = this.page?.names ?? [];
    const me = myNameAmong(names.filter(Boolean));
    return Object.assign(
      names.map((name) => name || me),
      { me: this.seat },
    );
  }
  get myTurn(): boolean {
    return !this.solved && !!this.view?.offers.length;
  }
  get isOut(): boolean {
    return OUT.includes(this.view?.seats[this.seat ?? 0]?.status ?? "in");
  }

  async load(): Promise<void> {
    this.failed = "";
    try {
      const page = await loadLesson(this.game, this.number);
      this.page = page;
      this.table = tableOf(page, this.names);
      const view = { ...page.view, orders: [] };
      this.view = page.before;
      if (page.beats.length) this.stage.rest(600);
      this.stage.add(page.beats, page.before, view, () => (this.view = view));
    } catch (error) {
      this.failed = (error as Error).message;
    }
  }

  async tryMove(move: string): Promise<Answer> {
    const said = { type: "answer", id: "" } as const;
    const before = this.view!;
    try {
      const found = await answerLesson(this.game, this.number, move);
      if (!found.solved || !found.view)
        return { ...said, ok: false, error: "illegal", text: render(found.text, this.names) };
      const after = { ...found.view, orders: [], offers: [] };
      this.solved = true;
      this.stage.add(found.beats, before, after, () => {
        this.view = after;
        this.after = render(found.text, this.names);
        playSound("turn");
      });
      return { ...said, ok: true };
    } catch (error) {
      return { ...said, ok: false, error: "offline", text: (error as Error).message };
    }
  }

  async play(move: string): Promise<boolean> {
    if (this.pending !== null || this.solved) return false;
    this.refusal = this.hint = this.asking = null;
    this.missed = "";
    this.pending = move;
    const answer = await this.tryMove(move);
    this.pending = null;
    if (!answer.ok) this.refuse(answer);
    return answer.ok;
  }

  refuse(answer: { text?: string | null }): void {
    this.refusal = { text: sentence(answer.text ?? "That isn’t possible."), rule: null };
    playSound("no");
    if (++this.#wrong >= PATIENCE) this.showMove();
  }
  miss(why: string): void {
    this.missed = why;
  }
  /** What solves the lesson is lit up. */
  showMove(): void {
    this.hint = { move: this.page!.answer, why: "" };
  }
  askHint(): Promise<void> {
    this.refusal = { text: this.page!.clue || this.page!.task, rule: null };
    this.showMove();
    return Promise.resolve();
  }
  askTwice(action: NonNullable<Seated["asking"]>): void {
    void this.play(action.move);
  }
  give(): void {}
  act(): Promise<boolean> {
    return Promise.resolve(false);
  }
}

/** The table of a lesson, as the parts of the page want it. */
function tableOf(page: LessonPage, names: string[]): TableView {
  const { view } = page;
  const seats = names.map((name, seat): SeatInfo => {
    const learner = seat === view.seat;
    const bot = learner ? null : name.toLowerCase();
    return {
      kind: learner ? "person" : "bot",
      name,
      bot,
      away: false,
      level: "",
      character: bot ?? "",
      joins: false,
    };
  });
  return {
    game: page.game,
    title: view.title,
    players: view.players,
    options: view.options,
    settings: {
      spectators: false,
      public: false,
      clock: null,
      pace: "normal",
      chat: false,
      hints: true,
      pulse: false,
      unison: 0,
      rolls: "auto",
      level: "easy",
      season: null,
      undo: "free",
      look: 0,
    },
    status: "playing",
    seats,
    match: 1,
    commitments: [],
    votes: [],
    undo: null,
    sealed: [],
    rolling: null,
    realtime: page.realtime,
    result: null,
    notice: "",
    promise: null,
    restarts: [],
    asking: [],
    locked: false,
    looking: [],
  };
}
