// Faces for the seats of a table: the cast have their own, others' are drawn from their name. Everything is a picture
// as text (SVG), so that a page and a canvas can show it alike. Knows no game and no table.

const COLOURS = [
  "#a8401f",
  "#2f6b57",
  "#34609f",
  "#7f4796",
  "#7c6414",
  "#a8476a",
  "#4a7320",
  "#1f7480",
  "#6f5a45",
];
/** What lies over the colour of a seat, so that seats differ without colours too. */
const PATTERNS = [
  "",
  "M-8 16 16-8M0 40 40 0M0 64 64 0M24 72 72 24M48 80 80 48",
  "M0 14h64M0 28h64M0 42h64M0 56h64",
  "M14 0v64M28 0v64M42 0v64M56 0v64",
  "M-4 18 14 0l18 18L50 0l18 18M-4 40l18-18 18 18 18-18 18 18M-4 62l18-18 18 18 18-18 18 18",
  "M32 32m-12 0a12 12 0 1 0 24 0a12 12 0 1 0-24 0M32 32m-26 0a26 26 0 1 0 52 0a26 26 0 1 0-52 0",
  "M0 16h64M0 48h64M16 0v64M48 0v64",
  "M-8 48 48-8M16 72 72 16M-8 16 48 72M16-8l56 56",
  "M10 10h.1M32 6h.1M54 10h.1M6 32h.1M58 32h.1M10 54h.1M32 58h.1M54 54h.1M21 21h.1M43 21h.1M21 43h.1M43 43h.1",
];
/** The mark of a seat on a chart, around a point. */
const MARKS = [
  "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0Z",
  "M-3.600-3.600h7.200v7.200h-7.200Z",
  "M0-5.200 5.200 0 0 5.200-5.200 0Z",
  "M0-5 5 4H-5Z",
  "M-1.600-5h3.200v3.400H5v3.200H1.600V5h-3.200V1.600H-5v-3.200h3.400Z",
  "M0 5-5-4H5Z",
  "M-5 0-2.500-4.300h5L5 0 2.500 4.300h-5Z",
  "M-5-2-2-5 0-3 2-5 5-2 3 0 5 2 2 5 0 3-2 5-5 2-3 0Z",
  "M0-5.600 1.500-1.900 5.300-1.700 2.400.8 3.300 4.500 0 2.400-3.300 4.500-2.400.8-5.300-1.700-1.500-1.900Z",
];
export const colourOf = (seat: number): string => COLOURS[seat % 9]!;
export const markOf = (seat: number): string => MARKS[seat % 9]!;

