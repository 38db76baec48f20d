// How large everything on the table is drawn, and how many players sit at each side, so that the felt is full and
// nothing is cut. Worked out from the size of the felt and the shape of the game alone: it holds still in play.
import type { View, Zone } from "./types";

/** What has to find room. Widths are counted in cards. */
export type Shape = {
  others: number; // places of other players
  // what does not split into lines, how much of it closed hands can spare, cards that do split, lines,
  // and whether something lies before the players
  other: { fixed: number; spare: number; open: number; rows: number; front: boolean };
  own: { cards: number; rows: number; grid: number }; // grid: its columns, or 0
  common: { across: number; widest: number; lanes: number; dice: boolean; piles: boolean; pot: boolean };
  main: boolean; // a number in the middle that everybody watches
  bets: boolean; // chips that lie before their owners
};
export type Arrangement = {
  round: boolean; // the others sit around the table, else above it
  beside: boolean; // the middle of the table is beside the viewer's cards
  each: number; // players at the left
  right: number; // and at the right: as many, or one less where nobody sits across
  columns: number; // of those above
  lying: boolean; // above: cards lie beside the name, else below it
  aside: boolean; // bets lie beside the places at the sides, else below
  slim: boolean; // one card stands for a closed hand, small beside the name where other cards lie before it
  plate: number; // the width of a player's place at the side
  above: number; // and of one above
  words: number; // the width of a name that cards lie beside
  name: number; // and of the viewer's
  lines: number; // of another player's open cards
  ownLines: number;
  hand: number; // cards in a line of the viewer's, for which room is kept
  type: number; // how large words are
  height: number; // of the table
  named: boolean; // the viewer's name is beside the cards, else above them
  other: number; // widths of cards
  common: number;
  own: number;
  die: number;
  main: number; // height of the number in the middle
};

const TALL = 1.42; // the height of a card, in widths
const NAME = 104; // the width of the viewer's name beside a grid
const WIDE_NAME = 148; // and beside a hand
const LOW_NAME = 110; // on a phone on its side
const RICH_NAME = 160; // with a face and chips in one line
const GRID_NAME = 84; // and beside a grid, where there is little room
const range = (low: number, high: number, step: number): number[] =>
  Array.from({ length: Math.max(0, Math.floor((high - low) / step) + 1) }, (_, at) => high - at * step);

export const isSmall = (zone: Zone): boolean => zone.kind === "pile" || zone.kind === "chips";
const sizeOf = (zone: Zone): number => Math.max(zone.cards?.length ?? 0, zone.slots ?? 0, 1);

/** What lies before a player for everyone to see: an offer, groups put down. It has a fixed place. */
export const isFront = (zone: Zone): boolean => zone.kind === "row" && zone.owner !== null && !!zone.slots;

/** Room for as many cards: a little more than there are, so that the next one moves nothing. */
const roomFor = (cards: number): number =>
  cards < 4 ? cards : ([9, 11, 13, 15, 18, 22, 26].find((room) => room >= cards) ?? cards);

/** Room for a row that grows and shrinks all the time, from before the deal on: its cards lie closer before anything
 * is drawn smaller. */
function roomForRow(zone: Zone): number {
  const cards = zone.cards?.length ?? 0;
  if (cards > 0 && cards < 3) return cards + 1;
  return ROWS.find(({ most }) => cards <= most)?.room ?? cards;
}
const ROWS = [
  { most: 16, room: 13 },
  { most: 22, room: 18 },
  { most: 28, room: 24 },
];

/** The cards of a player, without what is held beside a grid: that lies over the place. */
export function placed(zones: Zone[]): Zone[] {
  const large = zones.filter((zone) => !isSmall(zone));
  const grids = large.filter((zone) => zone.kind === "grid");
  return grids.length ? grids : large;
}

/** How many cards wide another player's zone is. */
function fixed(zone: Zone): number {
  if (zone.kind === "grid") return (zone.columns ?? 3) + 0.15;
  if (isFront(zone)) return 1 + 0.5 * (zone.slots! - 1);
  return sizeOf(zone) < 3 ? sizeOf(zone) : 1 + 0.34 * (Math.min(5, sizeOf(zone)) - 1);
}
/** How much narrower it is where only the first of its face-down cards is drawn, or it lies beside the name. */
const spare = (zone: Zone, front: boolean): number =>
  zone.kind === "hand" && sizeOf(zone) > 2 ? 0.34 * (Math.min(5, sizeOf(zone)) - 1) + Number(front) : 0;
