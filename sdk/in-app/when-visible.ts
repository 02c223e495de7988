/** Half of a message is enough to notice it. On small screens, a long message scrolls. */
const VISIBLE_SHARE = 0.5;

/** Calls back once, when the element is in view and the tab is visible. */
export function whenVisible(element: Element, signal: AbortSignal, callBack: () => void): void {
  let isInView = false;
  const check = () => {
    if (!isInView || document.visibilityState !== 'visible' || signal.aborted) return;
    stop();
    callBack();
  };
  const observer = new IntersectionObserver(
    entries => {
      isInView = entries.at(-1)!.isIntersecting;
      check();
    },
    { threshold: VISIBLE_SHARE },
  );
  const stop = () => {
    observer.disconnect();
    document.removeEventListener('visibilitychange', check);
  };
  observer.observe(element);
  document.addEventListener('visibilitychange', check);
  signal.addEventListener('abort', stop);
}
