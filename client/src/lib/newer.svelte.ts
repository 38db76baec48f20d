// Whether the server has another page than this one, as after an update: this one goes on as it is until it is
// loaded again.
const SCRIPT = /\/static\/index-[\w-]+\.js/;

export const newer = $state({ page: false });

/** Look after the connection was lost: the server may be another one now. */
export async function lookForNewer(): Promise<void> {
  const mine = SCRIPT.exec(document.querySelector<HTMLScriptElement>("script[type=module]")?.src ?? "")?.[0];
  if (!mine || newer.page) return;
  const answer = await fetch("/", { cache: "no-store" }).catch(() => null);
  const now = answer?.ok ? SCRIPT.exec(await answer.text())?.[0] : mine;
  if (now && now !== mine) newer.page = true;
}
