// The alert rules and the dashboard use existing metrics: a running process exposes every metric and
// label value in them. Each rule has a runbook.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { useApi } from '../graphql-api/harness/api-process.ts';
import { send } from '../harness/http.ts';
import { useIngest } from '../harness/ingest-process.ts';

const ROOT = join(import.meta.dirname, '..', '..');

const ingest = useIngest({ threads: 1 });
const api = useApi();

/** https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/ */
const Rule = z.strictObject({
  alert: z.string().regex(/^[A-Z][A-Za-z]+$/),
  expr: z.string().min(1),
  for: z
    .string()
    .regex(/^\d+[smhd]$/)
    .optional(),
  labels: z.strictObject({ severity: z.enum(['warning', 'critical']) }),
  annotations: z.strictObject({ summary: z.string(), runbook_url: z.string() }),
});
const Rules = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(Rule).min(1) })).min(1),
});

let rules: z.infer<typeof Rule>[];
let measured: string;

beforeAll(async () => {
  const file = join(ROOT, 'deploy', 'prometheus', 'alerts.yml');
  const { groups } = Rules.parse(parse(await readFile(file, 'utf8')));
  rules = groups.flatMap(group => group.rules);
  const pages = await Promise.all(
    [ingest().url, api().url].map(url => send(`${url}/metrics`, { method: 'GET' })),
  );
  measured = pages.map(({ text }) => text).join('\n');
});

/**
 * Our metrics are in lower case with underscores; PromQL functions of that form are followed by a
 * parenthesis.
 */
const METRIC = /\b(?:ingest|api|process|service|nodejs)_[a-z0-9_]+\b/g;

/** Prometheus' own metric, by job: 1 if the last scrape succeeded. */
const PROMETHEUS_UP = /\bup\{job=~"([^"]+)"\}/;

/** The metrics in a query that the programs do not serve. */
function unknownMetrics(query: string): string[] {
  const types = new Map(
    Array.from(measured.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name, type]) => [name!, type!]),
  );
  return (query.match(METRIC) ?? []).filter(name => {
    const family = types.has(name) ? name : name.replace(/_(?:count|sum|bucket)$/, '');
    return family === name ? !types.has(name) : types.get(family) !== 'histogram';
  });
}

describe('deploy/prometheus/alerts.yml', () => {
  test('is valid, and no two rules have one name', () => {
    const names = rules.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('ReportsLate');
  });

  test('names metrics that the programs serve', () => {
    for (const { alert, expr } of rules) {
      expect(expr.match(METRIC) ?? expr.match(PROMETHEUS_UP), alert).not.toBeNull();
      expect(unknownMetrics(expr), alert).toEqual([]);
    }
  });

  test('asks for the jobs of prometheus.yml', async () => {
    const file = join(ROOT, 'deploy', 'prometheus', 'prometheus.yml');
    const { scrape_configs } = parse(await readFile(file, 'utf8')) as {
      scrape_configs: { job_name: string }[];
    };
    const jobs = rules.flatMap(({ expr }) => expr.match(PROMETHEUS_UP)?.[1] ?? []);
    expect(jobs).toEqual([scrape_configs.map(({ job_name }) => job_name).join('|')]);
  });

  test('has a runbook for each rule, and no other, with metrics that exist', async () => {
    const found = await readdir(join(ROOT, 'docs', 'runbooks'));
    expect(found.sort()).toEqual(rules.map(({ alert }) => `${alert}.md`).sort());
    for (const { alert, expr, annotations } of rules) {
      expect(annotations.runbook_url).toBe(`docs/runbooks/${alert}.md`);
      const text = await readFile(join(ROOT, annotations.runbook_url), 'utf8');
      expect(text).toContain(`Rule: \`${expr}\``);
      expect(unknownMetrics(text), alert).toEqual([]);
    }
  });

  test('names labels that these metrics have', () => {
    const known = measured.matchAll(/^([a-z_]+)\{([^}]*)\}/gm);
    const series = Array.from(known, ([, name, labels]) => [name!, labels!] as const);
    for (const { alert, expr } of rules)
      for (const [, name, labels] of expr.matchAll(/([a-z_]+)\{([^}]*)\}/g))
        for (const [, label, operator, value] of labels!.matchAll(/(\w+)(=~?)"([^"]*)"/g)) {
          const ofName = series.filter(([one]) => one === name);
          // A counter that was never incremented has no labels to check yet.
          if (ofName.length === 0 || operator !== '=') continue;
          const isThere = ofName.some(([, all]) => all.includes(`${label}="${value}"`));
          expect(isThere, `${alert}: ${name}{${label}="${value}"}`).toBe(true);
        }
  });
});

test('the dashboard names metrics that the programs serve', async () => {
  const file = join(ROOT, 'deploy', 'grafana', 'engagement-service.json');
  const { panels } = Dashboard.parse(JSON.parse(await readFile(file, 'utf8')));
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(queries.length).toBeGreaterThan(20);
  for (const query of queries) {
    expect(query.match(METRIC), query).not.toBeNull();
    expect(unknownMetrics(query), query).toEqual([]);
  }
});

const Dashboard = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).optional() })),
});
