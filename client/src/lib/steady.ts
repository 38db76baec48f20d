// Things that hold still: an element that has been high stays so, so that nothing around it moves.

/** Keep an element as high as it has been, until its width changes. */
export function steady(node: HTMLElement): { destroy: () => void } {
  let most = 0;
  let width = 0;
  const watch = new ResizeObserver(() => {
    if (Math.abs(node.clientWidth - width) > 1) {
      width = node.clientWidth;
      most = 0;
      node.style.removeProperty("min-height");
    }
    if (node.offsetHeight <= most) return;
    most = node.offsetHeight;
    node.style.setProperty("min-height", `${most}px`);
  });
  watch.observe(node);
  return { destroy: () => watch.disconnect() };
}