const splits = (zone: Zone): boolean => zone.kind === "row" && !isFront(zone);
const rowsOf = (zone: Zone): number =>
  zone.kind === "grid" ? Math.ceil(sizeOf(zone) / (zone.columns ?? 3)) : 1;

const MOST = 12; // places of others; where there are more players, those who matter now are shown
export type Seated = { seats: number[]; more: number };

/** The other players who have a place at the table, from the viewer's left; `more` are only in a list. */
export function seated(view: View): Seated {
  const first = view.seat === null ? 0 : view.seat + 1;
  const all = Array.from({ length: view.players }, (_, step) => (first + step) % view.players).filter(
    (seat) => seat !== view.seat,
  );
  if (all.length <= MOST) return { seats: all, more: 0 };
  const acts = (seat: number): number =>
    Number(view.actors.length === 1 ? view.actors[0] === seat : view.seats[seat]?.marks.includes("roller"));
  const score = (seat: number): number => (view.scores[seat] ?? 0) * (view.lowest_wins ? -1 : 1);
  const seats = [...all]
    .sort((a, b) => acts(b) - acts(a) || score(b) - score(a))
    .slice(0, MOST - 1)
    .sort((a, b) => all.indexOf(a) - all.indexOf(b));
  return { seats, more: all.length - seats.length };
}

/** The shape of the table that a view shows. What was larger `before` keeps its room. */
export function shapeOf(view: View, { seats: others, more }: Seated, main: boolean, before?: Shape): Shape {
  const count = others.length + (more ? 1 : 0);
  const of = (owner: number | null): Zone[] => view.zones.filter((zone) => zone.owner === owner);
  const places = others.map((seat) => placed(of(seat)));
  const most = (numbers: number[], floor = 0): number => Math.max(floor, ...numbers);
  const mine = view.seat === null ? [] : placed(of(view.seat)).filter((zone) => !isFront(zone));
  const grid = mine.find((zone) => zone.kind === "grid")?.columns ?? 0;
  const common = of(null);
  const kept = before?.others === count && before.own.grid === grid ? before : undefined;
  return {
    others: count,
    other: {
      fixed: most(
        places.map((zones) =>
          zones.filter((zone) => !splits(zone)).reduce((sum, zone) => sum + fixed(zone), 0),
        ),
        kept?.other.fixed,
      ),
      spare: most(
        places.map((zones) => zones.reduce((sum, zone) => sum + spare(zone, zones.some(isFront)), 0)),
        kept?.other.spare,
      ),
      open: most(
        places.map((zones) => most(zones.filter(splits).map(roomForRow))),
        kept?.other.open,
      ),
      rows: most(
        places.map((zones) => most(zones.map(rowsOf))),
        kept?.other.rows,
      ),
      front: places.some((zones) => zones.some(isFront)),
    },
    own: {
      cards: most(
        [
          mine.some(splits)
            ? mine.reduce((sum, zone) => sum + (splits(zone) ? roomForRow(zone) : sizeOf(zone)), 0)
            : roomFor(mine.reduce((sum, zone) => sum + sizeOf(zone), 0)),
        ],
        kept?.own.cards,
      ),
      rows: most(mine.map(rowsOf), kept?.own.rows),
      grid,
    },
    common: {
      across: most([common.reduce((sum, zone) => sum + widthInCommon(zone), 0)], kept?.common.across),
      widest: most(common.map(widthInCommon), kept?.common.widest),
      lanes: common.filter((zone) => zone.kind !== "chips").length,
      dice: common.some((zone) => zone.kind === "dice"),
      piles: common.some((zone) => zone.kind === "pile"),
      pot: common.some((zone) => zone.kind === "chips"),
    },
    main,
    bets: others.some((seat) => of(seat).filter((zone) => zone.kind === "chips").length > 1),
  };
}

const widthInCommon = (zone: Zone): number =>
  zone.kind === "chips" ? 0 : zone.kind === "dice" ? 2.1 : zone.kind === "pile" ? 1.55 : sizeOf(zone) * 1.08;

type Tried = Arrangement & { score: number };

/** The arrangement in which cards are largest. Where nothing fits, the table is higher than the felt. */
export function arrange(width: number, height: number, shape: Shape): Arrangement {
  for (const high of [height, 1.08 * height, 1.2 * height, 1.5 * height, 3 * height]) {
    const found = arranged(width, high, shape, height < LOW);
    if (found) return found;
  }
  return smallest(width, height);
}

