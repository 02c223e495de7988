// What a process and all its threads have used, by the kernel's count.

import { readFileSync, writeFileSync } from 'node:fs';

export type Cpu = { readonly userSeconds: number; readonly systemSeconds: number };

/** Of /proc/PID/stat; the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
/** Counted behind the name, which may hold blanks: utime and stime are the 14th and 15th field. */
const UTIME = 11;

export function cpuOf(pid: number): Cpu {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return {
    userSeconds: Number(fields[UTIME]) / TICKS_PER_SECOND,
    systemSeconds: Number(fields[UTIME + 1]) / TICKS_PER_SECOND,
  };
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

/** From now on the peak is what it holds now. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

export function residentMb(pid: number): { readonly now: number; readonly peak: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'latin1');
  const mb = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024;
  return { now: mb('VmRSS'), peak: mb('VmHWM') };
}
