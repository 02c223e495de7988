// Entries of the audit log in words. Actions are `subject.verb`; the API adds new ones, which are
// shown as plain words.

import { inPlainWords } from '../../../pieces/in-words.ts';
import type { Entry } from './audit-query.ts';

/** The types that an owner's own organization has, for the filter. */
export const SUBJECTS: Readonly<Record<string, string>> = {
  analyst_login: 'analyst login',
  campaign: 'campaign',
  contact: 'contact',
  agency_deal: 'deal',
  enrolment: 'enrolment',
  event_export: 'event export',
  gateway_credentials: 'payment gateway credentials',
  journey: 'journey',
  kyc_submission: 'KYC submission',
  organization: 'organization',
  payout: 'payout',
  person_erasure: 'erasure of a person',
  person_export: 'export of a person',
  property: 'property',
  rejected_events_replay: 'replay of rejected events',
  retention_rule: 'retention rule',
  sdk_key: 'SDK key',
  segment: 'segment',
  subject: 'user access',
  template: 'template',
  template_version: 'template version',
  webhook_delivery: 'webhook delivery',
  webhook_endpoint: 'webhook endpoint',
  workspace: 'workspace',
};

const VERBS: Readonly<Record<string, string>> = {
  activate: 'activated',
  archive: 'archived',
  cancel: 'canceled',
  close: 'closed',
  create: 'created',
  delete: 'deleted',
  disable: 'disabled',
  duplicate: 'duplicated',
  edit: 'changed',
  enable: 'enabled',
  enrol: 'enrolment',
  exit: 'ended',
  launch: 'launched',
  override: 'version overridden',
  override_remove: 'override removed',
  pause: 'paused',
  redeem: 'redeemed',
  register: 'registered',
  remove: 'removed',
  rename: 'renamed',
  replay: 'resent',
  request: 'requested',
  restore: 'restored',
  resume: 'resumed',
  revoke: 'revoked',
  rollout_force: 'forced rollout',
  rotate: 'rotated',
  rotate_secret: 'secret rotated',
  set: 'set',
  submit: 'submitted',
  suppress: 'suppressed',
  test: 'tested',
  unsuppress: 'unsuppressed',
  update: 'changed',
  withdraw: 'withdrawn',
};

/** Actions that are not about the object that they name. */
const ACTIONS: Readonly<Record<string, string>> = {
  'consent.set': 'Consent recorded',
  'credits.convert': 'Credits converted to cash',
  'credits.redeem': 'Credits redeemed',
  'journey.enrol': 'Contact enrolled in a journey',
  'person_export.create': 'Export of a person created',
  'privacy.settings': 'Privacy settings changed',
  'rejected_events.replay': 'Rejected events resent',
  'template_approval.settings': 'Approval deadlines changed',
};

/** For example “SDK key rotated”. */
export function actionInWords(action: string): string {
  const known = ACTIONS[action];
  if (known !== undefined) return known;
  const [subject = '', verb = ''] = action.split('.');
  const noun = SUBJECTS[subject] ?? subject.replaceAll('_', ' ');
  const said = VERBS[verb] ?? verb.replaceAll('_', ' ');
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${said}`;
}

/** The name of the changed object, if the entry has one. */
export function nameOf({ before, after }: Entry): string | undefined {
  for (const values of [after, before]) {
    const { name, url } = recordOf(values);
    const found = name ?? url;
    if (typeof found === 'string' && found !== '') return found;
  }
  return undefined;
}

export type Change = { readonly name: string; readonly before: string; readonly after: string };

/** The values that differ, by name. */
export function changesOf({ before, after }: Entry): Change[] {
  const [old, current] = [recordOf(before), recordOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(current)])];
  return names
    .map(name => ({
      name: inFieldWords(name),
      before: inText(old[name]),
      after: inText(current[name]),
    }))
    .filter(change => change.before !== change.after);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
}

/** Null and missing values are both shown as empty. */
function inText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every(one => typeof one === 'string')) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `minuteCap` as “Minute cap”. */
function inFieldWords(name: string): string {
  return inPlainWords(name.replaceAll(/([a-z])([A-Z])/g, '$1_$2'));
}
