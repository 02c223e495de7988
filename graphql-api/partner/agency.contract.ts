import { z } from 'zod';
import { MISSING, requiredText, text } from '../../schema/values/text.ts';
import { amountDecimal, amountNumber } from '../platform/amount.contract.ts';
import { time } from '../platform/rest/time.contract.ts';
import { registrableDomain } from './prospect-domain.ts';

const NAME_CHARACTERS_MAX = 200;
const DOMAIN_CHARACTERS_MAX = 2_048;
const NOTES_CHARACTERS_MAX = 5_000;
/** The limit of an email address, by RFC 5321. */
const EMAIL_CHARACTERS_MAX = 254;
const URL_CHARACTERS_MAX = 2_048;
const REFERENCE_CHARACTERS_MAX = 200;
const REASON_CHARACTERS_MAX = 1_000;

/** Accepts a domain or the URL of a page, and reduces it to the registrable domain. */
const domain = z
  .string({ error: MISSING })
  .max(DOMAIN_CHARACTERS_MAX, {
    error: `must have at most ${DOMAIN_CHARACTERS_MAX} characters.`,
  })
  .transform((typed, context) => {
    const found = registrableDomain(typed);
    if (found !== undefined) return found;
    context.addIssue({ code: 'custom', message: 'must be a registrable domain.' });
    return z.NEVER;
  });

const name = z
  .string({ error: MISSING })
  .transform(typed => typed.trim())
  .pipe(requiredText(NAME_CHARACTERS_MAX));

const notes = text(NOTES_CHARACTERS_MAX).nullish();

const deal = {
  prospectCompanyName: name.meta({
    description: 'The prospect’s company name.',
    example: 'Acme',
  }),
  prospectDomain: domain.meta({
    description:
      'The domain of the prospect. Subdomains are removed, leaving the registrable domain.',
    example: 'acme.com',
  }),
  prospectContactEmail: z
    .email({ error: 'must be an email address.' })
    .max(EMAIL_CHARACTERS_MAX, {
      error: `must have at most ${EMAIL_CHARACTERS_MAX} characters.`,
    })
    .meta({
      description: 'The email address of your contact at the prospect.',
      example: 'buyer@acme.com',
    }),
  notes: notes.meta({ description: 'Your notes about the deal.', example: 'Met at a fair.' }),
};
const estimatedDealValue = {
  description: 'The estimated value of the deal, in the program’s currency.',
  example: 250000,
};

export const dealRegisterContract = z.strictObject({ ...deal, estimatedDealValue: amountDecimal });
export type DealRegister = z.output<typeof dealRegisterContract>;

export const dealRegisterBody = z
  .strictObject({
    prospect_company_name: deal.prospectCompanyName,
    prospect_domain: deal.prospectDomain,
    prospect_contact_email: deal.prospectContactEmail,
    estimated_deal_value: amountNumber.meta(estimatedDealValue),
    notes: deal.notes,
  })
  .meta({ id: 'DealRegister' });

const PROOF_TYPES = ['DEMO_SCHEDULED', 'PROPOSAL_SENT', 'CONTRACT_SIGNED'] as const;
export type ProofType = (typeof PROOF_TYPES)[number];

/** The service never fetches the URL; people open it. */
const documentUrl = z
  .string({ error: MISSING })
  .max(URL_CHARACTERS_MAX, { error: `must have at most ${URL_CHARACTERS_MAX} characters.` })
  .refine(isPlainHttp, { error: 'must be an http or https URL without a user name or password.' });

const proof = {
  proofType: z
    .enum(PROOF_TYPES, { error: `must be one of ${PROOF_TYPES.join(', ')}.` })
    .meta({ description: 'The kind of progress that the proof shows.', example: 'PROPOSAL_SENT' }),
  proofDocumentUrl: documentUrl.meta({
    description: 'The http or https URL of the proof document. The service does not fetch it.',
    example: 'https://docs.example.com/proposal.pdf',
  }),
  notes: notes.meta({ description: 'Your notes about the proof.', example: 'Sent to the buyer.' }),
};

export const dealSubmitProofContract = z.strictObject({ id: z.uuid(), ...proof });
export type DealSubmitProof = z.output<typeof dealSubmitProofContract>;

export const dealProofBody = z
  .strictObject({
    proof_type: proof.proofType,
    proof_document_url: proof.proofDocumentUrl,
    notes: proof.notes,
  })
  .meta({ id: 'DealProof' });

export const dealWithdrawContract = z.strictObject({ id: z.uuid() });
export type DealWithdraw = z.output<typeof dealWithdrawContract>;

export const dealWinContract = z.strictObject({ id: z.uuid(), actualDealValue: amountDecimal });
export type DealWin = z.output<typeof dealWinContract>;

export const dealLoseContract = z.strictObject({
  id: z.uuid(),
  reason: requiredText(REASON_CHARACTERS_MAX),
});
export type DealLose = z.output<typeof dealLoseContract>;

/** Omitted fields are unchanged; null clears a field. */
export const agencyAppointContract = z.strictObject({
  id: z.uuid(),
  domain: domain.nullish(),
  agreementSignedAt: z.date().nullish(),
  agreementReference: requiredText(REFERENCE_CHARACTERS_MAX).nullish(),
});
export type AgencyAppoint = z.output<typeof agencyAppointContract>;

const money = z.number().meta({ example: 250000 });

export const DEAL_STATUSES = [
  'REGISTERED',
  'PROOF_SUBMITTED',
  'WON',
  'LOST',
  'EXPIRED',
  'WITHDRAWN',
] as const;
export type DealStatus = (typeof DEAL_STATUSES)[number];

export const dealResource = z
  .object({
    id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
    prospect_company_name: z.string().meta({ example: 'Acme' }),
    prospect_domain: z
      .string()
      .meta({ description: 'The registrable domain of the prospect.', example: 'acme.com' }),
    prospect_contact_email: z.string().meta({ example: 'buyer@acme.com' }),
    estimated_deal_value: money,
    actual_deal_value: money.nullable().meta({
      description: 'The value of the deal when it was won; null if it was not won.',
      example: null,
    }),
    currency: z.string().meta({ example: 'INR' }),
    notes: z.string().meta({ example: 'Met at a fair.' }),
    status: z.enum(DEAL_STATUSES).meta({ example: 'REGISTERED' }),
    status_reason: z.string().nullable().meta({
      description:
        'Why the deal expired (`PROOF_NOT_SUBMITTED` or `EXCLUSIVITY_ENDED`) or was lost; null otherwise.',
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
        DealStatus,
        typeof count
      >,
    ),
    pipeline: z.object({
      estimated_value: money.meta({
        description: 'The total estimated value of all open deals.',
      }),
      actual_value: money.meta({ description: 'The total actual value of all won deals.' }),
    }),
    win_rate: z.number().min(0).max(1).meta({
      description:
        'The win rate: won deals ÷ (won deals + lost deals); 0 if no deal has been won or lost.',
      example: 0.6667,
    }),
    recent_deals: z
      .array(dealResource)
      .meta({ description: 'The 20 most recent deals, newest first.' }),
  })
  .meta({ id: 'AgencyDashboard' });
export type AgencyDashboardResource = z.output<typeof agencyDashboardResource>;

/** Rejects invisible characters, bidirectional overrides and characters that cannot be stored. */
const HTTP = /^https?:\/\/[^\s\\\p{Cc}\p{Cf}\p{Cs}]+$/u;

/** Reviewers of the proof would see a password in the URL. */
function isPlainHttp(address: string): boolean {
  if (!HTTP.test(address) || !URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  return username === '' && password === '';
}
