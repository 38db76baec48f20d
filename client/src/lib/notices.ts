// A notification when it is this player's turn and the page is not to be seen. Browsers are asked for leave only
// after a tap. A phone shows it through the service worker, which also opens the table when it is tapped.

/** Whether notifications are allowed; null where the browser has none, as over plain http. */
export const mayNotify = (): boolean | null =>
  typeof Notification === "undefined" || !isSecureContext ? null : Notification.permission === "granted";

export const wantNotices = async (): Promise<boolean> =>
  mayNotify() !== null && (await Notification.requestPermission()) === "granted";

const tagOf = (code: string): string => `turn ${code}`;
const shown = new Map<string, Notification>();

export async function notice(code: string, title: string, body: string): Promise<void> {
  if (!mayNotify()) return;
  const options = { body, tag: tagOf(code), icon: "/static/icon-192.png", data: `/t/${code}` };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker?.active) return worker.showNotification(title, options);
  const one = new Notification(title, options);
  one.onclick = () => (window.focus(), one.close());
  shown.set(code, one);
}

/** The player is back: what was said about a table is old. */
export async function withdraw(code: string): Promise<void> {
  shown.get(code)?.close();
  shown.delete(code);
  const worker = await navigator.serviceWorker?.getRegistration();
  for (const one of (await worker?.getNotifications?.({ tag: tagOf(code) })) ?? []) one.close();
}
