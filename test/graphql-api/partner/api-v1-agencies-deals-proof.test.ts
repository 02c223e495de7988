import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { agency, dealNode, lost, PROOF, proofPath, proven, registered, won } from './agencies.ts';
import { useClockedApi } from './clocked-api.ts';

const api = useClockedApi();

describe('POST deals/{id}/proof', () => {
  test('200: the deal has a proof; the last of several counts', async () => {
    const owner = await agency(api());
    const deal = await registered(owner);
    await owner.post(proofPath(deal), { ...PROOF, proof_type: 'DEMO_SCHEDULED' });
    api().advanceDays(3);
    const answer = await owner.post(proofPath(deal), { ...PROOF, notes: 'To the buyer.' });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json()).toMatchObject({
      status: 'SUCCESS',
      deal: {
        id: deal.id,
        status: 'PROOF_SUBMITTED',
        proof: {
          ...PROOF,
          notes: 'To the buyer.',
          submitted_at: new Date(api().deps.clock.nowMs()).toISOString(),
        },
        proof_due_at: deal.proof_due_at,
        locked_until: deal.locked_until,
      },
    });
    const { node } = (await owner.graph(
      'query ($id: ID!) { node(id: $id) { ... on AgencyDeal { status proofs { proofType proofDocumentUrl } } } }',
      { id: dealNode(deal) },
    )) as { node: unknown };
    expect(node).toEqual({
      status: 'PROOF_SUBMITTED',
      proofs: [
        { proofType: 'PROPOSAL_SENT', proofDocumentUrl: PROOF.proof_document_url },
        { proofType: 'DEMO_SCHEDULED', proofDocumentUrl: PROOF.proof_document_url },
      ],
    });
  });

  test.for(['http://docs.example.com/x', 'https://docs.example.com/x?v=1#end'])(
    '200: a document at %s',
    async proof_document_url => {
      const owner = await agency(api());
      const answer = await owner.post(proofPath(await registered(owner)), {
        ...PROOF,
        proof_document_url,
      });
      expect(answer.status, answer.text).toBe(200);
    },
  );

  test('200: at the deadline itself', async () => {
    const owner = await agency(api());
    const deal = await registered(owner);
    api().setClock(deal.proof_due_at);
    expect((await owner.post(proofPath(deal), PROOF)).status).toBe(200);
  });

  test.for([
    [{ proof_type: 'CALLED' }, 'proof_type'],
    [{ proof_type: undefined }, 'proof_type'],
    [{ proof_document_url: 'ftp://docs.example.com/x' }, 'proof_document_url'],
    [{ proof_document_url: 'docs.example.com/x' }, 'proof_document_url'],
    [{ proof_document_url: 'javascript:alert(1)' }, 'proof_document_url'],
    [{ proof_document_url: 'https://user:word@docs.example.com/x' }, 'proof_document_url'],
    [{ proof_document_url: 'https://docs.example.com/a b' }, 'proof_document_url'],
    [{ proof_document_url: 'https://docs.example.com/a\u0000b' }, 'proof_document_url'],
    [{ proof_document_url: 'https://docs.example.com/a\ud800b' }, 'proof_document_url'],
    [{ proof_document_url: 'https://docs.example.com/\u202efdp.exe' }, 'proof_document_url'],
    [{ proof_document_url: `https://docs.example.com/${'x'.repeat(2_048)}` }, 'proof_document_url'],
    [{ proof_document_url: undefined }, 'proof_document_url'],
    [{ notes: 7 }, 'notes'],
  ] as const)('400: %o names %s', async ([change, field]) => {
    const owner = await agency(api());
    const answer = await owner.post(proofPath(await registered(owner)), { ...PROOF, ...change });
    expect(answer.status).toBe(400);
    expect(answer.json().detail).toContain(field);
  });

  test('404: of another agency, or unknown', async () => {
    const [owner, other] = [await agency(api()), await agency(api())];
    const deal = await registered(owner);
    expect((await other.post(proofPath(deal), PROOF)).status).toBe(404);
    expect((await owner.post(proofPath({ id: uuidv7() }), PROOF)).status).toBe(404);
  });

  test('409 PROOF_DEADLINE_PASSED: a late proof, the first or a later one', async () => {
    const owner = await agency(api());
    const deals = [await registered(owner), await proven(owner)];
    api().setClock(new Date(Date.parse(deals[0]!.proof_due_at) + 1).toISOString());
    for (const deal of deals) {
      const answer = await owner.post(proofPath(deal), PROOF);
      expect(answer.status).toBe(409);
      expect(answer.json()).toEqual({ detail: 'PROOF_DEADLINE_PASSED' });
    }
  });

  test('409: for a closed deal', async () => {
    const admin = await api().admin();
    const owner = await agency(api());
    const [toWin, toLose, toWithdraw] = [
      await proven(owner),
      await proven(owner),
      await proven(owner),
    ];
    await won(admin, toWin);
    await lost(admin, toLose);
    await owner.mutate('dealWithdraw', '', { id: dealNode(toWithdraw) });
    for (const [deal, status] of [
      [toWin, 'WON'],
      [toLose, 'LOST'],
      [toWithdraw, 'WITHDRAWN'],
    ] as const) {
      const answer = await owner.post(proofPath(deal), PROOF);
      expect(answer.status).toBe(409);
      expect(answer.json()).toEqual({
        detail: `The deal is ${status}; it no longer accepts proof.`,
      });
    }
  });
});

