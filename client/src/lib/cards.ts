// Cards in words and parts: rank, suit, and how a person would say them.

export type SuitName = "R" | "P" | "X" | "W" | "L" | "S" | "H" | "D" | "C";
export const SUITS: Record<SuitName, { symbol: string; one: string; many: string }> = {
  R: { symbol: "●", one: "Rock", many: "Rock" },
  P: { symbol: "▤", one: "Paper", many: "Paper" },
  X: { symbol: "✂", one: "Scissors", many: "Scissors" },
  W: { symbol: "≈", one: "Water", many: "Water" },
  L: { symbol: "§", one: "Lizard", many: "Lizards" },
  S: { symbol: "♠", one: "Spades", many: "Spades" },
  H: { symbol: "♥", one: "Hearts", many: "Hearts" },
  D: { symbol: "♦", one: "Diamonds", many: "Diamonds" },
  C: { symbol: "♣", one: "Clubs", many: "Clubs" },
};
const RANKS: Record<string, string> = {
  A: "ace",
  J: "jack",
  Q: "queen",
  K: "king",
  JK: "joker",
};

export type Face = { rank: string; suit: SuitName | null; joker: boolean };

export function face(text: string): Face {
  if (text === "JK") return { rank: "JK", suit: null, joker: true };
  const last = text.at(-1) as SuitName;
  if (text.length > 1 && last in SUITS) return { rank: text.slice(0, -1), suit: last, joker: false };
  return { rank: text, suit: null, joker: false };
}

/** A card as one says it: `7 of Rocks`. */
export function spoken(text: string): string {
  const { rank, suit } = face(text);
  const name = RANKS[rank] ?? rank;
  return suit ? `${name} of ${SUITS[suit].many}` : name;
}

/** The places of cards by suit, in the order of the suits; cards of a suit stay in theirs. */
export function bySuit(cards: readonly { card: string | null }[]): number[] {
  const order = Object.keys(SUITS);
  const suit = (at: number): number => order.indexOf(face(cards[at]!.card ?? "").suit ?? "");
  return cards.map((_, at) => at).sort((one, other) => suit(one) - suit(other));
}

/** How many pips a rank has. */
export const worthOf = (rank: string): number =>
  "AJQK".indexOf(rank) < 0 ? Number(rank) : ({ A: 1, J: 11, Q: 12, K: 13 }[rank] ?? 0);

/** A card in a sentence: `7♠`. */
export function written(text: string): string {
  const { rank, suit, joker } = face(text);
  return joker ? "joker" : rank + (suit ? SUITS[suit].symbol : "");
}
