// A phone that is shaken. Some ask their owner first, and may do so only while the page is being touched.

const HARD = 14; // metres per second squared, besides gravity
const OFTEN = 3; // jolts within a moment
const MOMENT = 900;

type Asking = typeof DeviceMotionEvent & { requestPermission?: () => Promise<"granted" | "denied"> };
let asked = false;

/** Ask whether shaking may be felt, once, where it has to be asked. Call it as something is tapped. */
export function allowShaking(): void {
  const motion = (globalThis as { DeviceMotionEvent?: Asking }).DeviceMotionEvent;
  if (asked || !motion?.requestPermission) return;
  asked = true;
  void motion.requestPermission().catch(() => undefined);
}

/** Call back when the phone is shaken; returns how to stop. */
export function onShake(shaken: () => void): () => void {
  let jolts: number[] = [];
  const feel = ({ acceleration, accelerationIncludingGravity }: DeviceMotionEvent): void => {
    const all = acceleration?.x != null ? acceleration : accelerationIncludingGravity;
    if (!all) return;
    const force = Math.hypot(all.x ?? 0, all.y ?? 0, all.z ?? 0) - (all === acceleration ? 0 : 9.8);
    if (force < HARD) return;
    const now = performance.now();
    jolts = [...jolts.filter((at) => now - at < MOMENT), now];
    if (jolts.length < OFTEN) return;
    jolts = [];
    shaken();
  };
  addEventListener("devicemotion", feel);
  return () => removeEventListener("devicemotion", feel);
}