const SKINS = ["#f6d2b3", "#e9b78f", "#c98f63", "#a5693f", "#7c4a2b", "#f1c6a5"];
const HAIRS = ["#2a1d16", "#5a3620", "#8f5a2b", "#d2a24c", "#b4481f", "#8b8680", "#e8e0d2", "#3b2f52"];
const CLOTHES = ["#f1c15d", "#e8e0d2", "#c8553d", "#7fb0a0", "#8fa6d6", "#d6a0b8", "#2b2620", "#b7c46a"];
const HEADS = [
  "M18.500 31a13.500 13.500 0 1 0 27 0a13.500 13.500 0 1 0-27 0Z",
  "M20 29c0-8 5-13 12-13s12 5 12 13c0 9-5 16-12 16s-12-7-12-16Z",
  "M19.500 23q0-6 6-6h13q6 0 6 6v11q0 11-12.500 11t-12.500-11Z",
  "M19 27c0-7 5-11 13-11s13 4 13 11c0 8-7 18-13 18s-13-10-13-18Z",
];
/** Hair: what lies behind the head, and what lies over it. */
const CUTS: [string, string][] = [
  ["", "M19 30c-2-11 4-17 13-17s15 6 13 17c-2-5-4-7-7-9-6 2-12 1-15-1-2 2-3 6-4 10Z"],
  [
    "M16 47c-3-19 0-35 16-35s19 16 16 35h-8V28H24v19Z",
    "M19 28c0-9 5-14 13-14s13 5 13 14c-5-1-8-3-10-7-3 4-9 7-16 7Z",
  ],
  [
    "M14 58c-1-26 0-46 18-46s19 20 18 46h-10V30H24v28Z",
    "M19 31c0-11 5-17 13-17s13 6 13 17c-4-3-9-7-11-13-3 6-10 10-15 13Z",
  ],
  [
    "M32 10a7 7 0 0 1 10 3a7 7 0 0 1 6 9a7 7 0 0 1 0 10a6 6 0 0 1-4 8H20a6 6 0 0 1-4-8a7 7 0 0 1 0-10a7 7 0 0 1 6-9a7 7 0 0 1 10-3Z",
    "M19 28c-1-8 4-12 13-12s14 4 13 12c-2-3-4-4-6-3-2-3-5-3-7-1-2-2-5-2-7 1-2-1-4 0-6 3Z",
  ],
  [
    "M25.500 9a6.500 6.500 0 1 0 13 0a6.500 6.500 0 1 0-13 0Z",
    "M18.500 30c0-10 5-16 13.500-16s13.500 6 13.500 16c-3-7-8-10-13.500-10s-10.500 3-13.500 10Z",
  ],
  ["", "M19 28l-2-9 6 2 1-8 5 4 3-7 4 7 5-4 1 8 6-2-3 9c-3-5-8-7-13-7s-10 2-13 7Z"],
  ["", "M18 33c-2-5-1-9 2-12 0 4 0 8-.5 12ZM46 33c2-5 1-9-2-12 0 4 0 8 .5 12Z"],
  ["", "M18 31c-3-13 5-19 15-19 10 1 16 8 13 19-2-6-5-9-9-10-6 4-12 4-15 3-2 2-3 4-4 7Z"],
  [
    "M12 26a20 19 0 1 1 40 0c0 9-5 15-9 16H21c-4-1-9-7-9-16Z",
    "M19 27c1-7 6-10 13-10s12 3 13 10c-4-4-8-5-13-5s-9 1-13 5Z",
  ],
  [
    "M17 27c-6 2-8 9-6 20 0 3 5 4 6 0 1-6 1-12 3-18ZM47 27c6 2 8 9 6 20 0 3-5 4-6 0-1-6-1-12-3-18Z",
    "M19 30c-1-10 4-16 13-16s14 6 13 16c-2-5-7-9-13-11-6 2-11 6-13 11Z",
  ],
];
const BEARD =
  "M19.500 33c0 9 5 15.500 12.500 15.500S44.500 42 44.500 33c-2 3-4 4.500-7 4.500-2-2-9-2-11 0-3 0-5-1.500-7-4.500Z";
