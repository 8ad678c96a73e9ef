// Chips inside, big blinds outside: the solver counts whole chips, a person types hundredths of a big blind.

const divisor = (one: number, two: number): number => (two ? divisor(two, one % two) : one);

/** By what all chips of a spot have to grow so that so many hundredths of a big blind are whole chips. */
export function wholeFactor(hundredths: number, bigBlind: number): number {
  if ((hundredths * bigBlind) % 100 === 0) return 1;
  return Number.isInteger(bigBlind) ? 100 / divisor(100, bigBlind) : 100 / bigBlind;
}

/** Bet sizes with their chips (`20c`) grown by a factor; all other sizes have no chips in them. */
export const scaledSizes = (text: string, factor: number): string =>
  text.replace(/\b(\d+)c\b/gi, (_, chips: string) => `${Math.round(Number(chips) * factor)}c`);
