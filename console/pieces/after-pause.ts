/** The API's Retry-After. */
const RETRY_MS = 5_000;

/**
 * Acts once, after a pause, as soon as the page is visible. The function that it returns prevents it.
 */
export function afterPause(act: () => void): () => void {
  const timer = setInterval(() => {
    if (document.visibilityState !== 'visible') return;
    clearInterval(timer);
    act();
  }, RETRY_MS);
  return () => clearInterval(timer);
}
