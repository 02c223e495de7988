import { readFileSync } from 'node:fs';

const LINE = /^Max open files\s+(\d+|unlimited)/m;

/**
 * The maximum number of open files and connections of this process; undefined if unknown or unlimited.
 * Node raises the limit to the hard limit at startup.
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
