// A random number from 0 to 99 as the action it means: shares in the order of the bars, bets first, fold last.

/** The action (its place) that a number means; mix: the share of each action, as the server lists them. */
export function meant(mix: number[], number: number): number {
  const at = (number + 0.5) / 100; // the middle of the number's hundredth, so that 0 % never comes up
  let sum = 0;
  for (let action = mix.length - 1; action > 0; action--) {
    sum += mix[action];
    if (at < sum) return action;
  }
  return 0;
}

/** The numbers of every action that has some, in the order of the bars: `[action, first, last]`. */
export function numbersOf(mix: number[]): [number, number, number][] {
  const found: [number, number, number][] = [];
  for (let number = 0; number < 100; number++) {
    const action = meant(mix, number);
    const last = found.at(-1);
    if (last?.[0] === action) last[2] = number;
    else found.push([action, number, number]);
  }
  return found;
}

export const drawn = (): number => {
  const words = new Uint32Array(1);
  do crypto.getRandomValues(words);
  while (words[0] >= 4_294_967_200); // the rest would make small numbers come up more often
  return words[0] % 100;
};
