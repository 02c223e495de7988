import { describe, expect, test } from 'vitest';
import { agency, dealBody, freshDomain, REGISTER, registered } from './agencies.ts';
import { organizationNode, useClockedApi } from './clocked-api.ts';

const api = useClockedApi();
const DAY_MS = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(api().deps.clock.nowMs() + days * DAY_MS).toISOString();

describe('201', () => {
  test('the deal, with its two deadlines', async () => {
    const owner = await agency(api());
    const domain = freshDomain();
    const answer = await owner.post(
      REGISTER,
      dealBody({
        prospect_domain: `https://www.${domain.toUpperCase()}/about?us`,
        estimated_deal_value: 250_000.5,
        notes: 'Met at a fair.',
      }),
    );
    expect(answer.status, answer.text).toBe(201);
    expect(answer.json()).toEqual({
      status: 'SUCCESS',
      deal: {
        id: expect.any(String),
        prospect_company_name: 'Acme',
        prospect_domain: domain,
        prospect_contact_email: 'buyer@acme.com',
        estimated_deal_value: 250_000.5,
        actual_deal_value: null,
        currency: 'INR',
        notes: 'Met at a fair.',
        status: 'REGISTERED',
        status_reason: null,
        proof: null,
        proof_due_at: inDays(14),
        locked_until: inDays(90),
        created_at: inDays(0),
        closed_at: null,
      },
    });
  });

  test('a repeat with its idempotency key returns the same response and registers nothing', async () => {
    const owner = await agency(api());
    const body = dealBody();
    const headers = { 'idempotency-key': 'deal-1' };
    const first = await owner.post(REGISTER, body, headers);
    const again = await owner.post(REGISTER, body, headers);
    expect(again.status).toBe(201);
    expect(again.json()).toEqual(first.json());
  });

  test('amounts have no decimals in a currency without minor units', async () => {
    const owner = await agency(api());
    await api().sql(
      `WITH terms AS (
         INSERT INTO program_terms (region, currency, currency_symbol, hold_days)
         VALUES ('JAPAN', 'JPY', '¥', 60) ON CONFLICT DO NOTHING)
       SELECT 1`,
    );
    await api().sql(`UPDATE partner_profiles SET region = 'JAPAN' WHERE organization_id = $1`, [
      owner.organizationId,
    ]);
    const refused = await owner.post(REGISTER, dealBody({ estimated_deal_value: 1000.5 }));
    expect(refused.status).toBe(400);
    expect(await registered(owner, { estimated_deal_value: 1000 })).toMatchObject({
      currency: 'JPY',
      estimated_deal_value: 1000,
    });
  });
});

describe('400', () => {
  test.for([
    [{ prospect_company_name: ' ' }, 'prospect_company_name'],
    [{ prospect_company_name: undefined }, 'prospect_company_name'],
    [{ prospect_domain: 'acme' }, 'prospect_domain'],
    [{ prospect_domain: 'buyer@acme.com' }, 'prospect_domain'],
    [{ prospect_domain: 'co.uk' }, 'prospect_domain'],
    [{ prospect_domain: undefined }, 'prospect_domain'],
    [{ prospect_contact_email: 'acme.com' }, 'prospect_contact_email'],
    [{ estimated_deal_value: 0 }, 'estimated_deal_value'],
    [{ estimated_deal_value: -1 }, 'estimated_deal_value'],
    [{ estimated_deal_value: 1.001 }, 'estimated_deal_value'],
    [{ estimated_deal_value: 1e14 }, 'estimated_deal_value'],
    [{ estimated_deal_value: '1000' }, 'estimated_deal_value'],
    [{ notes: 'x'.repeat(5_001) }, 'notes'],
    [{ value: 1 }, 'value'],
  ] as const)('%o names %s', async ([change, field]) => {
    const owner = await agency(api());
    const answer = await owner.post(REGISTER, dealBody(change));
    expect(answer.status).toBe(400);
    expect(answer.json().detail).toContain(field);
  });
});

