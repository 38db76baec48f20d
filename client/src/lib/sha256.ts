// SHA-256, as FIPS 180-4 has it. The browser's own needs https, and Ninefold is often played at home without.

const primes: number[] = [];
for (let one = 2; primes.length < 64; one++) if (primes.every((prime) => one % prime)) primes.push(one);
const fraction = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) | 0;
const K = new Int32Array(primes.map((prime) => fraction(Math.cbrt(prime))));
const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

export function sha256(content: Uint8Array): Uint8Array {
  const size = (((content.length + 8) >> 6) + 1) << 6;
  const padded = new Uint8Array(size);
  padded.set(content);
  padded[content.length] = 0x80;
  const words = new DataView(padded.buffer);
  words.setUint32(size - 8, Math.floor(content.length / 2 ** 29));
  words.setUint32(size - 4, content.length << 3);
  const state = Int32Array.from(START);
  const w = new Int32Array(64);
  for (let block = 0; block < size; block += 64) {
    for (let at = 0; at < 16; at++) w[at] = words.getInt32(block + 4 * at);
    for (let at = 16; at < 64; at++) {
      const one = w[at - 15]!;
      const two = w[at - 2]!;
      const first = turn(one, 7) ^ turn(one, 18) ^ (one >>> 3);
      const second = turn(two, 17) ^ turn(two, 19) ^ (two >>> 10);
      w[at] = (w[at - 16]! + first + w[at - 7]! + second) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    for (let at = 0; at < 64; at++) {
      const high = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const one = (h + high + ((e & f) ^ (~e & g)) + K[at]! + w[at]!) | 0;
      const low = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
      const two = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, at) => (state[at] = state[at]! + value));
  }
  const found = new DataView(new ArrayBuffer(32));
  state.forEach((value, at) => found.setInt32(4 * at, value));
  return new Uint8Array(found.buffer);
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const toHex = (content: Uint8Array): string =>
  Array.from(content, (one) => one.toString(16).padStart(2, "0")).join("");
export const fromHex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** The hash of a text, in hexadecimal. */
export const hashOf = (text: string): string => toHex(sha256(bytesOf(text)));

/** The hash of a tag and some bytes. */
export function tagged(tag: string, ...parts: Uint8Array[]): Uint8Array {
  const all = [bytesOf(tag), ...parts];
  const joined = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of all) {
    joined.set(part, at);
    at += part.length;
  }
  return sha256(joined);
}

/** The token before this one in its chain, as `link` in fairness/hashing.py. */
export function link(token: string): string {
  const text = btoa(String.fromCharCode(...sha256(bytesOf(token))));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
