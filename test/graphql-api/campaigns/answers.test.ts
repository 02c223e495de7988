// The answers to campaigns: counted by question, and listed with the people.

import { describe, expect, test } from 'vitest';
import { createTenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { insertRows, reportOf, responseRow } from '../harness/report-rows.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();
const RANGE = { from: '2026-10-01T00:00:00Z', to: '2026-10-31T00:00:00Z' };
const IN_RANGE = { received_at: '2026-10-10T10:00:00.000Z' };

const ANSWERS = `query ($range: ReportRange!) {
  campaignAnswers(campaignId: "campaign-1", range: $range) {
    responseType question responseCount answerCount answers { answer responseCount }
  }
}`;

/** The answers of a tenant with these responses, each a type and a payload. */
async function answersTo(responses: readonly (readonly [type: string, payload: unknown])[]) {
  const tenant = await createTenant();
  const rows = responses.map(([response_type, payload]) => {
    const score = (payload as { score?: number }).score ?? '';
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    const fields = { response_type, payload: text, score_text: `${score}`, ...IN_RANGE };
    return responseRow(tenant, fields);
  });
  await insertRows('in_app_responses_raw', [
    ...rows,
    responseRow(tenant, { ...IN_RANGE, campaign_id: 'campaign-2' }),
    responseRow(tenant, { received_at: '2026-09-30T23:59:59.999Z' }),
  ]);
  return reportOf<object[]>(api(), tenant, ANSWERS, { range: RANGE });
}

const counted = (answers: Readonly<Record<string, number>>) =>
  Object.entries(answers).map(([answer, responseCount]) => ({ answer, responseCount }));

describe.concurrent('the answers of a campaign', () => {
  test('to a poll are its options, of which a response can have several', async () => {
    const answers = await answersTo([
      ['poll', { option_id: 'a', option: 'Tea' }],
      ['poll', { option_ids: ['a', 'b', 'a'] }],
      ['poll', { option: 'Café' }],
      ['poll', {}],
    ]);
    expect(answers).toEqual([
      {
        responseType: 'poll',
        question: null,
        responseCount: 3,
        answerCount: 3,
        answers: counted({ a: 2, Café: 1, b: 1 }),
      },
    ]);
  });

  test('to ratings and scores are numbers', async () => {
    const answers = await answersTo([
      ['rating', { rating: 4, score: 4 }],
      ['rating', { score: 5 }],
      ['rating', '{"rating": 4.0}'],
      ['nps', { score: 9, comment: 'Quick' }],
    ]);
    const one = { question: null };
    expect(answers).toEqual([
      {
        ...one,
        responseType: 'rating',
        responseCount: 3,
        answerCount: 2,
        answers: [
          { answer: '4', responseCount: 2 },
          { answer: '5', responseCount: 1 },
        ],
      },
      {
        ...one,
        responseType: 'nps',
        responseCount: 1,
        answerCount: 1,
        answers: [{ answer: '9', responseCount: 1 }],
      },
    ]);
  });

  test('to quizzes and forms are grouped by question or field, without empty ones', async () => {
    const answers = await answersTo([
      ['quiz', { answers: { q1: 'y', q2: 'n' }, score: 1 }],
      ['quiz', { answers: ['y'] }],
      [
        'form',
        { fields: { email: 'asha@example.com', isAdult: true, note: '', tags: ['x', 'y'] } },
      ],
      ['form', { values: { isAdult: false } }],
    ]);
    const shown = answers as { question: string; responseCount: number; answers: object[] }[];
    const byQuestion = shown.map(({ question, responseCount, answers }) => [
      question,
      responseCount,
      answers,
    ]);
    expect(byQuestion).toEqual([
      ['isAdult', 2, counted({ false: 1, true: 1 })],
      ['email', 1, counted({ 'asha@example.com': 1 })],
      ['tags', 1, counted({ x: 1, y: 1 })],
      ['1', 1, counted({ y: 1 })],
      ['q1', 1, counted({ y: 1 })],
      ['q2', 1, counted({ n: 1 })],
    ]);
  });

  test('are the most frequent ones, with the number of all, and cut', async () => {
    const words = Array.from({ length: 30 }, (_, at) => `${'long '.repeat(100)}${at}`);
    const short = Array.from({ length: 30 }, (_, at) => `word ${at}`);
    const [one, two] = (await answersTo([
      ...words.map(text => ['form', { fields: { text } }] as const),
      ...short.map(word => ['form', { fields: { word } }] as const),
    ])) as { question: string; answerCount: number; answers: { answer: string }[] }[];
    expect([one!.question, one!.answerCount, one!.answers.length]).toEqual(['text', 1, 1]);
    expect(one!.answers[0]!.answer).toHaveLength(256);
    expect([two!.question, two!.answerCount, two!.answers.length]).toEqual(['word', 30, 20]);
  });

  test('are not disturbed by payloads of other shapes', async () => {
    const answers = await answersTo([
      ['quiz', { answers: null }],
      ['form', { fields: {}, values: null }],
      ['form', '{"fields": {"n": 1e999}}'],
      ['poll', { option_id: null, option_ids: [] }],
      ['countdown', { completed: true }],
    ]);
    expect(answers).toEqual([]);
  });
});

describe.concurrent('the responses to a campaign', () => {
  const RESPONSES = `query ($range: ReportRange!, $after: String) {
    campaignResponses(campaignId: "campaign-1", range: $range, first: 2, after: $after) {
      nodes { receivedAt responseKey responseType platform userId contactId variantId score payload }
      pageInfo { hasNextPage endCursor }
    }
  }`;
  type Page = { nodes: object[]; pageInfo: { hasNextPage: boolean; endCursor: string } };

  test('are listed newest first, in pages, with the people', async () => {
    const tenant = await createTenant();
    const at = (hour: number) => ({ received_at: `2026-10-10T0${hour}:00:00.000Z` });
    const key = (response_key: string) => ({ response_key });
    await insertRows('in_app_responses_raw', [
      responseRow(tenant, { ...at(1), ...key('a'), variant_id: 'calm' }),
      responseRow(tenant, { ...at(2), ...key('b'), user_id: '', contact_id: 'contact-1' }),
      responseRow(tenant, {
        ...at(2),
        ...key('c'),
        user_id: '',
        response_type: 'poll',
        payload: '{"option":"Tea"}',
        score_text: '',
      }),
      responseRow(tenant, { ...at(3), campaign_id: 'campaign-2' }),
    ]);
    const first = await reportOf<Page>(api(), tenant, RESPONSES, { range: RANGE });
    const nps = { responseType: 'nps', platform: 'web', score: 9, payload: { score: 9 } };
    const nobody = { userId: null, contactId: null, variantId: null };
    expect(first.nodes).toEqual([
      {
        ...nobody,
        receivedAt: '2026-10-10T02:00:00.000Z',
        responseKey: 'c',
        responseType: 'poll',
        platform: 'web',
        score: null,
        payload: { option: 'Tea' },
      },
      {
        ...nps,
        ...nobody,
        receivedAt: '2026-10-10T02:00:00.000Z',
        responseKey: 'b',
        contactId: 'contact-1',
      },
    ]);
    expect(first.pageInfo.hasNextPage).toBe(true);
    const after = first.pageInfo.endCursor;
    const last = await reportOf<Page>(api(), tenant, RESPONSES, { range: RANGE, after });
    expect(last.nodes).toEqual([
      {
        ...nps,
        receivedAt: '2026-10-10T01:00:00.000Z',
        responseKey: 'a',
        userId: 'user-1',
        contactId: null,
        variantId: 'calm',
      },
    ]);
    expect(last.pageInfo.hasNextPage).toBe(false);
  });

  test.for(['campaignAnswers', 'campaignResponses'])('%s needs a bounded range', async name => {
    const { organizationId } = await createTenant();
    const range = { from: '2026-01-01T00:00:00Z', to: '2026-10-31T00:00:00Z' };
    const page = name === 'campaignResponses' ? ', first: 2' : '';
    const answer = await api().graphql(
      `query ($range: ReportRange!) { ${name}(campaignId: "a", range: $range${page}) { __typename } }`,
      { token: await tokenFor(organizationId), variables: { range } },
    );
    expect(answer.errors?.[0]?.extensions?.reason).toBe('INVALID_RANGE');
  });
});