function arranged(width: number, height: number, shape: Shape, low: boolean): Tried | null {
  const round = width >= 700 && height >= 380;
  let best: Tried | null = null;
  const n = shape.others;
  const { own } = shape;
  const mayBeBeside = own.grid > 0 || (low && own.cards < 4);
  // A grid is high: with everyone at the sides there is more room for the viewer's.
  const most = Math.min(6, Math.floor((own.grid ? n + 1 : n - 1) / 2));
  const seatings = round
    ? range(n > 2 ? 1 : 0, most, 1).map(
        (each) => [each, Math.min(each, n - each), Math.max(0, n - 2 * each)] as const,
      )
    : range(1, Math.max(1, Math.min(n, 10)), 1).map((columns) => [0, 0, columns] as const);
  for (const [each, right, columns] of seatings)
    for (const lines of shape.other.open ? [1, 2] : [1])
      for (const lying of shape.other.rows ? [false, true] : [false])
        for (const other of shape.other.rows ? range(round ? 12 : 9, round ? 88 : 40, round ? 4 : 1) : [0])
          for (const ownLines of own.grid ||
          own.cards < (height > width ? 7 : 11) ||
          (!round && own.cards < 11)
            ? [1]
            : [1, 2])
            for (const beside of mayBeBeside ? [true, false] : [false]) {
              for (const slim of shape.other.spare && !round ? [false, true] : [false]) {
                const seats = { round, each, right, columns, lines, lying, ownLines, beside, slim };
                const tried = fit({ width, height, low, shape, other, ...seats });
                if (tried && tried.score > (best?.score ?? -Infinity)) best = tried;
              }
            }
  return best;
}

type Try = {
  width: number;
  height: number;
  low: boolean;
  shape: Shape;
  round: boolean;
  each: number;
  right: number;
  columns: number;
  lines: number;
  lying: boolean;
  other: number;
  ownLines: number;
  beside: boolean;
  slim: boolean;
};

/** The best sizes of the viewer's cards, and those in the middle, with the others as tried; null if there are none. */
function fit(one: Try): Tried | null {
  const { width, height, low, shape, round, each, right, columns, lines, lying } = one;
  const { other, ownLines, beside, slim } = one;
  const type = typeScale(width, height);
  const pad = round ? 24 : 12;
  const count = shape.other.spare && !(slim && shape.other.front) ? 26 : 0; // how many cards a closed hand has, in digits
  const margin = (round ? 24 : 12) + count;
  const gap = round ? 8 : 5;
  const text = round ? 58 * type : low ? 40 : 48; // a name, a standing, and margins
  const least = round ? 178 * type : (low ? 46 : 58) + (shape.bets ? 42 : 0);
  // The places of others.
  const across =
    shape.other.fixed -
    (slim ? shape.other.spare : 0) +
    (shape.other.open ? 1 + 0.5 * (Math.ceil(shape.other.open / lines) - 1) : 0);
  const rows = shape.other.rows ? Math.max(shape.other.rows, shape.other.open ? lines : 1) : 0;
  const cards = rows * (TALL * other + 2);
  const aside = shape.bets && width >= ASIDE; // bets lie beside the places at the sides, else below
  const upright = {
    width: Math.max(least, across * other + margin),
    height: text + cards + (rows ? 4 : 0) + (shape.bets && round && !aside ? 32 : 0),
  };
  const words = Math.max(1.1 * least, 78);
  const above = lying
    ? {
        width: words + across * other + margin + 15,
        height: Math.max(text + (round ? 18 * type : 0), cards + (low ? 8 : 14)),
      }
    : upright;
  const sides = (Number(each > 0) + Number(right > 0)) * (upright.width + gap + (aside ? 84 : 6));
  const lanes = Math.ceil((shape.others - each - right) / Math.max(1, columns));
  const share = (width - sides - pad) / Math.max(1, columns) - gap;
  if (columns && above.width > share) return null;
  const top = lanes * (above.height + gap) + (shape.bets && aside ? 30 : 0);
  // The viewer's cards, and what is left for the middle.
  const room = beside && round ? width - sides - pad : width - pad;
  const left = height - top - pad - (shape.bets && round ? 34 : 0);
  const name = shape.own.grid
    ? round
      ? NAME * type
      : GRID_NAME
    : (round && shape.bets ? RICH_NAME : low && beside ? LOW_NAME : WIDE_NAME) * type;
  const shown = shape.own.cards > 9 ? (round ? 0.62 : 0.5) : round ? 0.82 : 0.62; // of a card under another
  const split = shape.own.grid
    ? shape.own.grid * 1.05
    : 1 + shown * (Math.ceil(shape.own.cards / ownLines) - 1);
  const ownRows = shape.own.grid ? shape.own.rows : shape.own.cards ? ownLines : 0;
  const limits = round ? [168, 150] : low ? [64, 56] : [84, 64];
  const plate = Math.floor(upright.width);
  const seats = {
    round,
    beside,
    each,
    right,
    columns: Math.max(1, columns),
    lying,
    slim,
    lines,
    ownLines,
    hand: Math.ceil(shape.own.cards / ownLines),
    type,
    plate,
    words,
    name: Math.floor(name) - 6,
    aside,
    height: Math.floor(height),
  };
  let best: Tried | null = null;
  for (const own of ownRows ? range(28, limits[0]!, round ? 4 : 2) : [0]) {
    const named = !!shape.own.grid || split * own + name + 10 <= room;
    const ownWidth =
      split * own + (shape.own.grid ? Math.max(name, own) + 14 : named && ownRows ? name + 10 : 0);
    const ownHeight = Math.max(ownRows * (TALL * own + 8), text - 6) + (named || !ownRows ? 0 : text);
    if (ownWidth > room || (beside && ownHeight > left)) continue;
    if (each && each * (upright.height + 12) > height - pad - (beside ? 0 : ownHeight + 10)) continue;
    const space = beside
      ? { width: room - ownWidth - 16, height: left }
      : { width: width - sides - pad, height: left - ownHeight - 10 };
    const size = inMiddle(shape, space, low, limits[1]!);
    if (!size) continue;
    const score =
      (round ? 1.3 : shape.own.grid ? 2.2 : 1.8) * worth(own, round ? 100 : 60) +
      worth(other, round ? 60 : 30) +
      (round || shape.common.piles ? 1 : 1.6) * worth(size.common, round ? 90 : 52) +
      0.6 * Math.log(size.die || 1) +
      (round ? 0.05 * each : 0.9 * Math.log(Math.min(share - (lying ? across * other : 0), 100))) -
      (lines > 1 ? 0.15 : 0) -
      (ownLines > 1 && !round ? 0.5 : 0) -
      (slim ? 0.3 : 0);
    if (score <= (best?.score ?? -Infinity)) continue;
    best = { ...seats, named, other, own, above: Math.floor(round ? above.width : share), ...size, score };
  }
  return best;
}

