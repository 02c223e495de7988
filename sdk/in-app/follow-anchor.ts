const GAP_PX = 8;

/** Keeps a tooltip below its element, or above it if there is no room below, and within the window. */
export function followAnchor(tooltip: HTMLElement, anchor: Element, signal: AbortSignal): void {
  const move = () => {
    const { left, top, bottom, width } = anchor.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = tooltip;
    const leftMax = document.documentElement.clientWidth - offsetWidth - GAP_PX;
    const middle = left + (width - offsetWidth) / 2;
    const isBelow = bottom + GAP_PX + offsetHeight <= innerHeight || top < offsetHeight + GAP_PX;
    // Set through the object model, because content security policies may forbid inline styles in markup.
    tooltip.style.left = `${Math.max(GAP_PX, Math.min(middle, leftMax))}px`;
    tooltip.style.top = `${isBelow ? bottom + GAP_PX : top - GAP_PX - offsetHeight}px`;
    tooltip.style.right = 'auto';
    tooltip.style.margin = '0';
  };
  addEventListener('resize', move, { signal });
  addEventListener('scroll', move, { signal, capture: true, passive: true });
  move();
}