const INK = "#2b2018";
const line = (d: string, width = 1.8, colour = INK): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
const fill = (d: string, colour: string): string => `<path d="${d}" fill="${colour}"/>`;
const dot = (x: number, y: number, r: number, colour = INK): string =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${colour}"/>`;
const white = (x: number): string => `<ellipse cx="${x}" cy="31" rx="3.300" ry="3.600" fill="#fff"/>`;
const EYES = [
  dot(26.5, 31, 1.9) + dot(37.5, 31, 1.9),
  white(26.5) + white(37.5) + dot(27, 31.4, 1.8) + dot(38, 31.4, 1.8),
  line("M23.500 31.500q3-3.600 6 0M34.500 31.500q3-3.600 6 0"),
  line("M23.500 30.500h6M34.500 30.500h6") + dot(26.5, 32, 1.7) + dot(37.5, 32, 1.7),
  dot(26.5, 31, 1.9) + line("M34.500 31.500q3-2.600 6 0"),
  white(26.5) +
    white(37.5) +
    dot(26, 30.4, 1.8) +
    dot(37, 30.4, 1.8) +
    line("M23 25.500l6 1M41 25.500l-6 1", 1.6),
];
const TEETH = "M26.500 37.800h11q-.6 5.600-5.500 5.600t-5.500-5.600Z";
const MOUTHS = [
  line("M27 38.600q5 4.400 10 0"),
  fill(TEETH, "#fff") + line(TEETH, 1.4),
  line("M28 39.600h8"),
  line("M28 39.800q5.500 1.600 8.500-2"),
  `<ellipse cx="32" cy="40" rx="2.600" ry="3" fill="#7a2f24"/>`,
  line("M27.500 38.600q4.500 3.600 9 0") +
    fill("M30.500 40.300h3.800q0 3.200-1.900 3.200t-1.900-3.200Z", "#d9655b"),
];
const GLASS = `fill="#fff" fill-opacity=".25" stroke="${INK}" stroke-width="1.600"`;
/** Each takes the colour of the clothes. */
const EXTRAS: ((colour: string) => string)[] = [
  () => "",
  () =>
    `<circle cx="26.500" cy="31" r="5" ${GLASS}/><circle cx="37.500" cy="31" r="5" ${GLASS}/>` +
    line("M31.500 30.500q.5-.8 1 0M21.500 30l-3-1M42.500 30l3-1", 1.4),
  () =>
    `<rect x="21" y="27.500" width="10" height="7" rx="2" ${GLASS}/><rect x="33" y="27.500" width="10" height="7" rx="2" ${GLASS}/>` +
    line("M31 30h2M21 29.500l-3-.8M43 29.500l3-.8", 1.4),
  (colour) =>
    fill("M16.500 24c0-9 6-14 15.500-14s15.500 5 15.500 14c-5-2-26-2-31 0Z", colour) +
    fill("M30 22c8-1 18 0 22 4-6 1-14 0-22-1Z", colour) +
    line("M17 23.800c6-2 20-2.400 30-.2", 1.2),
  (colour) =>
    fill("M16.500 25c-1-10 6-16 15.500-16s16.500 6 15.500 16Z", colour) +
    fill("M15.500 21.500h33v5.500h-33Z", "#fff8") +
    dot(32, 8.5, 3.4, "#fffaf0"),
  (colour) =>
    dot(18.4, 37, 2, "#f1c15d") +
    dot(45.6, 37, 2, "#f1c15d") +
    fill("M24 52l8 4 8-4v8l-8-4-8 4Z", colour === "#f1c15d" ? "#c8553d" : "#f1c15d"),
  () =>
    [0, 72, 144, 216, 288]
      .map(
        (turn) => `<circle cx="43" cy="13.500" r="2.800" fill="#e88aa0" transform="rotate(${turn} 43 17)"/>`,
      )
      .join("") + dot(43, 17, 2.2, "#f1c15d"),
  () =>
    line("M17.500 32c-1-12 5-20 14.500-20s15.500 8 14.500 20", 2.6, "#3c3a44") +
    fill("M14.500 29h5v9h-3q-2 0-2-2ZM49.500 29h-5v9h3q2 0 2-2Z", "#c8553d"),
  (colour) => line("M18.500 24.500c8-4 19-4 27 0", 4, colour),
];

type Looks = [number, number, number, number, number, number, number, number, number];
/** The cast: skin, hair, clothes, head, cut, eyes, mouth, what they wear, and 0 for a beard. */
const CAST: Record<string, Looks> = {
  ada: [2, 0, 3, 1, 4, 0, 0, 1, 1],
  bo: [1, 4, 2, 2, 5, 5, 1, 5, 1],
  cleo: [3, 0, 0, 3, 1, 4, 3, 8, 1],
  dex: [4, 0, 4, 0, 0, 5, 3, 7, 1],
  esme: [5, 6, 5, 1, 2, 0, 2, 2, 1],
  fitz: [0, 2, 6, 2, 7, 3, 2, 0, 0],
  gus: [1, 5, 7, 0, 6, 2, 0, 0, 0],
  hana: [5, 7, 1, 3, 1, 3, 0, 6, 1],
  inka: [2, 0, 2, 1, 9, 1, 1, 5, 1],
  juno: [4, 1, 0, 0, 8, 1, 4, 1, 1],
  kip: [0, 3, 4, 3, 7, 1, 5, 3, 1],
  lotta: [0, 4, 3, 0, 3, 2, 1, 4, 1],
};