describe('403', () => {
  test('NOT_AGENCY: for users', async () => {
    const owner = await api().owner();
    const answer = await owner.post(REGISTER, dealBody());
    expect(answer.status).toBe(403);
    expect(answer.json()).toEqual({ detail: 'NOT_AGENCY' });
  });

  test('without a signed reseller agreement', async () => {
    const owner = await agency(api(), { isAgreementSigned: false });
    const answer = await owner.post(REGISTER, dealBody());
    expect(answer.status).toBe(403);
    expect(answer.json()).toEqual({
      detail: 'Registering deals requires a signed reseller agreement.',
    });
    // An admin records the agreement.
    const admin = await api().admin();
    const appointed = await admin.mutate('agencyAppoint', 'agency { agreementReference }', {
      id: organizationNode(owner),
      input: { agreementSignedAt: inDays(0), agreementReference: 'Folder 7' },
    });
    expect(appointed).toEqual({ agency: { agreementReference: 'Folder 7' }, userErrors: [] });
    await registered(owner);
  });

  test('for members', async () => {
    const owner = await agency(api());
    const member = await api().caller(owner.organizationId, 'member');
    expect((await member.post(REGISTER, dealBody())).status).toBe(403);
  });
});

describe('409', () => {
  test('DEAL_LOCKED: by another agency, with the end of the lock but not the agency; also for subdomains', async () => {
    const [first, second] = [await agency(api()), await agency(api())];
    const domain = freshDomain();
    const deal = await registered(first, { prospect_domain: domain });
    for (const prospect_domain of [domain, `shop.${domain}`, `HTTPS://${domain}/`]) {
      const answer = await second.post(REGISTER, dealBody({ prospect_domain }));
      expect(answer.status).toBe(409);
      expect(answer.json()).toEqual({ detail: 'DEAL_LOCKED', locked_until: deal.locked_until });
    }
    const input = {
      prospectCompanyName: 'Acme',
      prospectDomain: domain,
      prospectContactEmail: 'a@b.co',
      estimatedDealValue: '1',
    };
    const { userErrors } = await second.mutate('dealRegister', '', { input });
    expect(userErrors).toEqual([
      {
        code: 'DEAL_LOCKED',
        field: ['input', 'prospectDomain'],
        message: `This domain is registered to another agency until ${deal.locked_until}.`,
      },
    ]);
  });

  test('DEAL_ALREADY_REGISTERED: by the same agency', async () => {
    const owner = await agency(api());
    const deal = await registered(owner);
    const answer = await owner.post(REGISTER, dealBody({ prospect_domain: deal.prospect_domain }));
    expect(answer.status).toBe(409);
    expect(answer.json()).toEqual({
      detail: 'DEAL_ALREADY_REGISTERED',
      locked_until: deal.locked_until,
    });
  });

  test('one of 50 concurrent agencies gets the domain', async () => {
    const owners = await Promise.all(Array.from({ length: 50 }, () => agency(api())));
    const body = dealBody();
    const answers = await Promise.all(owners.map(owner => owner.post(REGISTER, body)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array(49).fill(409)]);
    const locked = answers.filter(({ status }) => status === 409).map(answer => answer.json());
    expect(locked).toEqual(Array(49).fill({ detail: 'DEAL_LOCKED', locked_until: inDays(90) }));
    const deals = await api().sql('SELECT 1 FROM agency_deals WHERE prospect_domain = $1', [
      body.prospect_domain,
    ]);
    expect(deals).toHaveLength(1);
  });

  test('one of 50 concurrent registrations by one agency succeeds', async () => {
    const owner = await agency(api());
    const body = dealBody();
    const answers = await Promise.all(Array.from({ length: 50 }, () => owner.post(REGISTER, body)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });
});

describe('422', () => {
  test('an email provider cannot be a prospect', async () => {
    const owner = await agency(api());
    const answer = await owner.post(REGISTER, dealBody({ prospect_domain: 'mail.gmail.com' }));
    expect(answer.status).toBe(422);
    expect(answer.json()).toEqual({ detail: 'gmail.com is an email provider.' });
  });

  test('the agency’s own domain cannot be a prospect, also as a URL of a page', async () => {
    const domain = freshDomain();
    const owner = await agency(api());
    const admin = await api().admin();
    const appointed = await admin.mutate('agencyAppoint', 'agency { domain }', {
      id: organizationNode(owner),
      input: { domain: `https://www.${domain}/team` },
    });
    expect(appointed).toEqual({ agency: { domain }, userErrors: [] });
    const answer = await owner.post(REGISTER, dealBody({ prospect_domain: `blog.${domain}` }));
    expect(answer.status).toBe(422);
    expect(answer.json()).toEqual({ detail: `${domain} is your own domain.` });
    await registered(await agency(api()), { prospect_domain: domain });
  });
});
