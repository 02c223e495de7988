// The CPU time of a process and all its threads, as counted by the kernel.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

export type Cpu = { readonly userSeconds: number; readonly systemSeconds: number };

/** The unit of /proc/PID/stat, the same on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;
/** Indexes after the name, which may contain spaces; utime is the 14th field of the line. */
const [PARENT, UTIME, STIME, CHILDREN_UTIME, CHILDREN_STIME] = [1, 11, 12, 13, 14];

export function cpuOf(pid: number): Cpu {
  const fields = statOf(pid);
  return {
    userSeconds: fields[UTIME]! / TICKS_PER_SECOND,
    systemSeconds: fields[STIME]! / TICKS_PER_SECOND,
  };
}

/** The CPU time of a process and its children, including those that have exited. */
export function familySeconds(pid: number): number {
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const fields = statOf(Number(name));
      if (Number(name) !== pid && fields[PARENT] !== pid) continue;
      for (const field of [UTIME, STIME, CHILDREN_UTIME, CHILDREN_STIME]) ticks += fields[field]!;
    } catch {
      // The process has exited, so its parent counts its time.
    }
  }
  return ticks / TICKS_PER_SECOND;
}

function statOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
}

export function cpuBetween(before: Cpu, after: Cpu): Cpu {
  return {
    userSeconds: after.userSeconds - before.userSeconds,
    systemSeconds: after.systemSeconds - before.systemSeconds,
  };
}

export function totalSeconds({ userSeconds, systemSeconds }: Cpu): number {
  return userSeconds + systemSeconds;
}

/** Resets the peak to the current memory. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

export function residentMb(pid: number): { readonly now: number; readonly peak: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'latin1');
  const mb = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024;
  return { now: mb('VmRSS'), peak: mb('VmHWM') };
}

/** Bytes read from files, including the page cache. */
export function bytesRead(pid: number): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'latin1'))?.[1]);
}
