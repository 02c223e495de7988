// Tax identifiers and bank accounts are stored only in sealed form. They never appear in the
// database, a log or a response, whatever error occurs.

import { expect, inject, test } from 'vitest';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { eventually } from '../../harness/eventually.ts';
import { createTenant, sql } from '../../harness/tenant.ts';
import { useApi } from '../harness/api-process.ts';
import { createAffiliate, gstinOf, kycBody, kycInput } from '../harness/partner.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useApi({ env: { LOG_LEVEL: 'trace' } });
const SUBMIT = '/api/v1/affiliates/kyc/submit';
const MUTATION = `mutation ($input: KycSubmitInput!) {
  kycSubmit(input: $input) { affiliateProfile { panMasked bankAccountMasked } userErrors { message } }
}`;

test('the secrets of a KYC appear nowhere', async () => {
  const { organizationId } = await createTenant();
  await createAffiliate(organizationId);
  const token = await tokenFor(organizationId);
  const body = kycBody();
  const secrets = [body.pan_number, body.bank_account_number];
  const answers: string[] = [];
  const submit = async (sent: Record<string, unknown>, headers: Record<string, string> = {}) => {
    const answer = await api().rest(SUBMIT, {
      method: 'POST',
      token,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(sent),
    });
    answers.push(answer.text);
    return answer.status;
  };
  const submitOverGraphql = async (sent: Record<string, unknown>) => {
    const variables = { input: kycInput(sent) };
    const answer = await api().graphql(MUTATION, { token, variables });
    answers.push(answer.text);
    return answer;
  };

  // Every success and failure, over REST and GraphQL.
  expect(await submit(body, { 'idempotency-key': 'kyc-1' })).toBe(200);
  expect(await submit({ ...body, entity_type: 'LLP' })).toBe(400);
  expect(await submit({ ...body, bank_ifsc: body.bank_account_number })).toBe(400);
  expect(await submit({ ...body, entity_type: body.pan_number })).toBe(400);
  expect(await submit(body, { authorization: 'Bearer x' })).toBe(401);
  expect((await submitOverGraphql(body)).errors).toBeUndefined();
  await submitOverGraphql({ ...body, pan_name: null });
  await submitOverGraphql({ ...body, full_name: 7 });
  await submitOverGraphql({ ...body, pan_name: `${body.pan_number}\u0000` });
  // Errors raised by GraphQL itself, before the contract is checked.
  for (const variables of [
    { ...body, bank_account_number: Number(body.bank_account_number) },
    { ...body, pan_number: [body.pan_number] },
    { ...body, entity_type: body.pan_number },
    { ...body, entity_type: `at "x"; ${body.pan_number}` },
    { ...body, misspelt: true },
    { ...body, full_name: undefined },
  ])
    expect((await submitOverGraphql(variables)).status).toBe(400);
  for (const literal of [
    `bankAccountNumber: ${body.bank_account_number}`,
    `bankAccountNumber: "${body.bank_account_number}", entityType: ${body.pan_number}`,
    `panNumber: { a: "${body.pan_number}" }`,
  ]) {
    const document = `mutation { kycSubmit(input: { ${literal} }) { userErrors { message } } }`;
    const answer = await api().graphql(document, { token });
    expect(answer.status).toBe(400);
    answers.push(answer.text);
  }
  const adminToken = await tokenFor(organizationId, { roles: ['platform_admin'] });
  const queue = await api().graphql(
    `query ($id: ID!) { kycSubmissions(first: 5, organizationId: $id) {
       nodes { panMasked bankAccountMasked alerts { kind } } } }`,
    { token: adminToken, variables: { id: encodeNodeId('Organization', organizationId) } },
  );
  expect(queue.errors).toBeUndefined();
  answers.push(queue.text);
  const approval = `/api/v1/admin/referrals/kyc/${organizationId}/approve`;
  const approved = await api().rest(approval, { method: 'POST', token: adminToken });
  expect(approved.status).toBe(200);
  answers.push(approved.text);

  // The log has a line per request; this was the last one.
  await eventually(async () => expect(api().logs()).toContain(':org_id/approve'));
  for (const secret of secrets) {
    for (const answer of answers) expect(answer).not.toContain(secret);
    expect(api().logs()).not.toContain(secret);
    expect(await tablesWith(secret)).toEqual([]);
  }
  // Proves that the search finds text that is stored.
  expect(await tablesWith('Asha Rao')).toContain('kyc_submissions');
});

test('a GSTIN is shown to its own organization, but stored sealed', async () => {
  const { organizationId } = await createTenant();
  await createAffiliate(organizationId);
  const token = await tokenFor(organizationId);
  const body = kycBody();
  const gst_number = gstinOf(body.pan_number);
  const headers = { 'content-type': 'application/json' };
  const text = JSON.stringify({ ...body, gst_number });
  const answer = await api().rest(SUBMIT, { method: 'POST', token, headers, body: text });
  expect(answer.json()).toMatchObject({ gst_number });
  expect(api().logs()).not.toContain(gst_number);
  expect(await tablesWith(gst_number)).toEqual([]);
});

test('when the database fails in the middle, the log contains the error without the secret', async () => {
  const { organizationId } = await createTenant();
  await createAffiliate(organizationId);
  const token = await tokenFor(organizationId);
  const body = kycBody();
  // A CHECK constraint that only this organization violates.
  const name = `broken_${organizationId.replaceAll('-', '_')}`;
  await sql(
    `ALTER TABLE kyc_submissions ADD CONSTRAINT ${name}
     CHECK (organization_id <> '${organizationId}') NOT VALID`,
  );
  try {
    const answer = await api().rest(SUBMIT, {
      method: 'POST',
      token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(500);
    await eventually(async () => expect(api().logs()).toContain(name));
    for (const secret of [body.pan_number, body.bank_account_number]) {
      expect(answer.text).not.toContain(secret);
      expect(api().logs()).not.toContain(secret);
    }
  } finally {
    await sql(`ALTER TABLE kyc_submissions DROP CONSTRAINT ${name}`);
  }
});

/** The tables that contain the text anywhere in a row, including those of the queue. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await sql(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_schema IN ('public', 'pgboss') AND table_type = 'BASE TABLE'`,
    [],
    inject('databaseUrls').owner,
  );
  const found: string[] = [];
  for (const { name } of tables as { name: string }[]) {
    const rows = await sql(`SELECT 1 FROM ${name} t WHERE strpos(t::text, $1) > 0 LIMIT 1`, [text]);
    if (rows.length > 0) found.push(name.replace('public.', ''));
  }
  return found;
}
