/**
 * The legal forms of an affiliate, and the kinds of taxpayer that each can be, which is the fourth
 * character of the PAN. To support another form, add a row.
 */
export const ENTITY_TYPES = {
  INDIVIDUAL: { title: 'An individual.', panLetters: 'P' },
  PROPRIETORSHIP: { title: 'A sole proprietorship.', panLetters: 'P' },
  HUF: { title: 'A Hindu undivided family.', panLetters: 'H' },
  PARTNERSHIP: { title: 'A partnership firm.', panLetters: 'F' },
  LLP: { title: 'A limited liability partnership.', panLetters: 'F' },
  PRIVATE_LIMITED: { title: 'A private limited company.', panLetters: 'C' },
  PUBLIC_LIMITED: { title: 'A public limited company.', panLetters: 'C' },
  ONE_PERSON_COMPANY: { title: 'A one-person company.', panLetters: 'C' },
  SECTION_8_COMPANY: {
    title: 'A charitable company under section 8 of the Companies Act.',
    panLetters: 'C',
  },
  TRUST: { title: 'A trust.', panLetters: 'T' },
  SOCIETY: { title: 'A registered society.', panLetters: 'AT' },
  ASSOCIATION: { title: 'An association of persons.', panLetters: 'A' },
  BODY_OF_INDIVIDUALS: { title: 'A body of individuals.', panLetters: 'B' },
  LOCAL_AUTHORITY: { title: 'A local authority.', panLetters: 'L' },
  GOVERNMENT: { title: 'A government body.', panLetters: 'G' },
  ARTIFICIAL_JURIDICAL_PERSON: {
    title: 'An artificial juridical person that no other value covers.',
    panLetters: 'J',
  },
} as const satisfies Record<string, { title: string; panLetters: string }>;

export type EntityType = keyof typeof ENTITY_TYPES;

export const ENTITY_TYPE_NAMES = Object.keys(ENTITY_TYPES) as [EntityType, ...EntityType[]];

/** Expects a well-formed PAN. */
export function isPanOf(entityType: EntityType, pan: string): boolean {
  return ENTITY_TYPES[entityType].panLetters.includes(pan[3]!);
}
