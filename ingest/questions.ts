import type { ToMain } from './thread-messages.ts';

/** The questions of a worker thread that the main thread has not answered yet. */
export class Questions {
  readonly #tell: (message: ToMain) => void;
  readonly #open = new Map<number, { resolve(text: string): void; reject(error: Error): void }>();
  #count = 0;

  constructor(tell: (message: ToMain) => void) {
    this.#tell = tell;
  }

  ask(message: (number: number) => ToMain): Promise<string> {
    const number = this.#count++;
    return new Promise((resolve, reject) => {
      this.#open.set(number, { resolve, reject });
      this.#tell(message(number));
    });
  }

  /** `text` undefined: rejects with the error. */
  settle(number: number, text: string | undefined, error?: string): void {
    const question = this.#open.get(number);
    this.#open.delete(number);
    if (text === undefined) question?.reject(new Error(error));
    else question?.resolve(text);
  }
}
