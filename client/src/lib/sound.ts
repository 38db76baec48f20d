// Small sounds made on the spot; none is loaded, and they are off until turned on.

let audio: AudioContext | null = null;

function tone(
  frequency: number,
  start: number,
  length: number,
  volume: number,
  shape: OscillatorType = "sine",
): void {
  if (!audio) return;
  const now = audio.currentTime + start;
  const wave = audio.createOscillator();
  const gain = audio.createGain();
  wave.type = shape;
  wave.frequency.setValueAtTime(frequency, now);
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

const SOUNDS: Record<string, () => void> = {
  card: () => rustle(0, 0.12, 0.5, 2600),
  roll: () => [0, 0.09, 0.16, 0.26].forEach((at) => rustle(at, 0.05, 0.7, 1400 + 900 * Math.random())),
  turn: () => (tone(587, 0, 0.18, 0.08), tone(880, 0.11, 0.28, 0.08)),
  no: () => tone(160, 0, 0.16, 0.1, "triangle"),
  end: () => [523, 659, 784, 1047].forEach((pitch, at) => tone(pitch, at * 0.11, 0.5, 0.07)),
  pop: () => tone(760, 0, 0.09, 0.06),
};

export function play(kind: string, on: boolean): void {
  if (!on) return;
  try {
    audio ??= new AudioContext();
    void audio.resume();
    (SOUNDS[kind] ?? (() => tone(440, 0, 0.08, 0.035)))();
  } catch {
    // no sound here
  }
}
