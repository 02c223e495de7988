// A real Prometheus with one group of the alert rules. Their waiting times are removed, and ages that a
// test would have to wait for are a few seconds.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../../../embedded/ports.ts';
import { eventually } from '../../harness/eventually.ts';
import { send } from '../../harness/http.ts';
import { newDirectory } from '../../harness/run-directory.ts';

const RULES = join(import.meta.dirname, '..', '..', '..', 'deploy', 'prometheus', 'alerts.yml');
/** Longer than rows and jobs wait while all is well. */
const LATE_SECONDS = 5;
/** Longer than a start takes on a busy machine. */
const SILENT_SECONDS = 20;

type Rule = { readonly alert: string; readonly expr: string };
type Group = { readonly name: string; readonly rules: readonly Rule[] };

export type Alerts = {
  /** All of the group. */
  readonly names: readonly string[];
  /** Those that have fired since the start, in alphabetical order. */
  fired(): Promise<readonly string[]>;
  /** Causes a fault, repeatedly if that takes several, until these alerts have fired since. */
  fireFor(names: readonly string[], cause: () => Promise<unknown>): Promise<void>;
};

export function hasPrometheus(): boolean {
  try {
    execFileSync('prometheus', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Until the end of the test. `group`: of the rules; `target`: the base URL of the program. */
export async function watchAlerts(
  group: 'ingest' | 'log' | 'api',
  target: string,
): Promise<Alerts> {
  const { groups } = parse(await readFile(RULES, 'utf8')) as { groups: readonly Group[] };
  const rules = groups
    .filter(({ name }) => name === group || (name === 'nodes' && group !== 'log'))
    .flatMap(({ rules }) => rules);
  const url = await startPrometheus(group, rules.map(quickened), target);
  const names = rules.map(({ alert }) => alert).sort();
  const startedMs = Date.now();
  const firedSince = async (sinceMs: number) => {
    const seconds = Math.ceil((Date.now() - sinceMs) / 1000) + 1;
    const query = `count by (alertname) (max_over_time(ALERTS{alertstate="firing"}[${seconds}s]))`;
    const answer = await send(`${url}/api/v1/query?query=${encodeURIComponent(query)}`, {
      method: 'GET',
    });
    const { data } = answer.json() as {
      data: { result: { metric: { alertname: string } }[] };
    };
    return data.result.map(({ metric }) => metric.alertname).sort();
  };
  return {
    names,
    fired: () => firedSince(startedMs),
    async fireFor(expected, cause) {
      const causedMs = Date.now();
      await eventually(
        async () => {
          await cause();
          expect(await firedSince(causedMs)).toEqual(expect.arrayContaining([...expected]));
        },
        { intervalMs: 500 },
      );
    },
  };
}

function quickened({ alert, expr }: Rule): Rule & { readonly for?: string } {
  const ages = /(_(?:oldest_unsent|queue_oldest)_seconds(?:\{[^}]*\})?\)) > \d+/;
  return {
    alert,
    expr: expr.replace(ages, `$1 > ${LATE_SECONDS}`).replaceAll('offset 1h', 'offset 5s'),
    // All series are absent until the first scrape, and during a restart.
    ...(/^absent\(|^up\{/.test(expr) && { for: `${SILENT_SECONDS}s` }),
  };
}

/** Returns its address. */
async function startPrometheus(
  job: string,
  rules: readonly Rule[],
  target: string,
): Promise<string> {
  const directory = await newDirectory('prometheus');
  // JSON is YAML.
  const write = (name: string, content: object) =>
    writeFile(join(directory, name), JSON.stringify(content));
  await write('alerts.yml', { groups: [{ name: 'quickened', rules }] });
  await write('prometheus.yml', {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['alerts.yml'],
    scrape_configs: [{ job_name: job, static_configs: [{ targets: [new URL(target).host] }] }],
  });
  // It cannot report a port that it chose itself.
  const address = `127.0.0.1:${await freePort()}`;
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${join(directory, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore' },
  );
  const exited = once(prometheus, 'exit');
  onTestFinished(async () => {
    prometheus.kill();
    await exited;
  });
  await eventually(async () =>
    expect((await send(`http://${address}/-/ready`, { method: 'GET' })).status).toBe(200),
  );
  return `http://${address}`;
}
