import { eventually } from './eventually.ts';
import { send } from './http.ts';
import type { Ingest } from './ingest-process.ts';

export type Sample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

/** The current /metrics, in Prometheus' text format. */
export async function metrics(ingest: Ingest): Promise<Sample[]> {
  const answer = await send(`${ingest.url}/metrics`, { method: 'GET' });
  if (answer.status !== 200) throw new Error(`/metrics: ${answer.status} ${answer.text}`);
  return answer.text.split('\n').flatMap(parseLine);
}

/** The sum of all samples with this name and these labels, if given. */
export function sumOf(
  samples: readonly Sample[],
  name: RegExp,
  labels: Readonly<Record<string, string>> = {},
): number {
  const wanted = Object.entries(labels);
  return samples
    .filter(sample => name.test(sample.name))
    .filter(sample => wanted.every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, sample) => sum + sample.value, 0);
}

/** Resolves when a metric has changed by the expected amount since `before`. */
export async function untilMetrics(
  ingest: Ingest,
  check: (samples: Sample[]) => void,
): Promise<void> {
  await eventually(async () => check(await metrics(ingest)));
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

function parseLine(line: string): Sample[] {
  if (line === '' || line.startsWith('#')) return [];
  const [, name, labelText = '', value] = LINE.exec(line) ?? [];
  if (name === undefined) throw new Error(`not a line of metrics: ${line}`);
  const labels = Object.fromEntries(
    Array.from(labelText.matchAll(LABEL), ([, label, text]) => [label!, text!]),
  );
  return [{ name, labels, value: Number(value) }];
}
