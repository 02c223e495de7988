// Runs one scenario with a new workspace, server, storage and process, and evaluates it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkGenerally, GENERAL_RULES } from './general-checks.ts';
import { batchAttempts, storedIds } from './record.ts';
import { RULES, type RuleId } from './rules.ts';
import type { Scenario } from './scenario.ts';
import { startServer } from './server.ts';
import type { Service } from './service.ts';
import { type Problem, Stage, Unmet } from './stage.ts';

export type Finding = {
  readonly scenario: string;
  readonly rule: RuleId;
  readonly level: 'MUST' | 'SHOULD';
  /** `unchecked`: the scenario ended before the check. */
  readonly status: 'passed' | 'failed' | 'unchecked';
  readonly expected?: string;
  readonly found?: string;
  readonly change?: string;
};

export type Outcome = {
  readonly scenario: string;
  readonly isPassed: boolean;
  readonly seconds: number;
  readonly findings: readonly Finding[];
  /** The last lines of output of a client that failed. */
  readonly output: readonly string[];
};

export type Run = {
  readonly service: Service;
  readonly command: string;
  readonly timeLimitMs: number;
  /** When it is aborted, the scenario cleans up and rejects. */
  readonly signal: AbortSignal;
};

export async function runScenario(scenario: Scenario, run: Run): Promise<Outcome> {
  const startedAtMs = performance.now();
  const [workspace, server, storageDirectory] = await Promise.all([
    run.service.createWorkspace(),
    startServer(run.service.ingestUrl),
    mkdtemp(join(tmpdir(), 'conformance-storage-')),
  ]);
  const writeKey = scenario.hasUnknownKey ? 'wk_of_no_workspace' : workspace.writeKey;
  const clockOffsetMs = scenario.clockOffsetMs ?? 0;
  const { command } = run;
  const stage = new Stage({
    server,
    service: run.service,
    workspace,
    client: { command, baseUrl: server.url, writeKey, storageDirectory, clockOffsetMs },
    arrival: scenario.arrival ?? 'delivered',
    timeLimitMs: run.timeLimitMs,
    signal: run.signal,
  });
  try {
    const isComplete = await play(scenario, stage);
    // Waits until ClickHouse has all events that ingest accepted, so that copies are counted, too.
    const stored = await run.service.storedEvents(workspace.workspaceId, storedIds(stage.record));
    scenario.check?.(stage, stored);
    const { record, arrival } = stage;
    const evidence = { record, stored, arrival, clockOffsetMs, writeKey };
    const problems = [...stage.problems, ...checkGenerally(evidence)];
    const hasBatches = batchAttempts(stage.record).length > 0;
    const findings = toFindings(scenario, problems, { isComplete, hasBatches });
    const isPassed = !findings.some(isFailure);
    return {
      scenario: scenario.name,
      isPassed,
      seconds: (performance.now() - startedAtMs) / 1000,
      findings,
      output: isPassed ? [] : [...stage.output],
    };
  } finally {
    await stage.kill();
    await server.close();
    await rm(storageDirectory, { recursive: true, force: true });
  }
}

/** A broken SHOULD rule is reported but does not fail the scenario. */
export function isFailure({ status, level }: Finding): boolean {
  return status === 'failed' && level === 'MUST';
}

/** Returns false if the scenario ended early. */
async function play(scenario: Scenario, stage: Stage): Promise<boolean> {
  try {
    await scenario.play(stage);
    if (stage.isRunning) await stage.close();
    return true;
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    stage.problems.push(error.problem);
    await stage.kill();
    return false;
  }
}

function toFindings(
  { name, rules, arrival = 'delivered' }: Scenario,
  problems: readonly Problem[],
  { isComplete, hasBatches }: { readonly isComplete: boolean; readonly hasBatches: boolean },
): readonly Finding[] {
  const checked = new Set<RuleId>([...rules, arrival, ...GENERAL_RULES]);
  for (const { rule } of problems) checked.add(rule);
  return [...checked].map((rule): Finding => {
    const problem = problems.find(problem => problem.rule === rule);
    const { level, change } = RULES[rule];
    if (problem !== undefined) {
      const { expected, found } = problem;
      return { scenario: name, rule, level, status: 'failed', expected, found, change };
    }
    const isReached = GENERAL_RULES.includes(rule) ? hasBatches : isComplete;
    return { scenario: name, rule, level, status: isReached ? 'passed' : 'unchecked' };
  });
}
