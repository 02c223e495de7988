// Agencies of the clocked API, and their requests.

import { v7 as uuidv7 } from 'uuid';
import { expect } from 'vitest';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { type AgencyOptions, createAgency } from '../harness/partner.ts';
import type { Caller, ClockedApi } from './clocked-api.ts';

export const REGISTER = '/api/v1/agencies/deals/register';
export const DASHBOARD = '/api/v1/agencies/dashboard';

export type Deal = {
  readonly id: string;
  readonly status: string;
  readonly status_reason: string | null;
  readonly prospect_domain: string;
  readonly locked_until: string;
  readonly proof_due_at: string;
  readonly closed_at: string | null;
} & Readonly<Record<string, unknown>>;

export async function agency(api: ClockedApi, options: AgencyOptions = {}): Promise<Caller> {
  const owner = await api.owner();
  await createAgency(owner.organizationId, { ...options, query: api.sql });
  return owner;
}

/** A valid deal, with a domain that nobody has registered. */
export function dealBody(change: Readonly<Record<string, unknown>> = {}) {
  return {
    prospect_company_name: 'Acme',
    prospect_domain: freshDomain(),
    prospect_contact_email: 'buyer@acme.com',
    estimated_deal_value: 250_000,
    ...change,
  };
}

export function freshDomain(): string {
  return `acme-${uuidv7()}.com`;
}

export async function registered(
  owner: Caller,
  change: Readonly<Record<string, unknown>> = {},
): Promise<Deal> {
  const answer = await owner.post(REGISTER, dealBody(change));
  expect(answer.status, answer.text).toBe(201);
  return answer.json().deal as Deal;
}

export const PROOF = {
  proof_type: 'PROPOSAL_SENT',
  proof_document_url: 'https://docs.example.com/proposal.pdf',
} as const;

export function proofPath({ id }: Pick<Deal, 'id'>): string {
  return `/api/v1/agencies/deals/${id}/proof`;
}

/** Registers a deal and submits a proof. */
export async function proven(
  owner: Caller,
  change: Readonly<Record<string, unknown>> = {},
): Promise<Deal> {
  const answer = await owner.post(proofPath(await registered(owner, change)), PROOF);
  expect(answer.status, answer.text).toBe(200);
  return answer.json().deal as Deal;
}

export function dealNode({ id }: Pick<Deal, 'id'>): string {
  return encodeNodeId('AgencyDeal', id);
}

export async function won(admin: Caller, deal: Deal, value = '100000'): Promise<void> {
  const variables = { id: dealNode(deal), input: { actualDealValue: value } };
  const { userErrors } = await admin.mutate('dealWin', '', variables);
  expect(userErrors).toEqual([]);
}

export async function lost(admin: Caller, deal: Deal): Promise<void> {
  const variables = { id: dealNode(deal), input: { reason: 'Too dear.' } };
  const { userErrors } = await admin.mutate('dealLose', '', variables);
  expect(userErrors).toEqual([]);
}