describe('the end of a deal', () => {
  test('is WON or LOST only after a proof, set by an admin; a repeat changes nothing', async () => {
    const admin = await api().admin();
    const owner = await agency(api());
    const [open, shown] = [await registered(owner), await proven(owner)];
    const win = (deal: { id: string }, actualDealValue: string) =>
      admin.mutate('dealWin', 'deal { status actualDealValue { amount currencyCode } }', {
        id: dealNode(deal),
        input: { actualDealValue },
      });
    expect((await win(open, '1')).userErrors).toEqual([
      {
        code: 'DEAL_STATUS',
        field: ['id'],
        message:
          'The deal is REGISTERED; only a deal with the status PROOF_SUBMITTED can be won or lost.',
      },
    ]);
    const result = {
      deal: { status: 'WON', actualDealValue: { amount: '1204.50', currencyCode: 'INR' } },
      userErrors: [],
    };
    expect(await win(shown, '1204.5')).toEqual(result);
    expect(await win(shown, '1204.50')).toEqual(result);
    expect((await win(shown, '7')).userErrors).toMatchObject([{ code: 'DEAL_STATUS' }]);
    const [row] = await api().sql(
      `SELECT count(*)::int AS entries FROM audit_log WHERE subject_id = $1 AND action = 'agency_deal.win'`,
      [shown.id],
    );
    expect(row).toEqual({ entries: 1 });
  });

  test('cannot be set after the deadline', async () => {
    const admin = await api().admin();
    const owner = await agency(api());
    const deal = await proven(owner);
    api().setClock(deal.locked_until);
    for (const [name, input] of [
      ['dealWin', { actualDealValue: '1' }],
      ['dealLose', { reason: 'Late.' }],
    ] as const) {
      const { userErrors } = await admin.mutate(name, '', { id: dealNode(deal), input });
      expect(userErrors).toMatchObject([{ code: 'DEAL_STATUS' }]);
    }
    const { userErrors } = await owner.mutate('dealWithdraw', '', { id: dealNode(deal) });
    expect(userErrors).toMatchObject([{ code: 'DEAL_STATUS' }]);
  });

  test('cannot be set by the agency, neither over the API nor in the database', async () => {
    const owner = await agency(api());
    const deal = await proven(owner);
    for (const change of [
      `UPDATE agency_deals SET status = 'LOST', is_exclusive = false, closed_at = now()`,
      `UPDATE agency_deals SET actual_value_minor = 1`,
      `UPDATE agency_deals SET locked_until = now() + interval '10 years'`,
      `INSERT INTO agency_profiles SELECT * FROM agency_profiles`,
      `UPDATE partner_profiles SET partner_status = 'USER'`,
      `UPDATE affiliate_profiles SET kyc_status = 'KYC_APPROVED'`,
      `INSERT INTO affiliate_profiles (organization_id, kyc_status) VALUES ('${owner.organizationId}', 'KYC_APPROVED')`,
      `INSERT INTO affiliate_profiles (organization_id, has_gst) VALUES ('${owner.organizationId}', true)`,
      'INSERT INTO tax_certificates SELECT * FROM tax_certificates',
    ]) {
      const attempt = api().deps.database.asTenant(owner.organizationId, async em => {
        if (change.includes('kyc_status = '))
          await em.execute('INSERT INTO affiliate_profiles (organization_id) VALUES (?)', [
            owner.organizationId,
          ]);
        await em.execute(change);
      });
      await expect(attempt, change).rejects.toThrow(/row-level security|permission denied/);
    }
    const document = `mutation ($id: ID!) { dealWin(id: $id, input: {actualDealValue: "1"}) { deal { id } } }`;
    await expect(owner.graph(document, { id: dealNode(deal) })).rejects.toThrow('FORBIDDEN');
  });
});
