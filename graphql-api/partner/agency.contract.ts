import { z } from 'zod';
import { MISSING, requiredText, text } from '../../schema/values/text.ts';
import { amountDecimal, amountNumber } from '../platform/amount.contract.ts';
import { registrableDomain } from './prospect-domain.ts';

const NAME_CHARACTERS_MAX = 200;
const DOMAIN_CHARACTERS_MAX = 2_048;
const NOTES_CHARACTERS_MAX = 5_000;
/** Of an address of a mailbox, by its RFC. */
const EMAIL_CHARACTERS_MAX = 254;
const URL_CHARACTERS_MAX = 2_048;
const REFERENCE_CHARACTERS_MAX = 200;
const REASON_CHARACTERS_MAX = 1_000;

/** As typed, also the address of a page; becomes the domain that somebody could have registered. */
const domain = z
  .string({ error: MISSING })
  .max(DOMAIN_CHARACTERS_MAX, { error: 'is too long.' })
  .transform((typed, context) => {
    const found = registrableDomain(typed);
    if (found !== undefined) return found;
    context.addIssue({ code: 'custom', message: 'is no domain that somebody can register.' });
    return z.NEVER;
  });

const name = z
  .string({ error: MISSING })
  .transform(typed => typed.trim())
  .pipe(requiredText(NAME_CHARACTERS_MAX));

const notes = text(NOTES_CHARACTERS_MAX).nullish();

const deal = {
  prospectCompanyName: name.meta({ description: 'Who may buy.', example: 'Acme' }),
  prospectDomain: domain.meta({
    description: 'Their domain; what counts is the registrable one.',
    example: 'acme.com',
  }),
  prospectContactEmail: z
    .email({ error: 'is no e-mail address.' })
    .max(EMAIL_CHARACTERS_MAX, { error: 'is too long.' })
    .meta({ description: 'Whom you know there.', example: 'buyer@acme.com' }),
  notes: notes.meta({ description: 'For yourself.', example: 'Met at a fair.' }),
};
const estimatedDealValue = {
  description: 'What you expect, in the program’s currency.',
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

export const PROOF_TYPES = ['DEMO_SCHEDULED', 'PROPOSAL_SENT', 'CONTRACT_SIGNED'] as const;

/** Never fetched: it is for people to open. */
const documentUrl = z
  .string({ error: MISSING })
  .max(URL_CHARACTERS_MAX, { error: 'is too long.' })
  .refine(isPlainHttp, { error: 'must be an http or https address without a user name.' });

const proof = {
  proofType: z
    .enum(PROOF_TYPES, { error: `must be one of ${PROOF_TYPES.join(', ')}.` })
    .meta({ description: 'What it proves.', example: 'PROPOSAL_SENT' }),
  proofDocumentUrl: documentUrl.meta({
    description: 'Where the document is: an http or https address. It is never fetched.',
    example: 'https://docs.example.com/proposal.pdf',
  }),
  notes: notes.meta({ description: 'What to know about it.', example: 'Sent to the buyer.' }),
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

/** What is left out stays as it is; null removes it. */
export const agencyAppointContract = z.strictObject({
  id: z.uuid(),
  domain: domain.nullish(),
  agreementSignedAt: z.date().nullish(),
  agreementReference: requiredText(REFERENCE_CHARACTERS_MAX).nullish(),
});
export type AgencyAppoint = z.output<typeof agencyAppointContract>;

/** Nothing that is not seen, turns what follows around, or cannot be stored. */
const HTTP = /^https?:\/\/[^\s\\\p{Cc}\p{Cf}\p{Cs}]+$/u;

/** A password in an address would be shown to whoever reviews the proof. */
function isPlainHttp(address: string): boolean {
  if (!HTTP.test(address) || !URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  return username === '' && password === '';
}
