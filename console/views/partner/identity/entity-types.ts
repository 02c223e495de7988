import type { EntityType } from './identity-query.ts';

export const ENTITY_TYPES: Record<EntityType, string> = {
  INDIVIDUAL: 'A person',
  PROPRIETORSHIP: 'A business of one person',
  HUF: 'A Hindu undivided family',
  PARTNERSHIP: 'A partnership firm',
  LLP: 'A limited liability partnership',
  PRIVATE_LIMITED: 'A private limited company',
  PUBLIC_LIMITED: 'A public limited company',
  ONE_PERSON_COMPANY: 'A company of one person',
  SECTION_8_COMPANY: 'A company for charity',
  TRUST: 'A trust',
  SOCIETY: 'A registered society',
  ASSOCIATION: 'An association of persons',
  BODY_OF_INDIVIDUALS: 'A body of individuals',
  LOCAL_AUTHORITY: 'A local authority',
  GOVERNMENT: 'A part of the government',
  ARTIFICIAL_JURIDICAL_PERSON: 'Another juridical person',
};

export const ENTITY_OPTIONS = Object.entries(ENTITY_TYPES).map(([value, label]) => ({
  value,
  label,
}));
