import { expect, test } from 'vitest';
import { fetchActive } from '../harness/active.ts';
import { expectProblem, liveTenant } from '../harness/batch-client.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';

const ingest = useSharedIngest();

test.each([['contactId', 'X-Contact-ID'] as const, ['userId', 'X-User-ID'] as const])(
  '%s of more than 512 characters',
  async (field, header) => {
    const tenant = await liveTenant(ingest());
    const ask = (value: string) =>
      fetchActive(ingest(), tenant, { [field]: Buffer.from(value).toString('latin1') });
    expect((await ask('a'.repeat(512))).status).toBe(200);
    expect((await ask(`a${'ü'.repeat(510)}a`)).status).toBe(200);
    expect((await ask(`a${'😀'.repeat(510)}a`)).status).toBe(200);
    for (const value of ['a'.repeat(513), `a${'ü'.repeat(511)}a`]) {
      const answer = await ask(value);
      expectProblem(answer, 400, 'FIELD_TOO_LONG');
      expect(answer.json().detail).toContain(header);
    }
  },
);
