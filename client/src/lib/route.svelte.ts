// Which page is shown: the address says it.

export const route = $state({ path: location.pathname });

/** Show another page. The entry of an open drawer is replaced, so that Back does not lead to a drawer. */
export function go(path: string, replace = false): void {
  const drawer = !!(history.state as { drawer?: boolean } | null)?.drawer;
  history[replace || drawer ? "replaceState" : "pushState"](null, "", path);
  route.path = location.pathname;
  scrollTo(0, 0);
}
addEventListener("popstate", () => (route.path = location.pathname));

/** For links: stay in the page where that is possible. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest?.("a");
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (!/^\/($|t\/|season\/|learn\/|card$|matches$)/.test(link.pathname)) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}
