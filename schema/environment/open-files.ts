import { readFileSync } from 'node:fs';

const LINE = /^Max open files\s+(\d+|unlimited)/m;

/**
 * How many files and connections this process may have open; undefined where the system does not say.
 * Node itself raises its limit to the hard one when it starts.
 */
export function readOpenFilesMax(limits = '/proc/self/limits'): number | undefined {
  try {
    const [, max] = LINE.exec(readFileSync(limits, 'utf8')) ?? [];
    return max === 'unlimited' || max === undefined ? undefined : Number(max);
  } catch {
    // Not Linux.
    return undefined;
  }
}
