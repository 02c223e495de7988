// POST /api/v1/referrals/attribution

import { beforeAll, expect, test } from 'vitest';
import { type Caller, useClockedApi } from './clocked-api.ts';
import { type Program, programOf } from './program.ts';

const api = useClockedApi();
let program: Program;
beforeAll(async () => {
  program = await programOf(api());
});

const PATH = '/api/v1/referrals/attribution';

async function codeOf(caller: Caller): Promise<string> {
  return (await caller.get('/api/v1/billing/referral')).json().code as string;
}

test('200: the first valid code takes precedence over later ones', async () => {
  const [first, second, referee] = [await api().owner(), await api().owner(), await api().owner()];
  const code = await codeOf(first);
  const answer = await referee.post(PATH, { code });
  expect(answer.status).toBe(200);
  const expected = {
    status: 'SUCCESS',
    attribution: {
      code,
      attributed_at: new Date(api().deps.clock.nowMs()).toISOString(),
      currency: 'INR',
    },
  };
  expect(answer.json()).toEqual(expected);
  api().advanceDays(1);
  for (const later of [await codeOf(second), code, 'NOBODY-HAS-IT', await codeOf(referee)])
    expect((await referee.post(PATH, { code: later })).json()).toEqual(expected);
  const counts = async (caller: Caller) =>
    (await caller.get('/api/v1/billing/referral')).json().referrals_count;
  expect([await counts(first), await counts(second)]).toEqual([1, 0]);
});

test('200: one of many concurrent requests is applied, and all return it', async () => {
  const referee = await api().owner();
  const referrers = await Promise.all([1, 2, 3, 4, 5].map(() => api().owner()));
  const codes = await Promise.all(referrers.map(codeOf));
  const answers = await Promise.all(codes.map(code => referee.post(PATH, { code })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const told = new Set(answers.map(answer => (answer.json().attribution as { code: string }).code));
  expect(told.size).toBe(1);
  const rows = await api().sql(
    'SELECT code FROM referee_relations WHERE referee_organization_id = $1',
    [referee.organizationId],
  );
  expect(rows).toEqual([{ code: [...told][0] }]);
});

test.for([
  {},
  { code: 'ABCDE' },
  { code: 'ABC_DEF' },
  { code: 7 },
  { code: null },
  { code: 'ABCDEF', x: 1 },
])('400: %j', async body => {
  const answer = await (await api().owner()).post(PATH, body);
  expect(answer.status).toBe(400);
  expect(Object.keys(answer.json())).toEqual(['detail']);
});

test('403: only owners can submit a code', async () => {
  const member = await api().caller(await api().organization(), 'member');
  expect((await member.post(PATH, { code: 'ABCDEF' })).status).toBe(403);
});

test('409: after the first payment', async () => {
  const [referrer, payer] = [await api().owner(), await api().owner()];
  await program.pay(payer, '100');
  const answer = await payer.post(PATH, { code: await codeOf(referrer) });
  expect(answer.status).toBe(409);
  expect(answer.json()).toEqual({ detail: 'ATTRIBUTION_CLOSED' });
});

test('422: an unknown code has no effect; a valid one can follow', async () => {
  const referee = await api().owner();
  const unknown = await referee.post(PATH, { code: 'NOBODY-HAS-IT' });
  expect([unknown.status, unknown.json()]).toEqual([422, { detail: 'REFERRAL_CODE_UNKNOWN' }]);
  const referrer = await api().owner();
  expect((await referee.post(PATH, { code: await codeOf(referrer) })).status).toBe(200);
});

test('422: an organization cannot refer itself or its referrer', async () => {
  const owner = await api().owner();
  const own = await owner.post(PATH, { code: await codeOf(owner) });
  expect([own.status, own.json()]).toEqual([422, { detail: 'SELF_REFERRAL' }]);
  const referee = await program.referee(owner);
  const back = await owner.post(PATH, { code: await codeOf(referee) });
  expect([back.status, back.json()]).toEqual([422, { detail: 'SELF_REFERRAL' }]);
});

test('422: one of two organizations that refer each other concurrently', async () => {
  for (let i = 0; i < 5; i++) {
    const [a, b] = [await api().owner(), await api().owner()];
    const [codeOfA, codeOfB] = [await codeOf(a), await codeOf(b)];
    const answers = await Promise.all([
      a.post(PATH, { code: codeOfB }),
      b.post(PATH, { code: codeOfA }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([200, 422]);
  }
});
