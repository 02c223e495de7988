// The worker threads of the process, as seen by its main thread: messages to one or all of them,
// and the steps that the main thread waits for.

import type { Worker } from 'node:worker_threads';
import type { ToMain, ToWorker } from './thread-messages.ts';

/** Messages that end a step of a thread. */
type Step = 'opened' | 'listening' | 'refusing' | 'drained' | 'closed';

export class WorkerThreads {
  readonly #workers: Worker[] = [];
  readonly #waits = new Map<string, (() => void)[]>();

  /** Returns its index. */
  add(worker: Worker): number {
    return this.#workers.push(worker) - 1;
  }

  tell(index: number, message: ToWorker): void {
    this.#workers[index]!.postMessage(message);
  }

  tellAll(message: ToWorker): void {
    for (const index of this.#workers.keys()) this.tell(index, message);
  }

  /** Resolves when all threads have sent the message. */
  async all(step: Step): Promise<void> {
    await Promise.all(this.#workers.map((_, index) => this.#next(index, step)));
  }

  /** Called with each message of these kinds. */
  received(index: number, step: Step & ToMain['kind']): void {
    const key = `${index}/${step}`;
    for (const resolve of this.#waits.get(key) ?? []) resolve();
    this.#waits.delete(key);
  }

  async terminate(): Promise<void> {
    await Promise.all(this.#workers.map(worker => worker.terminate()));
  }

  #next(index: number, step: Step): Promise<void> {
    const key = `${index}/${step}`;
    return new Promise(resolve => {
      this.#waits.set(key, [...(this.#waits.get(key) ?? []), resolve]);
    });
  }
}
