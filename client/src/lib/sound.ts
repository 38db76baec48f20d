// Small sounds made on the spot from what happens, and the phone's buzz. Nothing is loaded, both can be turned off,
// and nothing depends on them. It knows events, and no game.
import { isTense } from "./beats";
import { settings } from "./settings.svelte";
import type { Event, View } from "./types";

export type Sound =
  | "roll"
  | "land"
  | "card"
  | "chips"
  | "count"
  | "good"
  | "bad"
  | "heartbeat"
  | "thump"
  | "turn"
  | "win"
  | "lose"
  | "no"
  | "pop"
  | "tick";

let audio: AudioContext | null = null;

function tone(
  frequency: number,
  start: number,
  length: number,
  volume: number,
  shape: OscillatorType = "sine",
  end = frequency,
): void {
  if (!audio) return;
  const now = audio.currentTime + start;
  const wave = audio.createOscillator();
  const gain = audio.createGain();
  wave.type = shape;
  wave.frequency.setValueAtTime(frequency, now);
  if (end !== frequency) wave.frequency.exponentialRampToValueAtTime(end, now + length);
  gain.gain.setValueAtTime(0, now);
  gain.gain.linearRampToValueAtTime(volume, now + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, now + length);
  wave.connect(gain).connect(audio.destination);
  wave.start(now);
  wave.stop(now + length + 0.02);
}

function rustle(start: number, length: number, volume: number, pitch: number): void {
  if (!audio) return;
  const frames = Math.floor(audio.sampleRate * length);
  const buffer = audio.createBuffer(1, frames, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let at = 0; at < frames; at++) data[at] = (Math.random() * 2 - 1) * (1 - at / frames) ** 3;
  const source = audio.createBufferSource();
  const filter = audio.createBiquadFilter();
  const gain = audio.createGain();
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  gain.gain.value = volume;
  source.buffer = buffer;
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start(audio.currentTime + start);
}

const beat = (at: number): void => (
  tone(62, at, 0.16, 0.32, "sine", 42),
  tone(54, at + 0.2, 0.2, 0.22, "sine", 38)
);

const SOUNDS: Record<Sound, () => void> = {
  roll: () => [0, 0.09, 0.16, 0.26].forEach((at) => rustle(at, 0.05, 0.7, 1400 + 900 * Math.random())),
  land: () => [0, 0.07].forEach((at) => rustle(at, 0.06, 0.8, 900 + 300 * Math.random())),
  card: () => rustle(0, 0.12, 0.5, 2600),
  chips: () => [0, 0.06, 0.11].forEach((at) => tone(2100 + 700 * Math.random(), at, 0.07, 0.03, "triangle")),
  count: () => [0, 0.07, 0.14, 0.21].forEach((at, step) => tone(520 + 60 * step, at, 0.06, 0.035)),
  good: () => [659, 880, 1109].forEach((pitch, at) => tone(pitch, at * 0.08, 0.4, 0.06)),
  bad: () => (tone(196, 0, 0.5, 0.12, "sawtooth", 82), rustle(0.02, 0.5, 0.6, 3200)),
  heartbeat: () => [0, 1.3].forEach(beat),
  thump: () => (tone(110, 0, 0.2, 0.3, "sine", 50), rustle(0, 0.08, 0.5, 500)),
  turn: () => (tone(587, 0, 0.18, 0.08), tone(880, 0.11, 0.28, 0.08)),
  win: () => [523, 659, 784, 1047].forEach((pitch, at) => tone(pitch, at * 0.11, 0.5, 0.07)),
  lose: () => [392, 349, 294].forEach((pitch, at) => tone(pitch, at * 0.16, 0.5, 0.06)),
  no: () => tone(160, 0, 0.16, 0.1, "triangle"),
  pop: () => tone(760, 0, 0.09, 0.06),
  tick: () => tone(440, 0, 0.08, 0.035),
};

const GAP = 70; // milliseconds: a sound that would follow itself sooner is left out, as in a deal
const last = new Map<Sound, number>();

export function play(kind: Sound): void {
  const now = performance.now();
  if (!settings.sound || document.hidden || now - (last.get(kind) ?? -GAP) < GAP) return;
  last.set(kind, now);
  try {
    audio ??= new AudioContext();
    void audio.resume();
    SOUNDS[kind]();
  } catch {
    // no sound here
  }
}

/** Let a phone buzz where that is wanted and allowed: browsers allow it once the page has been touched. */
export function buzz(length: number | number[] = 20): void {
  const touched = navigator.userActivation?.hasBeenActive ?? true;
  if (settings.vibration && touched && !document.hidden) navigator.vibrate?.(length);
}

/** What is heard as an event begins. Dice are heard once more as they land. */
export function soundOf(event: Event): Sound {
  if (event.dice?.length) return "roll";
  if (event.moves?.some((move) => move.cards?.length)) return event.hold ? "thump" : "card";
  if (event.moves?.length) return "chips";
  if (event.hold) return "good";
  return typeof event.amount === "number" ? "count" : "tick";
}

/** What is heard as dice lie still: what they cost, what they bring, or that the next may cost everything. */
export function landingSound(event: Event, broken: boolean, before: View, after: View): Sound {
  if (broken) return "bad";
  if (isTense(after) && !isTense(before)) return "heartbeat";
  return typeof event.amount === "number" ? "count" : "land";
}
