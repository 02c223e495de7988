// docs/sdk-protocol.md describes what the kit does.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GENERAL_RULES } from '../../conformance/general-checks.ts';
import { RULES, type RuleId } from '../../conformance/rules.ts';
import { CAPABILITIES } from '../../conformance/scenario.ts';
import { SCENARIOS } from '../../conformance/scenarios/all.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const DOCUMENT = readFileSync(join(ROOT, 'docs/sdk-protocol.md'), 'utf8');
const ROW = /^\| (\d+) \| `([a-z0-9-]+)` \| (MUST|SHOULD)[^|]* \| .* \| ([^|]+) \|$/gm;
const ROWS = [...DOCUMENT.matchAll(ROW)].map(([, number, rule, level, scenarios]) => ({
  number: Number(number),
  rule: rule!,
  level: level!,
  scenarios: scenarios === '–' ? [] : scenarios!.split(', '),
}));

test('the rules are numbered', () => {
  expect(ROWS.map(({ number }) => number)).toEqual(ROWS.map((_, index) => index + 1));
});

test('the document has each rule of the kit, with its level and its scenarios', () => {
  const checked = ROWS.filter(({ scenarios }) => scenarios.length > 0);
  const documented = checked.map(({ rule, level, scenarios }) => [rule, { level, scenarios }]);
  const rules = Object.entries(RULES).map(([rule, { level }]) => [
    rule,
    { level, scenarios: scenariosOf(rule as RuleId) },
  ]);
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(rules));
});

test('the table of responses refers to the rules by their numbers', () => {
  const numbers = [...DOCUMENT.matchAll(/^\| (?!\d+ \| `)(?:\d|other|none).* \| ([\d, ]+) \|$/gm)];
  expect(numbers).toHaveLength(11);
  const first = numbers.map(([, list]) => ROWS[Number(list!.split(', ')[0]) - 1]?.rule);
  expect(first).toEqual([
    'acknowledged',
    'rejected-not-resent',
    'refused-batch',
    'key-refused',
    'split-on-413',
    'encoding-refused',
    'retry',
    'retry',
    'retry',
    'answer-is-json',
    'retry',
  ]);
});

test('the document lists the optional features of a client', () => {
  const [, list] = /`--has LIST` \| [^|]*?: ([^.]+)\./.exec(DOCUMENT) ?? [];
  expect(list?.replaceAll('`', '').split(', ')).toEqual([...CAPABILITIES]);
});

test('the driver in the document is that of the tests', () => {
  const driver = readFileSync(join(import.meta.dirname, 'driver.mjs'), 'utf8');
  expect(DOCUMENT).toContain(`\`\`\`js\n${driver}\`\`\`\n`);
});

function scenariosOf(rule: RuleId): readonly string[] {
  const own = SCENARIOS.filter(
    ({ rules, arrival = 'delivered' }) => rules.includes(rule) || arrival === rule,
  );
  return [...(GENERAL_RULES.includes(rule) ? ['all'] : []), ...own.map(({ name }) => name)];
}
