import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ASSETS = join(import.meta.dirname, '..', '..', 'console', 'dist', 'assets');
const NAMED = /\b(?:query|mutation|subscription)\s+([A-Z]\w{0,63})/g;

/**
 * The names of operations that may become label values: those in the built console and in the
 * persisted documents. Any client could have chosen any other name.
 */
export function knownOperations(documents: Iterable<string>): ReadonlySet<string> {
  const texts = [...consoleScripts(), ...documents];
  return new Set(texts.flatMap(text => Array.from(text.matchAll(NAMED), ([, name]) => name!)));
}

/** Empty if the console is not built. */
function consoleScripts(): readonly string[] {
  try {
    return readdirSync(ASSETS)
      .filter(name => name.endsWith('.js'))
      .map(name => readFileSync(join(ASSETS, name), 'utf8'));
  } catch {
    return [];
  }
}
