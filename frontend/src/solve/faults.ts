// The fields of the form by the names the server has for them, as a person calls them.
const FIELDS: [where: string, name: string][] = [
  ["board", "Board"],
  ["pot", "Pot"],
  ["stacks", "Stacks"],
  ["big_blind", "Big blind"],
  ["ranges.oop", "Range out of position"],
  ["ranges.ip", "Range in position"],
  ["bets.flop", "Flop bet sizes"],
  ["bets.turn", "Turn bet sizes"],
  ["bets.river", "River bet sizes"],
  ["bets", "Bet sizes"],
  ["rake", "Rake"],
  ["thresholds", "All-in thresholds"],
  ["min_bet", "Smallest bet"],
  ["solve.target", "Accuracy"],
  ["solve.iterations", "Iterations"],
  ["solve.seconds", "Time"],
  ["name", "Name"],
];

export const isWithin = (where: string, field: string): boolean =>
  where === field || where.startsWith(`${field}.`);

/** The field a fault belongs to, and its name; none where it belongs to no field of the form. */
export const fieldOf = (where: string): [string, string] | undefined =>
  FIELDS.find(([field]) => isWithin(where, field));

export const fieldName = (field: string): string => fieldOf(field)?.[1] ?? field;
