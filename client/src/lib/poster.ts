// The result of a match as a picture to send: drawn on a canvas, and only loaded when it is asked for.
import { asImage } from "./faces";

export type Line = { face: string; name: string; score: string; won: boolean };
export type Story = {
  title: string;
  picture: string;
  headline: string;
  reason: string;
  unit: string;
  lines: Line[];
  highlights: { when: string; text: string }[];
};

const WIDTH = 1080;
const EDGE = 72;
const BANNER = 600;
const MOST = 6; // players who are listed
const SERIF = '"Iowan Old Style", "Palatino Linotype", Palatino, P052, Georgia, serif';
const SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const INK = "#2b2620";
const SOFT = "#645a4c";
const ACCENT = "#a8401f";

async function load(address: string): Promise<HTMLImageElement | null> {
  const image = new Image();
  image.src = address;
  return image.decode().then(
    () => image,
    () => null,
  );
}

/** A text in lines that are not wider than `width`; the last one allowed ends in dots. */
function wrap(pen: CanvasRenderingContext2D, text: string, width: number, most: number): string[] {
  const found: string[] = [];
  for (const word of text.split(/\s+/)) {
    const longer = found.length ? `${found.at(-1)} ${word}` : word;
    if (found.length && pen.measureText(longer).width <= width) found[found.length - 1] = longer;
    else found.push(word);
  }
  const kept = found.slice(0, most);
  if (found.length > most) kept[most - 1] += " …";
  return kept.map((line) => cut(pen, line, width));
}

function cut(pen: CanvasRenderingContext2D, text: string, width: number): string {
  let signs = [...text];
  while (signs.length > 1 && pen.measureText(signs.join("")).width > width)
    signs = [...signs.slice(0, -2), "…"];
  return signs.join("");
}

class Sheet {
  y = 0;
  constructor(readonly pen: CanvasRenderingContext2D) {}

  /** A paragraph in the middle, below all that is drawn. */
  words(text: string, font: string, colour: string, height: number, most: number): void {
    this.pen.font = font;
    this.pen.fillStyle = colour;
    this.pen.textAlign = "center";
    for (const line of wrap(this.pen, text, WIDTH - 2 * EDGE, most)) {
      this.y += height;
      this.pen.fillText(line, WIDTH / 2, this.y);
    }
  }
  panel(height: number, colour: string, border: string): void {
    this.pen.beginPath();
    this.pen.roundRect(EDGE, this.y, WIDTH - 2 * EDGE, height, 22);
    this.pen.fillStyle = colour;
    this.pen.fill();
    this.pen.strokeStyle = border;
    this.pen.lineWidth = 2;
    this.pen.stroke();
  }
}

function banner(sheet: Sheet, picture: HTMLImageElement | null, faces: (HTMLImageElement | null)[]): void {
  const { pen } = sheet;
  pen.fillStyle = "#264f40";
  pen.fillRect(0, 0, WIDTH, BANNER);
  if (picture) {
    const height = (WIDTH * picture.naturalHeight) / picture.naturalWidth;
    pen.save();
    pen.beginPath();
    pen.rect(0, 0, WIDTH, BANNER);
    pen.clip();
    pen.drawImage(picture, 0, (BANNER - height) * 0.35, WIDTH, height);
    pen.restore();
  }
  const shown = faces.slice(0, 5);
  const size = shown.length > 1 ? 150 : 200;
  shown.forEach((face, at) => {
    const x = WIDTH / 2 + (at - (shown.length - 1) / 2) * (size - 14);
    pen.beginPath();
    pen.arc(x, BANNER, size / 2 + 9, 0, 7);
    pen.fillStyle = "#f1c15d";
    pen.fill();
    if (face) pen.drawImage(face, x - size / 2, BANNER - size / 2, size, size);
  });
  sheet.y = BANNER + (shown.length ? size / 2 + 20 : 0);
}

function scores(sheet: Sheet, story: Story, faces: (HTMLImageElement | null)[]): void {
  const { pen } = sheet;
  story.lines.slice(0, MOST).forEach((line, at) => {
    sheet.panel(84, line.won ? "#f6dfd2" : "#fffaf0", line.won ? ACCENT : "#d8ccb6");
    const middle = sheet.y + 42;
    if (faces[at]) pen.drawImage(faces[at], EDGE + 18, middle - 29, 58, 58);
    pen.textAlign = "right";
    pen.font = `700 42px ${SERIF}`;
    pen.fillStyle = INK;
    pen.fillText(line.score, WIDTH - EDGE - 28, middle + 14);
    const room = WIDTH - 2 * EDGE - 140 - pen.measureText(line.score).width;
    pen.textAlign = "left";
    pen.font = `${line.won ? 700 : 500} 36px ${SANS}`;
    pen.fillText(cut(pen, line.name, room), EDGE + 96, middle + 12);
    sheet.y += 94;
  });
  const more = story.lines.length - MOST;
  const note = [more > 0 ? `and ${more} more` : "", story.unit].filter(Boolean).join(" · ");
  if (note) sheet.words(note, `400 28px ${SANS}`, SOFT, 36, 1);
}

function moments(sheet: Sheet, story: Story): void {
  const { pen } = sheet;
  for (const { when, text } of story.highlights) {
    pen.textAlign = "left";
    pen.font = `600 26px ${SANS}`;
    pen.fillStyle = ACCENT;
    pen.fillText(cut(pen, when, WIDTH - 2 * EDGE - 34), EDGE + 34, (sheet.y += 46));
    const top = sheet.y - 24;
    pen.font = `400 31px ${SANS}`;
    pen.fillStyle = INK;
    for (const line of wrap(pen, text, WIDTH - 2 * EDGE - 34, 2))
      pen.fillText(line, EDGE + 34, (sheet.y += 41));
    pen.fillStyle = "#d8ccb6";
    pen.fillRect(EDGE + 8, top, 6, sheet.y - top + 8);
    sheet.y += 8;
  }
}

async function paint(pen: CanvasRenderingContext2D, story: Story): Promise<number> {
  const sheet = new Sheet(pen);
  const faces = await Promise.all(story.lines.map((line) => load(asImage(line.face))));
  const winners = faces.filter((_, at) => story.lines[at]!.won);
  banner(sheet, await load(story.picture), winners);
  sheet.words(story.headline, `600 76px ${SERIF}`, INK, 84, 2);
  sheet.y += 8;
  if (story.reason) sheet.words(story.reason, `400 36px ${SANS}`, SOFT, 50, 3);
  sheet.y += 40;
  scores(sheet, story, faces);
  sheet.y += 12;
  moments(sheet, story);
  sheet.y += 64;
  pen.fillStyle = ACCENT;
  pen.textAlign = "center";
  pen.font = `700 34px ${SERIF}`;
  pen.fillText(`Ninefold · ${story.title}`, WIDTH / 2, sheet.y);
  return sheet.y + 48;
}

/** A PNG of the result, as high as it needs to be. */
export async function poster(story: Story): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = 4;
  const height = Math.ceil(await paint(canvas.getContext("2d")!, story)); // measured first
  canvas.height = Math.max(1080, height);
  const pen = canvas.getContext("2d")!;
  pen.fillStyle = "#f4eee2";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  await paint(pen, story);
  return new Promise((done, fail) =>
    canvas.toBlob(
      (found) => (found ? done(found) : fail(new Error("The picture could not be made."))),
      "image/png",
    ),
  );
}
