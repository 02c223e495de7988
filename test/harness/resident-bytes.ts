import { execFileSync } from 'node:child_process';

/** The resident memory of a process. */
export function residentBytes(pid: number): number {
  const kibibytes = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(kibibytes) * 1024;
}
