/** Some hundred questions of a dashboard. Parsed, a document of one letter a field takes 240 bytes a
 * character: 100 MB at worst. */
const CHARACTERS_MAX = 400_000;
/** What is longer is rare, and looked at each time. */
const TEXT_LENGTH_MAX = 16_384;

/** What was made of a text, by the text; bounded by their size, the longest unused goes first. */
export class TextCache<T> {
  readonly #values = new Map<string, T>();
  #characters = 0;

  get(text: string): T | undefined {
    const value = this.#values.get(text);
    if (value === undefined) return undefined;
    this.#values.delete(text);
    this.#values.set(text, value);
    return value;
  }

  set(text: string, value: T): void {
    if (text.length > TEXT_LENGTH_MAX) return;
    if (!this.#values.has(text)) this.#characters += text.length;
    this.#values.set(text, value);
    for (const [oldest] of this.#values) {
      if (this.#characters <= CHARACTERS_MAX) return;
      this.#values.delete(oldest);
      this.#characters -= oldest.length;
    }
  }
}
