// Drawers and the browser's Back: while any drawer is open, Back closes it and stays on the page.
//
// One entry of the history stands for all that are open, so that one drawer can take another's place.

const open = new Set<() => void>();
const shown = (): boolean => !!(history.state as { drawer?: boolean } | null)?.drawer;
let leaving = false; // the entry is being taken back, which takes the browser a moment

/** A drawer has opened; `close` is called on Back. Returns what to call when it is gone. */
export function opened(close: () => void): () => void {
  open.add(close);
  if (!shown()) history.pushState({ drawer: true }, "");
  return () => {
    open.delete(close);
    // The next drawer may open at once, or the page may change: see what is there after that.
    setTimeout(() => {
      if (open.size || leaving || !shown()) return;
      leaving = true;
      history.back();
    });
  };
}

addEventListener("popstate", () => {
  if (shown()) return;
  if (leaving && open.size)
    history.pushState({ drawer: true }, ""); // one opened in that moment: it stays
  else for (const close of [...open]) close();
  leaving = false;
});
// A page that is loaded again has no drawer, whatever its history says.
if (shown()) history.replaceState(null, "");
