// The text output of the kit.

import { GENERAL_RULES } from './general-checks.ts';
import { type Finding, isFailure, type Outcome } from './run-scenario.ts';

const OUTPUT_LINES = 10;

/** One scenario: its own rules, and every rule that was broken. */
export function outcomeText({ scenario, isPassed, seconds, findings, output }: Outcome): string {
  const own = findings.filter(
    ({ rule, status }) => status === 'failed' || !GENERAL_RULES.includes(rule),
  );
  const others = findings.filter(finding => !own.includes(finding));
  const said = isPassed ? [] : output.slice(-OUTPUT_LINES).map(line => `    client: ${line}`);
  return [
    `${isPassed ? 'passed' : 'FAILED'}  ${scenario} (${seconds.toFixed(1)} s)`,
    ...own.flatMap(findingLines),
    `  ${others[0]?.status.padEnd(9)}  ${others.length} rules that apply in every scenario`,
    ...said,
    '',
  ].join('\n');
}

export function summaryText(outcomes: readonly Outcome[], skipped: readonly string[]): string {
  const findings = outcomes.flatMap(outcome => outcome.findings);
  const failed = findings.filter(isFailure);
  const warnings = findings.filter(
    ({ status, level }) => status === 'failed' && level === 'SHOULD',
  );
  const passed = outcomes.filter(({ isPassed }) => isPassed).length;
  return [
    ...skipped,
    ...(failed.length > 0 ? [`Broken rules: ${rulesOf(failed)}`] : []),
    ...(warnings.length > 0 ? [`Recommendations not followed: ${rulesOf(warnings)}`] : []),
    `${passed} passed, ${outcomes.length - passed} failed, ${skipped.length} skipped`,
    '',
  ].join('\n');
}

function findingLines({ rule, level, status, expected, found, change }: Finding): string[] {
  const word = status === 'failed' && level === 'SHOULD' ? 'warning' : status;
  const line = `  ${word.padEnd(9)}  ${rule} (${level})`;
  if (status !== 'failed') return [line];
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['expected', expected],
    ['found', found],
    ['change', change],
  ];
  return [line, ...lines.map(([name, text]) => `    ${name.padEnd(8)}  ${text}`)];
}

function rulesOf(findings: readonly Finding[]): string {
  return [...new Set(findings.map(({ rule }) => rule))].join(', ');
}