const ASIDE = 900;
/** What a size is worth: more is better, and beyond what is enough only a little. */
const worth = (size: number, enough: number): number =>
  size ? Math.log(Math.min(size, enough)) + 0.3 * Math.log(Math.max(1, size / enough)) : 0;
const LOW = 330; // a phone on its side
const typeScale = (width: number, height: number): number =>
  width >= 700 && height >= 380 ? Math.max(1, Math.min(width / 1050, height / 580, 1.45)) : 1;

/** The largest cards and dice in the middle: in one line, or one below another. */
function inMiddle(
  shape: Shape,
  space: { width: number; height: number },
  low: boolean,
  most: number,
): { common: number; die: number; main: number } | null {
  const { across, widest, lanes, dice, piles, pot } = shape.common;
  const free = space.height - (low ? 20 : piles || shape.main ? 34 : 28) - (pot ? (low ? 22 : 31) : 0);
  if (shape.main) {
    const both = free - (low ? 34 : 48); // without its name, and what is around the dice
    const die = Math.floor(Math.min(0.44 * both, 0.24 * space.width, 190));
    return die < 30
      ? null
      : { common: 0, die, main: Math.floor(Math.min(0.54 * both, 0.3 * space.width, 220)) };
  }
  if (!across) return { common: 0, die: 0, main: 0 };
  const label = piles ? (low ? 20 : 26) : 8; // what is under a card: its name, or a bracket
  const line = Math.min((free - label) / TALL, (space.width - 16) / across);
  const stack = Math.min((free - label * lanes) / lanes / TALL - 4, (space.width - 16) / widest);
  const common = Math.floor(Math.min(Math.max(line, stack), most));
  return common < (low ? 20 : 26) ? null : { common, die: dice ? Math.floor(common * 0.95) : 0, main: 0 };
}

const smallest = (width: number, height: number): Arrangement => ({
  round: false,
  beside: false,
  each: 0,
  right: 0,
  columns: Math.max(1, Math.floor(width / 90)),
  lying: false,
  slim: true,
  plate: 80,
  above: 80,
  words: 66,
  name: 128,
  aside: false,
  lines: 1,
  ownLines: 2,
  hand: 9,
  named: false,
  other: 14,
  common: 28,
  own: 30,
  die: 34,
  main: 34,
  type: 1,
  height,
});
