// Several API processes on one port.

import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { readConfig } from '../../../graphql-api/app/config.ts';
import { eventually } from '../../harness/eventually.ts';
import { createTenant } from '../../harness/tenant.ts';
import { type ApiProcess, startApi } from '../harness/api-process.ts';
import { tokenFor } from '../harness/tokens.ts';

test.runIf(availableParallelism() > 1)(
  'two processes serve one port, a killed one is replaced, and SIGTERM stops all',
  async () => {
    const api = await startApi({ env: { API_PROCESSES: '2' } });
    try {
      const { organizationId } = await createTenant();
      const token = await tokenFor(organizationId);
      const ask = async () => {
        const { status } = await api.graphql('{ organization { id } }', {
          token,
          headers: { connection: 'close' },
        });
        expect(status).toBe(200);
      };
      const before = await untilBothAnswered(api, ask);
      expect(before).not.toContain(api.pid);
      expect(await requestsCounted(api)).toBeGreaterThanOrEqual(answered(api).length);
      expect((await api.rest('/metrics')).text).toMatch(/service_build_info\{[^}]*\} 1\n/);

      process.kill(before[0]!, 'SIGKILL');
      await eventually(() => {
        expect(api.logLines()).toContainEqual(
          expect.objectContaining({
            msg: 'process exited, restarting',
            exitedPid: before[0],
            signal: 'SIGKILL',
          }),
        );
      });
      const after = await untilBothAnswered(api, ask, before);
      expect(after).toContain(before[1]);
      await requestsCounted(api);

      expect(await api.stop(), api.logs()).toBe(0);
      for (const pid of [...before, ...after]) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    } finally {
      await api.stop();
    }
  },
);

test.each(['0', '-1', '1.5', 'two', String(availableParallelism() + 1)])(
  'API_PROCESSES=%s is refused',
  value => {
    expect(() => readConfig({ API_PROCESSES: value })).toThrow(
      /API_PROCESSES: must be "max" or a number from 1 to \d+ \(the number of cores\)/,
    );
  },
);

test('API_PROCESSES=max uses every core', () => {
  expect(() => readConfig({ API_PROCESSES: 'max' })).not.toThrow('API_PROCESSES');
});

/** The log lines for requests to /graphql. */
function answered(api: ApiProcess): readonly Record<string, unknown>[] {
  return api.logLines().filter(({ route }) => route === '/graphql');
}

/** The processes that respond, without those that have exited. */
async function untilBothAnswered(
  api: ApiProcess,
  ask: () => Promise<void>,
  [gone]: readonly number[] = [],
): Promise<readonly number[]> {
  return eventually(async () => {
    await ask();
    const pids = new Set(answered(api).map(({ pid }) => Number(pid)));
    if (gone !== undefined) pids.delete(gone);
    expect(pids.size).toBe(2);
    return [...pids];
  });
}

async function requestsCounted(api: ApiProcess): Promise<number> {
  const { status, text } = await api.rest('/metrics');
  expect(status, text).toBe(200);
  const [, count] = /^api_request_seconds_count\{[^}]*route="\/graphql"[^}]*\} (\d+)$/m.exec(text)!;
  return Number(count);
}
