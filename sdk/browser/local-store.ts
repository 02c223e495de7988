import { parseJson } from '../core/json.ts';

/**
 * Small values that all tabs of a site share. If the browser refuses access to its storage, they are kept until
 * the page is closed.
 */
export class LocalStore {
  private readonly prefix: string;
  private readonly memory = new Map<string, string>();

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** Also undefined if another program has written a value that is not a JSON object. */
  get<Value extends object>(name: string): Value | undefined {
    const value = parseJson(this.read(this.prefix + name)) ?? undefined;
    return typeof value === 'object' ? (value as Value) : undefined;
  }

  set(name: string, value: object): void {
    const [key, text] = [this.prefix + name, JSON.stringify(value)];
    try {
      localStorage.setItem(key, text);
      this.memory.delete(key);
    } catch {
      this.memory.set(key, text);
    }
  }

  remove(name: string): void {
    this.memory.delete(this.prefix + name);
    try {
      localStorage.removeItem(this.prefix + name);
    } catch {
      // There is nothing to remove.
    }
  }

  private read(key: string): string | null | undefined {
    try {
      return this.memory.get(key) ?? localStorage.getItem(key);
    } catch {
      return undefined;
    }
  }
}
