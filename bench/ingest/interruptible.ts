/** Interrupts a benchmark on a signal: everything is cleaned up, and there is no result. */
export class Interrupted extends Error {}

/** Runs code that ends early when the signal is aborted, which Ctrl-C and SIGTERM do. */
export async function interruptible<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const interrupt = () => controller.abort(new Interrupted('Interrupted.'));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await run(signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}
