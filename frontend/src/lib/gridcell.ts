// What one cell of a 13 x 13 grid shows, and how it is drawn.
import { CLASS_NAMES } from "./cards";
import { ink as inkOn } from "./palette";

export interface GridCell {
  /** Bars from left to right; shares sum to 1. */
  bars: { colour: string; share: number }[];
  /** Height of the bars, 0 to 1. 0: the hand is not in the range. */
  height: number;
  /** A number in the lower right corner. */
  text?: string;
  /** In the range, but never gets here. */
  greyed?: boolean;
  /** For screen readers, after the name of the hand. */
  words: string;
}

export interface GridInk {
  cell: string;
  gap: string;
  faint: string;
  ink: string;
  strong: string;
  ring: string;
}

export function drawGrid(
  canvas: HTMLCanvasElement,
  cells: GridCell[],
  side: number,
  ink: GridInk,
  chosen: number | null,
  hovered: number | null,
): void {
  const ratio = Math.min(3, globalThis.devicePixelRatio || 1);
  const pixels = Math.round(side * ratio);
  if (canvas.width !== pixels || canvas.height !== pixels) canvas.width = canvas.height = pixels;
  const context = canvas.getContext("2d", { alpha: false })!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = ink.gap;
  context.fillRect(0, 0, side, side);
  const edges = Array.from({ length: 14 }, (_, at) => Math.round((side * at) / 13));
  const unit = side / 13;
  const nameSize = Math.max(8, Math.min(14, unit * 0.33));
  const textSize = Math.max(7.5, Math.min(12.5, unit * 0.285));
  const nameFont = nameFontIn(context, nameSize, unit);
  const inset = unit < SMALL ? 1.5 : 3;
  const textFont = `550 ${textSize}px ui-sans-serif, system-ui, sans-serif`;
  for (let index = 0; index < 169; index++) {
    const cell = cells[index];
    const left = edges[index % 13];
    const top = edges[Math.floor(index / 13)];
    const width = edges[(index % 13) + 1] - left - 1;
    const height = edges[Math.floor(index / 13) + 1] - top - 1;
    context.fillStyle = ink.cell;
    context.fillRect(left, top, width, height);
    const tall = cell.greyed
      ? height
      : Math.max(cell.height > 0 ? 2 : 0, Math.round(height * Math.min(1, cell.height)));
    if (tall > 0) {
      context.globalAlpha = cell.greyed ? 0.22 : 1;
      let at = left;
      let sum = 0;
      for (const bar of cell.bars) {
        sum += bar.share;
        const end = left + width * Math.min(1, sum);
        context.fillStyle = bar.colour;
        context.fillRect(at, top + height - tall, end - at, tall);
        at = end;
      }
      context.globalAlpha = 1;
    }
    const covered = cell.greyed ? 0 : tall / height; // how far up the bars reach: text on them needs another ink
    const plain = cell.height > 0 && !cell.greyed ? ink.strong : cell.greyed ? ink.ink : ink.faint;
    context.textBaseline = "top";
    context.textAlign = "left";
    context.font = nameFont;
    label(
      context,
      CLASS_NAMES[index],
      left + inset,
      top + inset,
      covered > 0.78 ? inkOver(cell, 0.08, 0.6) : plain,
    );
    if (cell.text && (unit >= 30 || cell.text.length <= 3)) {
      context.textBaseline = "alphabetic";
      context.textAlign = "right";
      context.font = textFont;
      const wide = context.measureText(cell.text).width;
      if (wide > width - 4)
        context.font = `550 ${Math.max(7, (textSize * (width - 4)) / wide)}px ui-sans-serif, system-ui, sans-serif`;
      label(
        context,
        cell.text,
        left + width - 2,
        top + height - 4,
        covered > 0.25 ? inkOver(cell, 0.5, 0.95) : plain,
      );
    }
  }
  for (const [index, wide] of [
    [hovered, 1.5],
    [chosen, 2.5],
  ] as const) {
    if (index === null) continue;
    context.strokeStyle = ink.ring;
    context.lineWidth = wide;
    const left = edges[index % 13];
    const top = edges[Math.floor(index / 13)];
    context.strokeRect(
      left + 0.5,
      top + 0.5,
      edges[(index % 13) + 1] - left - 2,
      edges[Math.floor(index / 13) + 1] - top - 2,
    );
  }
}

const SMALL = 24; // pixels of a cell's side
/** The font of the hands' names: in small cells so small that the widest of them fits. */
function nameFontIn(context: CanvasRenderingContext2D, size: number, unit: number): string {
  const font = (pixels: number) => `650 ${pixels}px ui-sans-serif, system-ui, sans-serif`;
  if (unit >= SMALL) return font(size);
  context.font = font(size);
  const wide = context.measureText("AQo").width;
  return font(Math.max(6.5, Math.min(size, (size * (unit - 3.5)) / wide)));
}

/** The ink that reads on the bars between two places; empty where they are light and dark. */
function inkOver(cell: GridCell, from: number, to: number): string {
  let [sum, found] = [0, ""];
  for (const bar of cell.bars) {
    const start = sum;
    sum += bar.share;
    if (sum <= from || start >= to || bar.share < 0.005) continue;
    const own = inkOn(bar.colour);
    if (found && own !== found) return "";
    found = own;
  }
  return found;
}

/** Write a text; without a colour of its own in white with a dark rim, which reads on anything. */
function label(context: CanvasRenderingContext2D, text: string, x: number, y: number, colour: string): void {
  if (!colour) {
    context.strokeStyle = "rgb(10 12 16 / 60%)";
    context.lineWidth = 2;
    context.lineJoin = "round";
    context.strokeText(text, x, y);
  }
  context.fillStyle = colour || "#ffffff";
  context.fillText(text, x, y);
}
