// A workspace with a history of templates: versions in each state, people in flight on three of
// them, and findings. It is created with the API's own actions, with the clock set to the days of
// the history.

import { contactUpsert } from '../../graphql-api/contacts/contact.upsert.ts';
import { journeyEnrol } from '../../graphql-api/journeys/enrolment.actions.ts';
import { journeyActivate, journeyCreate } from '../../graphql-api/journeys/journey.actions.ts';
import type { TemplateVersionCreate } from '../../graphql-api/templates/template.contract.ts';
import { templateCreate } from '../../graphql-api/templates/template.create.ts';
import { templateVersionRestore } from '../../graphql-api/templates/version.actions.ts';
import { templateVersionCreate } from '../../graphql-api/templates/version.create.ts';
import { templateVersionSubmit } from '../../graphql-api/templates/version.submit.ts';
import type { TestDeps } from '../graphql-api/harness/deps.ts';
import { type TemplateActions, templateActions } from '../graphql-api/harness/template-actions.ts';
import { createTenant, type Tenant } from '../harness/tenant.ts';

const DAY_SECONDS = 86_400;

export type TemplatesScene = TemplateActions & {
  readonly tenant: Tenant;
  /** The template `Order on its way`, with three channels and six versions of an email. */
  readonly templateId: string;
};

type Text = Omit<TemplateVersionCreate, 'id'>;

const EMAIL = {
  channel: 'email',
  language: 'en',
  category: 'transactional',
  header: { type: 'text', text: 'Your order {{order_id}} is on its way' },
  preheader: 'It arrives within three days.',
  plainText: 'Hello {{first_name}}, your order {{order_id}} is on its way.',
} as const;

const BODIES = {
  first:
    '<h1>Good news</h1><p>Hello {{first_name}},</p><p>your order {{order_id}} has left us.</p>',
  second:
    '<h1>On its way</h1><p>Hello {{first_name}},</p><p>your order {{order_id}} is on its way and arrives within three days.</p><p><a href="https://shop.example/track/{{order_id}}">Track it</a></p>',
  rejected:
    '<h1>On its way</h1><p>Hello {{first_name}}, order {{order_id}} is coming. Only today: 20 % off!</p>',
  third:
    '<h1>On its way</h1><p>Hello {{first_name}},</p><p>your order {{order_id}} arrives on {{delivery_day}}, before noon.</p><p><a href="https://shop.example/track/{{order_id}}">Track it</a></p>',
  draft:
    '<h1>On its way</h1><p>Hello {{first_name}},</p><p>your order {{order_id}} arrives on {{delivery_day}}, before noon, and {{gift}} with it.</p><p><a href="http://shop.example/track/{{order_id}}">Track it</a></p>',
};

const APP: Text = {
  channel: 'messaging_app',
  language: 'en',
  category: 'marketing',
  header: { type: 'text', text: 'Order {{order_id}}' },
  footer: 'Demo Shop',
  buttons: [
    { type: 'url', text: 'Track it', url: 'https://shop.example/track/{{order_id}}' },
    { type: 'quick_reply', text: 'Not at home' },
  ],
  body: 'Hello *{{first_name}}*, your order {{order_id}} is on its way to you.',
};

const SMS: Text = {
  channel: 'sms',
  language: 'en',
  category: 'service_implicit',
  header: { type: 'text', text: 'DEMOSH' },
  footer: null,
  buttons: null,
  body: 'Hello {{first_name}}, your Demo Shop order {{order_id}} is on its way. Track it in the app – or write to us, we’re there for you every day from nine to five.',
};

export async function tellTemplates(deps: TestDeps): Promise<TemplatesScene> {
  const tenant = await createTenant();
  const actions = templateActions(
    () => deps,
    () => tenant,
  );
  const { act, judge } = actions;
  const nowMs = Date.now();
  const goTo = (daysAgo: number) => deps.clock.setMs(nowMs - daysAgo * DAY_SECONDS * 1_000);
  goTo(40);
  const { id } = await act(templateCreate, {
    name: 'Order on its way',
    description: 'After dispatch, in all three channels.',
  });
  const submitted = async (daysAgo: number, text: Text) => {
    goTo(daysAgo);
    const made = await act(templateVersionCreate, { ...text, id });
    return act(templateVersionSubmit, { id: made.id });
  };
  const approved = async (daysAgo: number, text: Text) => {
    const { id: versionId, submissionId } = await submitted(daysAgo, text);
    await judge({ submissionId, verdict: 'APPROVED' });
    return versionId;
  };
  const first = await approved(38, { ...EMAIL, body: BODIES.first });
  const journeyId = await journeyWith(actions, id);
  await enrol(actions, journeyId, ['asha', 'ravi']);
  await approved(25, { body: BODIES.second, channel: 'email', note: 'With a link to track it' });
  await enrol(actions, journeyId, ['meera']);
  const { submissionId } = await submitted(20, { body: BODIES.rejected, channel: 'email' });
  await judge({ submissionId, verdict: 'REJECTED', reason: 'A discount is not transactional.' });
  goTo(16);
  await act(templateVersionRestore, { id: first, note: 'Shorter again?' });
  await approved(8, { body: BODIES.third, channel: 'email', note: 'Says which day' });
  await enrol(actions, journeyId, ['john', 'sara', 'uma']);
  goTo(1);
  await act(templateVersionCreate, { id, channel: 'email', body: BODIES.draft });
  await approved(30, SMS);
  await submitted(2, APP);
  deps.clock.setMs(undefined);
  return { ...actions, tenant, templateId: id };
}

async function journeyWith({ act }: TemplateActions, templateId: string): Promise<string> {
  const { id } = await act(journeyCreate, {
    name: 'After dispatch',
    nodes: [
      { id: 'letter', kind: 'send', templateId, channel: 'email', language: 'en', next: 'wait' },
      { id: 'wait', kind: 'wait', seconds: 300 * DAY_SECONDS, next: 'again' },
      { id: 'again', kind: 'send', templateId, channel: 'email', language: 'en', next: 'end' },
      { id: 'end', kind: 'end' },
    ],
  });
  await act(journeyActivate, { id, version: 1 });
  return id;
}

async function enrol({ act }: TemplateActions, id: string, userIds: string[]): Promise<void> {
  for (const userId of userIds)
    await act(contactUpsert, { userId, traits: { first_name: userId, order_id: 'A1024' } });
  await act(journeyEnrol, { id, userIds });
}
