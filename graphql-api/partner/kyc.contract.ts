import { z } from 'zod';
import { MISSING, requiredText } from '../../schema/values/text.ts';
import { ENTITY_TYPE_NAMES, isPanOf } from './entity-types.ts';
import { isBankAccountNumber, isGstin, isIfsc, isPan, panInside } from './indian-ids.ts';

/** As banks and the tax office have them. */
const NAME_CHARACTERS_MAX = 120;
/** PAN cards are in Latin letters, and so are statements of tax. */
const PAN_NAME = /^[A-Za-z][A-Za-z0-9 .,&'()/-]*$/;

const PAN_EXAMPLE = 'AAAPA1234A';

/** Messages never repeat what was sent. */
function code(isValid: (text: string) => boolean, error: string) {
  return z
    .string({ error: MISSING })
    .transform(text => text.replaceAll(' ', '').toUpperCase())
    .refine(isValid, { error });
}

const trimmedName = z
  .string({ error: MISSING })
  .transform(text => text.trim().replaceAll(/\s+/g, ' '))
  .pipe(requiredText(NAME_CHARACTERS_MAX));

const fields = {
  fullName: trimmedName.meta({ description: 'Who it is.', example: 'Asha Rao' }),
  panNumber: code(isPan, `is no PAN, such as ${PAN_EXAMPLE}.`).nullish().meta({
    description: 'The tax identifier; without it more is deducted from payouts.',
    example: PAN_EXAMPLE,
  }),
  panName: trimmedName
    .refine(name => PAN_NAME.test(name), { error: 'must be in Latin letters, as on the card.' })
    .nullish()
    .meta({ description: 'The name on the PAN card; with panNumber only.', example: 'ASHA RAO' }),
  gstNumber: code(isGstin, 'is no GSTIN, or its check character is wrong.')
    .nullish()
    .meta({
      description: 'The tax registration number, whose PAN must be the one given.',
      example: `27${PAN_EXAMPLE}1ZT`,
    }),
  bankAccountNumber: z
    .string({ error: MISSING })
    .transform(text => text.replaceAll(' ', ''))
    .refine(isBankAccountNumber, { error: 'must have 9 to 18 digits.' })
    .meta({ description: 'Where payouts go.', example: '000123456789' }),
  bankIfsc: code(isIfsc, 'is no IFSC, such as HDFC0001234.').meta({
    description: 'The bank’s branch.',
    example: 'HDFC0001234',
  }),
  bankAccountHolderName: trimmedName.meta({
    description: 'As the bank knows them.',
    example: 'Asha Rao',
  }),
  entityType: z
    .enum(ENTITY_TYPE_NAMES, { error: `must be one of ${ENTITY_TYPE_NAMES.join(', ')}.` })
    .meta({ description: 'What kind of person or company it is.', example: 'INDIVIDUAL' }),
};

export const kycSubmitContract = z.strictObject(fields).check(faultsBetween(name => name));
export type KycSubmit = z.output<typeof kycSubmitContract>;

/** The same in REST's words. */
export const kycSubmitBody = z
  .strictObject({
    full_name: fields.fullName,
    pan_number: fields.panNumber,
    pan_name: fields.panName,
    gst_number: fields.gstNumber,
    bank_account_number: fields.bankAccountNumber,
    bank_ifsc: fields.bankIfsc,
    bank_account_holder_name: fields.bankAccountHolderName,
    entity_type: fields.entityType,
  })
  .check(faultsBetween(snakeCase))
  .meta({ id: 'KycSubmission' });

type Field = keyof typeof fields;
type Fault = readonly [Field, string];

/** What is wrong between fields, said beside what is wrong with each, so that all comes at once. */
function faultsBetween(nameOf: (field: Field) => string) {
  return z.core._check<Readonly<Record<string, unknown>>>(
    ({ value, issues }) => {
      const text = (field: Field) => {
        const sent = value[nameOf(field)];
        return typeof sent === 'string' ? sent : undefined;
      };
      for (const [field, message] of [...panFaults(text), ...entityFaults(text)])
        issues.push({ code: 'custom', path: [nameOf(field)], message, input: undefined });
    },
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );
}

function panFaults(text: (field: Field) => string | undefined): readonly Fault[] {
  const [pan, panName, gstin] = [text('panNumber'), text('panName'), text('gstNumber')];
  const faults: Fault[] = [];
  if (pan !== undefined && panName === undefined) faults.push(['panName', 'is missing.']);
  if (pan === undefined && panName !== undefined) faults.push(['panNumber', 'is missing.']);
  if (pan && gstin && isPan(pan) && isGstin(gstin) && panInside(gstin) !== pan)
    faults.push(['gstNumber', 'has another PAN inside.']);
  return faults;
}

function entityFaults(text: (field: Field) => string | undefined): readonly Fault[] {
  const [pan, gstin] = [text('panNumber'), text('gstNumber')];
  const entityType = ENTITY_TYPE_NAMES.find(name => name === text('entityType'));
  if (entityType === undefined) return [];
  if (pan !== undefined)
    return isPan(pan) && !isPanOf(entityType, pan)
      ? [['panNumber', 'is not the PAN of that entity type.']]
      : [];
  return gstin !== undefined && isGstin(gstin) && !isPanOf(entityType, panInside(gstin))
    ? [['gstNumber', 'is not the GSTIN of that entity type.']]
    : [];
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}
