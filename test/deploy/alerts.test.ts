// The alert rules use existing metrics: a running process exposes every metric and label value in
// them.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { useApi } from '../graphql-api/harness/api-process.ts';
import { send } from '../harness/http.ts';
import { useIngest } from '../harness/ingest-process.ts';

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
  annotations: z.strictObject({ summary: z.string(), description: z.string().optional() }),
});
const Rules = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(Rule).min(1) })).min(1),
});

let rules: z.infer<typeof Rule>[];
let measured: string;

beforeAll(async () => {
  const file = join(import.meta.dirname, '..', '..', 'deploy', 'alerts.yml');
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
const METRIC = /\b(?:ingest|api|process|service)_[a-z0-9_]+\b/g;

describe('deploy/alerts.yml', () => {
  test('is valid, and no two rules have one name', () => {
    const names = rules.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('ReportsLate');
  });

  test('names metrics that the programs serve', () => {
    const types = new Map(
      Array.from(measured.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name, type]) => [name!, type!]),
    );
    for (const { alert, expr, annotations } of rules) {
      const named = `${expr} ${annotations.description ?? ''}`.match(METRIC) ?? [];
      expect(expr.match(METRIC), alert).not.toBeNull();
      for (const name of named) {
        const family = types.has(name) ? name : name.replace(/_(?:count|sum|bucket)$/, '');
        expect(types.has(family), `${alert}: ${name}`).toBe(true);
        if (family !== name) expect(types.get(family), `${alert}: ${name}`).toBe('histogram');
      }
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
