// Cards, combos and classes in the package's one order (see src/overbet/cards/combos.py).
export const RANKS = "23456789TJQKA";
export const SUITS = "cdhs";
export const SUIT_NAMES = ["clubs", "diamonds", "hearts", "spades"];
export const SUIT_SIGNS = ["♣", "♦", "♥", "♠"];
export const COMBOS = 1326;
export const CLASSES = 169;

/** Tens written with two digits, as they stand on cards: `10s` is `Ts`. */
const withTens = (text: string): string => text.replace(/10(?=[cdhs])/gi, "T");

export function cardOf(written: string): number {
  const text = withTens(written);
  const rank = RANKS.indexOf(text[0]?.toUpperCase() ?? "?");
  const suit = SUITS.indexOf(text[1]?.toLowerCase() ?? "?");
  return text.length === 2 && rank >= 0 && suit >= 0 ? 4 * rank + suit : -1;
}

export const cardName = (card: number): string => RANKS[card >> 2] + SUITS[card & 3];
export const cardWords = (card: number): string => `${RANK_WORDS[card >> 2]} of ${SUIT_NAMES[card & 3]}`;
const RANK_WORDS = [
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "jack",
  "queen",
  "king",
  "ace",
];

export interface ReadCards {
  /** The cards as far as they can be read. */
  cards: number[];
  fault: string;
  /** The text breaks off within its last card, as it does while one types. */
  unfinished: boolean;
}
/** The cards of a text such as `Td9d6h` or `10d 9d, 6h`, or what is wrong with it. */
export function readCards(text: string): ReadCards {
  const bare = withTens(text.replace(/[\s,]/g, ""));
  const unfinished = /^(..)*([2-9tjqka1]|10)$/i.test(bare);
  const cards: number[] = [];
  for (let at = 0; at < bare.length; at += 2) {
    const piece = bare.slice(at, at + 2);
    const card = cardOf(piece);
    if (card < 0)
      return { cards, fault: `“${piece}” is not a card; write a rank and a suit, such as Ah`, unfinished };
    if (cards.includes(card)) return { cards, fault: `${cardName(card)} appears twice`, unfinished };
    cards.push(card);
  }
  return { cards, fault: "", unfinished: false };
}

export const cardsName = (cards: Iterable<number>): string => Array.from(cards, cardName).join("");

/** Cards of every combo, higher first: high = HIGH[i], low = LOW[i]. */
export const HIGH = new Uint8Array(COMBOS);
export const LOW = new Uint8Array(COMBOS);
/** Class (cell of the grid, row by row from AA) of every combo. */
export const CLASS_OF = new Uint8Array(COMBOS);
export const COMBOS_OF: number[][] = Array.from({ length: CLASSES }, () => []);
for (let high = 0, index = 0; high < 52; high++) {
  for (let low = 0; low < high; low++, index++) {
    HIGH[index] = high;
    LOW[index] = low;
    const row = 12 - (high >> 2);
    const column = 12 - (low >> 2);
    const suited = (high & 3) === (low & 3) || row === column;
    CLASS_OF[index] = suited ? 13 * row + column : 13 * column + row;
    COMBOS_OF[CLASS_OF[index]].push(index);
  }
}

export const comboIndex = (one: number, two: number): number =>
  one > two ? (one * (one - 1)) / 2 + two : (two * (two - 1)) / 2 + one;
export const comboName = (combo: number): string => cardName(HIGH[combo]) + cardName(LOW[combo]);

export function className(index: number): string {
  const row = Math.floor(index / 13);
  const column = index % 13;
  const high = RANKS[12 - Math.min(row, column)];
  const low = RANKS[12 - Math.max(row, column)];
  return high + low + (row === column ? "" : column > row ? "s" : "o");
}
export const CLASS_NAMES = Array.from({ length: CLASSES }, (_, index) => className(index));

export const classSize = (index: number): number => COMBOS_OF[index].length;
export const touches = (combo: number, cards: Iterable<number>): boolean => {
  for (const card of cards) if (HIGH[combo] === card || LOW[combo] === card) return true;
  return false;
};

/** A random flop, highest card first, as one lays it out. */
export function randomCards(count: number, dead: number[] = []): number[] {
  const deck = Array.from({ length: 52 }, (_, card) => card).filter((card) => !dead.includes(card));
  const bytes = crypto.getRandomValues(new Uint32Array(count));
  const found = Array.from(bytes, (value) => deck.splice(value % deck.length, 1)[0]);
  return found.sort((a, b) => b - a);
}