/** Numbers below `limits`, always the same for a name. */
function picks(name: string, limits: number[]): number[] {
  let hash = 2166136261;
  for (const letter of name.trim().toLowerCase()) hash = Math.imul(hash ^ letter.codePointAt(0)!, 16777619);
  return limits.map((limit) => {
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
    hash ^= hash >>> 15;
    return (hash >>> 0) % limit;
  });
}

/** The head and shoulders of a character. */
export function character(name: string): string {
  const limits = [SKINS, HAIRS, CLOTHES, HEADS, CUTS, EYES, MOUTHS, EXTRAS, [0, 1, 2, 3]].map(
    (all) => all.length,
  );
  const known = CAST[name.trim().toLowerCase().replace(/ \d+$/, "")];
  const [skin, hair, cloth, head, cut, eyes, mouth, extra, beard] = known ?? (picks(name, limits) as Looks);
  const [behind, over] = CUTS[cut]!;
  const tone = SKINS[skin]!;
  const colour = CLOTHES[cloth]!;
  const hairs = HAIRS[hair]!;
  const bearded = beard === 0 && cut !== 1 && cut !== 2 && cut !== 9;
  return (
    (behind && fill(behind, hairs)) +
    fill("M8 66c1-13 11-18 24-18s23 5 24 18Z", colour) +
    fill("M26.500 40h11v8q-5.500 5-11 0Z", tone) +
    `<path d="M26.500 43q5.500 5 11 0v3q-5.500 4-11 0Z" fill="#000" opacity=".14"/>` +
    dot(19, 32, 2.8, tone) +
    dot(45, 32, 2.8, tone) +
    fill(HEADS[head]!, tone) +
    (bearded ? fill(BEARD, hairs) : "") +
    fill(over, hairs) +
    EYES[eyes] +
    `<path d="M32 32.500l-1.400 3.600h1.800" fill="none" stroke="#000" stroke-opacity=".3" stroke-width="1.300" stroke-linecap="round"/>` +
    MOUTHS[mouth] +
    EXTRAS[extra]!(colour)
  );
}

/** `Ann` is A, `Ann Lee` AL; a sign that is no letter stands for itself. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const first = (word: string | undefined): string => (word ? [...word][0]!.toUpperCase() : "");
  return first(words[0]) + (words.length > 1 ? first(words.at(-1)) : "");
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The face of a seat: a bot's character or a person's initials, on the seat's colour and pattern. */
export function faceOf(seat: number, name: string, bot: boolean): string {
  const pattern = PATTERNS[(seat + Math.floor(seat / 9)) % 9]!;
  const letters = initials(name);
  const inside = bot
    ? character(name)
    : `<text x="32" y="32" dy=".36em" text-anchor="middle" fill="#fff" font-family="system-ui,sans-serif" font-weight="700" font-size="${letters.length > 1 ? 25 : 32}">${escaped(letters)}</text>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64"><clipPath id="c"><circle cx="32" cy="32" r="32"/></clipPath>` +
    `<g clip-path="url(#c)"><rect width="64" height="64" fill="${colourOf(seat)}"/>` +
    `<path d="${pattern}" fill="none" stroke="#fff" stroke-opacity="${bot ? 0.3 : 0.16}" stroke-width="4" stroke-linecap="round"/>${inside}</g></svg>`
  );
}

export const asImage = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;
