// The clicks that make a profile, one after the other: two seats give boxes, the others the middles of theirs.
import type { Clicks } from "./pictures.svelte";

export type Box = [number, number, number, number];
export type Point = [number, number];
export interface Step {
  key: string;
  how: "box" | "point";
  text: string;
}

export function steps(seats: number): Step[] {
  const box = (key: string, text: string): Step => ({ key, how: "box", text: `Draw a box around ${text}` });
  const point = (key: string, text: string): Step => ({
    key,
    how: "point",
    text: `Click the middle of ${text}`,
  });
  const found = [
    box("first", "the first card of the board"),
    box("last", "the place of the fifth card of the board"),
    box("pot", "the line of text with the pot"),
  ];
  for (let seat = 0; seat < seats; seat++) {
    const whose = seat ? `of seat ${seat}` : "of the hero, seat 0";
    const make = seat < 2 ? box : point;
    found.push(make(`${seat}.card0`, `the first card ${whose}, as far as it can be seen`));
    if (seat < 2) found.push(box(`${seat}.card1`, `the second card ${whose}`));
    found.push(
      make(`${seat}.stack`, `the line of text with the stack ${whose}`),
      make(`${seat}.bet`, `the place of a bet's text ${whose}`),
      make(`${seat}.button`, `the place of the dealer button ${whose}`),
      make(`${seat}.turn`, `the whole plate ${whose}, with some edge`),
    );
  }
  found.push({ key: "mark", how: "point", text: "Click on the mark that says whose turn it is" });
  return found;
}

/** What the server takes, of all marks by their keys; shows: of a seat, "backs" or "empty". */
export function clicksOf(
  marks: Record<string, Box | Point>,
  seats: number,
  buttonSeat: number,
  turnSeat: number,
  potWithBets: boolean,
  shows: Record<number, string>,
): Clicks {
  const showing = (what: string) =>
    Array.from({ length: seats }, (_, n) => n).filter((n) => shows[n] === what);
  const seat = (n: number) => ({
    cards: n < 2 ? [marks[`${n}.card0`], marks[`${n}.card1`]] : marks[`${n}.card0`],
    stack: marks[`${n}.stack`],
    bet: marks[`${n}.bet`],
    button: marks[`${n}.button`],
    turn: marks[`${n}.turn`],
  });
  return {
    board: [marks.first, marks.last],
    pot: marks.pot,
    seats: Array.from({ length: seats }, (_, n) => seat(n)),
    button_seat: buttonSeat,
    turn: { seat: turnSeat, point: marks.mark },
    hero: 0,
    pot_with_bets: potWithBets,
    backs: showing("backs"),
    empty: showing("empty"),
  } as Clicks;
}
