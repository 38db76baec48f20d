// The service worker: keeps the page as it was built, so that it opens, and the score card works, without a
// connection. It keeps files alone: what is asked of the server about games and tables does not pass through it.

declare const __FILES__: string[]; // addresses of this build's files, which have hashes in their names
declare const __BUILD__: string;
const FILES = [...__FILES__, "/static/icon.svg", "/static/ninefold.webmanifest"];
const worker = self as unknown as ServiceWorkerGlobalScope;

const OURS = "ninefold ";
const CACHE = OURS + __BUILD__;
const PATIENCE = 4000; // a connection that says nothing for so long is none

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll(["/", ...FILES]);
  const page = await (await cache.match("/"))!.text();
  const script = /\/static\/index-[\w-]+\.js/.exec(page)?.[0];
  if (script && !FILES.includes(script)) throw new Error("the server has changed meanwhile");
  await worker.skipWaiting();
}

/** The page of another build would ask for files that are gone, so nothing of it is kept. */
async function clear(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** The page from the server; without a connection the one that is kept, which is the same for every address. */
async function page(request: Request): Promise<Response> {
  const late = new Promise<null>((give) => setTimeout(() => give(null), PATIENCE));
  const answer = fetch(request);
  const first = await Promise.race([answer, late]).catch(() => null);
  return first ?? (await caches.match("/", { cacheName: CACHE })) ?? answer;
}

/** A notification was tapped: show its table, where it is open already if it is. */
async function open(path: string): Promise<void> {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((one) => new URL(one.url).pathname === path);
  await (there ? there.focus() : worker.clients.openWindow(path));
}

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(String(event.notification.data)));
});
worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(clear()));
worker.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== worker.location.origin) return;
  if (event.request.mode === "navigate") event.respondWith(page(event.request));
  else if (FILES.includes(pathname))
    event.respondWith(
      caches.match(pathname, { cacheName: CACHE }).then((kept) => kept ?? fetch(event.request)),
    );
});

export {};
