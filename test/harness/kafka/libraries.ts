import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The jars of the brokers. */
export const KAFKA_LIBRARIES = join(import.meta.dirname, '.installed');

/** Whether `npm run brokers` has installed the brokers, and Java can run them. */
export function hasBrokers(): boolean {
  if (!existsSync(KAFKA_LIBRARIES)) return false;
  if (!readdirSync(KAFKA_LIBRARIES).some(name => name.startsWith('kafka_'))) return false;
  try {
    execFileSync('java', ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
