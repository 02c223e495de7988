import type { ReplayReport } from '../events/replay/replay-rejected.ts';

export type Progress = {
  (report: ReplayReport): void;
  /** Ends the line of the progress bar. */
  end(this: void): void;
};

const BAR_CHARACTERS = 30;
const REDRAW_MS = 100;

/** Shows a progress bar on a terminal, and nothing elsewhere. */
export function showProgress(stream: NodeJS.WriteStream, verb: string): Progress {
  const startedAtMs = performance.now();
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  let line = '';
  const draw = () => {
    stream.write(`\r\u001b[K${line}`);
    drawnAtMs = performance.now();
  };
  const show = (report: ReplayReport) => {
    if (!stream.isTTY) return;
    line = lineOf(report, verb, (performance.now() - startedAtMs) / 1000);
    if (performance.now() - drawnAtMs >= REDRAW_MS) draw();
  };
  const end = () => {
    if (line === '') return;
    draw();
    stream.write('\n');
  };
  return Object.assign(show, { end });
}

export function lineOf(report: ReplayReport, verb: string, seconds: number): string {
  const { found, accepted, uncorrectable, refused } = report;
  const notAccepted = uncorrectable + Object.values(refused).reduce((sum, count) => sum + count, 0);
  const done = accepted + notAccepted;
  const share = found === 0 ? 1 : Math.min(done / found, 1);
  const filled = Math.round(share * BAR_CHARACTERS);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_CHARACTERS - filled);
  const rate = seconds > 0 ? Math.round(done / seconds) : 0;
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `${verb} ${bar} ${percent} %  ${done} of ${found}  ${accepted} accepted  ${notAccepted} not  ${rate}/s`;
}
