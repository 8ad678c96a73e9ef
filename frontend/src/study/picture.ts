// A node as a picture to keep or to send: the spot, the line, the grid as it is on show, the totals.
import { actionWords } from "../lib/actions";
import { RANKS, SUIT_SIGNS, readCards } from "../lib/cards";
import { amountWithUnit, fixed, percent, type Scale } from "../lib/format";
import { drawGrid, type GridCell, type GridInk } from "../lib/gridcell";
import type { SpotNode } from "../lib/node";
import { ink } from "../lib/palette";
import type { Player } from "../lib/shapes";

const [SIDE, EDGE, TILE] = [640, 16, 46];
const FONT = "ui-sans-serif, system-ui, sans-serif";

export interface Pictured {
  node: SpotNode;
  name: string;
  player: Player;
  show: string;
  cells: GridCell[];
  colours: string[];
  scale: Scale;
  chosen: number | null;
}

/** The line in words: `OOP Check · IP Bet 7.3 bb · 8h`. */
export function lineWords(node: SpotNode, scale: Scale): string {
  const words = node.steps.map((step) => {
    const taken = step.options.find((option) => option.token === step.chosen);
    return taken && step.player ? `${step.player.toUpperCase()} ${actionWords(taken, scale)}` : step.chosen;
  });
  return words.join(" · ") || "First to act";
}

export function pictureOf(shown: Pictured): HTMLCanvasElement {
  const { node, scale, colours } = shown;
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const grid = document.createElement("canvas");
  const tones: GridInk = {
    cell: token("--cell"),
    gap: token("--panel"),
    faint: token("--ink-3"),
    ink: token("--ink-2"),
    strong: token("--ink"),
    ring: token("--ink"),
  };
  drawGrid(grid, shown.cells, SIDE, tones, shown.chosen, null);
  const ratio = grid.width / SIDE;
  const acts = node.player === shown.player ? node.actions : [];
  const top = 92;
  const height = top + SIDE + EDGE + (acts.length ? TILE + EDGE : 0);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round((SIDE + 2 * EDGE) * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d", { alpha: false })!;
  context.scale(ratio, ratio);
  context.fillStyle = token("--panel");
  context.fillRect(0, 0, SIDE + 2 * EDGE, height);
  context.textBaseline = "alphabetic";
  const write = (text: string, x: number, y: number, colour: string, font: string) => {
    context.font = `${font} ${FONT}`;
    context.fillStyle = colour;
    context.fillText(text, x, y, SIDE + EDGE - x);
    return x + context.measureText(text).width;
  };
  let x = EDGE;
  for (const card of readCards(node.board).cards)
    x = write(`${RANKS[card >> 2]}${SUIT_SIGNS[card & 3]} `, x, 30, token(`--suit-${card & 3}`), "700 19px");
  write(shown.name, x + 8, 30, token("--ink"), "650 15px");
  write(lineWords(node, scale), EDGE, 54, token("--ink"), "550 14px");
  const seat = node.players[shown.player];
  const facts = [
    `${shown.player.toUpperCase()}, ${shown.show}`,
    `pot ${amountWithUnit(node.pot_chips, scale)}`,
    `SPR ${fixed(node.spr, 2)}`,
    `EV ${amountWithUnit(seat.ev_chips, scale)}`,
    `equity ${percent(seat.equity)}`,
    `exploitability ${fixed(node.exploitability, 3)}% of the pot`,
  ];
  write(facts.join("   "), EDGE, 78, token("--ink-2"), "450 13px");
  context.drawImage(grid, EDGE, top, SIDE, SIDE);
  const wide = (SIDE - 6 * (acts.length - 1)) / Math.max(1, acts.length);
  acts
    .map((action, at) => ({ action, colour: colours[at] }))
    .reverse()
    .forEach(({ action, colour }, place) => {
      const left = EDGE + place * (wide + 6);
      context.fillStyle = colour;
      context.fillRect(left, top + SIDE + EDGE, wide, TILE);
      context.fillStyle = ink(colour);
      context.font = `600 13px ${FONT}`;
      context.fillText(actionWords(action, scale), left + 8, top + SIDE + EDGE + 18, wide - 12);
      context.font = `700 17px ${FONT}`;
      context.fillText(percent(action.frequency), left + 8, top + SIDE + EDGE + 38, wide - 12);
    });
  return canvas;
}

/** A name for the file: the board and the line. */
export const pictureName = (node: SpotNode): string =>
  `${node.board}-${node.line.replace(/[^\w]+/g, "-")}.png`;
