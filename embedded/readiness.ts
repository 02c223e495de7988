import { setTimeout } from 'node:timers/promises';

export type Upstreams = {
  readonly ingest: string;
  readonly api: string;
};

const QUESTION_TIMEOUT_MS = 2_000;

/** The service is ready when each of its programs is ready. */
export async function readiness(
  upstreams: Upstreams,
): Promise<{ isReady: boolean; body: { status: string; parts: Record<string, string> } }> {
  const parts: Record<string, string> = {};
  const questions = Object.entries(upstreams).map(async ([name, url]) => {
    parts[name] = await ask(url);
  });
  await Promise.all(questions);
  const isReady = Object.values(parts).every(state => state === READY);
  return { isReady, body: { status: isReady ? READY : 'not ready', parts } };
}

/** Resolves to true once the service is ready, or to false after the timeout. */
export async function untilReady(upstreams: Upstreams, timeoutMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!(await readiness(upstreams)).isReady) {
    if (performance.now() > deadlineMs) return false;
    await setTimeout(ASK_AGAIN_MS);
  }
  return true;
}

const ASK_AGAIN_MS = 50;
const READY = 'ready';

async function ask(url: string): Promise<string> {
  try {
    const answer = await fetch(`${url}/readyz`, {
      signal: AbortSignal.timeout(QUESTION_TIMEOUT_MS),
    });
    await answer.body?.cancel();
    return answer.ok ? READY : `responds with ${answer.status}`;
  } catch {
    // Unreachable, or too slow to count as ready.
    return 'does not respond';
  }
}
