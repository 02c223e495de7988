import type { EntityType } from './identity-query.ts';

export const ENTITY_TYPES: Record<EntityType, string> = {
  INDIVIDUAL: 'Individual',
  PROPRIETORSHIP: 'Sole proprietorship',
  HUF: 'Hindu undivided family',
  PARTNERSHIP: 'Partnership firm',
  LLP: 'Limited liability partnership',
  PRIVATE_LIMITED: 'Private limited company',
  PUBLIC_LIMITED: 'Public limited company',
  ONE_PERSON_COMPANY: 'One person company',
  SECTION_8_COMPANY: 'Section 8 (non-profit) company',
  TRUST: 'Trust',
  SOCIETY: 'Registered society',
  ASSOCIATION: 'Association of persons',
  BODY_OF_INDIVIDUALS: 'Body of individuals',
  LOCAL_AUTHORITY: 'Local authority',
  GOVERNMENT: 'Government body',
  ARTIFICIAL_JURIDICAL_PERSON: 'Other artificial juridical person',
};

export const ENTITY_OPTIONS = Object.entries(ENTITY_TYPES).map(([value, label]) => ({
  value,
  label,
}));
