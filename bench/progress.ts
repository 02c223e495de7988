import type { WriteStream } from 'node:tty';

const INTERVAL_MS = 250;

/** One line with the current step and its start; a terminal overwrites it. */
export function createProgress(stream: WriteStream) {
  let step = '';
  let sinceMs = 0;
  const draw = () => {
    const seconds = ((performance.now() - sinceMs) / 1000).toFixed(0);
    stream.write(`\r\u001b[2K${step} (${seconds} s)`);
  };
  const timer = stream.isTTY ? setInterval(draw, INTERVAL_MS).unref() : undefined;
  return {
    show(next: string): void {
      step = next;
      sinceMs = performance.now();
      if (stream.isTTY) draw();
      else stream.write(`${step}\n`);
    },
    clear(): void {
      clearInterval(timer);
      if (stream.isTTY) stream.write('\r\u001b[2K');
    },
  };
}
