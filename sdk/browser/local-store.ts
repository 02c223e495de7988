import { parseJson } from '../core/json.ts';

/**
 * Small values that all tabs of a site share. Where the browser refuses its storage, they last as long
 * as the page.
 */
export class LocalStore {
  private readonly prefix: string;
  private readonly memory = new Map<string, string>();

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** What another program wrote there is undefined as well, if it is no JSON object. */
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
