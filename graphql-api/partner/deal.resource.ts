import { z } from 'zod';
import { PROOF_TYPES } from './agency.contract.ts';

const time = z.iso.datetime().meta({ example: '2026-11-21T09:30:00.000Z' });
const money = z.number().meta({ example: 250000 });

export const DEAL_STATUSES = [
  'REGISTERED',
  'PROOF_SUBMITTED',
  'WON',
  'LOST',
  'EXPIRED',
  'WITHDRAWN',
] as const;

export const dealResource = z
  .object({
    id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
    prospect_company_name: z.string().meta({ example: 'Acme' }),
    prospect_domain: z
      .string()
      .meta({ description: 'The registrable domain of the prospect.', example: 'acme.com' }),
    prospect_contact_email: z.string().meta({ example: 'buyer@acme.com' }),
    estimated_deal_value: money,
    actual_deal_value: money
      .nullable()
      .meta({ description: 'The value of the won deal; null unless it is won.', example: null }),
    currency: z.string().meta({ example: 'INR' }),
    notes: z.string().meta({ example: 'Met at a fair.' }),
    status: z.enum(DEAL_STATUSES).meta({ example: 'REGISTERED' }),
    status_reason: z.string().nullable().meta({
      description:
        'Why it expired (`PROOF_NOT_SUBMITTED`, `EXCLUSIVITY_ENDED`) or was lost; null otherwise.',
      example: null,
    }),
    proof: z
      .object({
        proof_type: z.enum(PROOF_TYPES).meta({ example: 'PROPOSAL_SENT' }),
        proof_document_url: z.string().meta({ example: 'https://docs.example.com/proposal.pdf' }),
        notes: z.string().meta({ example: 'Sent to the buyer.' }),
        submitted_at: time,
      })
      .nullable()
      .meta({ description: 'The newest proof; null if none was submitted.' }),
    proof_due_at: time,
    locked_until: time,
    created_at: time,
    closed_at: time.nullable(),
  })
  .meta({ id: 'Deal' });
export type DealResource = z.output<typeof dealResource>;

const count = z.int().min(0).meta({ example: 3 });

export const agencyDashboardResource = z
  .object({
    deal_counts: z.object(
      Object.fromEntries(DEAL_STATUSES.map(status => [status, count])) as Record<
        (typeof DEAL_STATUSES)[number],
        typeof count
      >,
    ),
    pipeline: z.object({
      estimated_value: money.meta({
        description: 'The sum of the estimated values of all open deals.',
      }),
      actual_value: money.meta({ description: 'The sum of the actual values of all won deals.' }),
    }),
    win_rate: z.number().min(0).max(1).meta({
      description: 'Win rate: won deals divided by won and lost deals; 0 if there are none.',
      example: 0.6667,
    }),
    recent_deals: z
      .array(dealResource)
      .meta({ description: 'The 20 most recent deals, newest first.' }),
  })
  .meta({ id: 'AgencyDashboard' });
export type AgencyDashboardResource = z.output<typeof agencyDashboardResource>;
