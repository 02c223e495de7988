import { z } from '@hono/zod-openapi';
import { notFound } from '../platform/rejected.ts';
import type { RestApp } from '../platform/rest/rest-app.ts';
import { changeRoute, showRoute } from '../platform/rest/routes.ts';
import { type ConsentResource, consentResource, consentSetBody } from './consent.contract.ts';
import type { Consent } from './consent.entity.ts';
import { consentSet } from './consent.set.ts';
import { type ContactResource, contactResource } from './contact.contract.ts';
import type { Contact } from './contact.entity.ts';
import { type ContactTraits, contacts, traitsByContacts } from './contact.reads.ts';
import { consentsByContacts } from './contact-details.reads.ts';

const PATH = '/api/v1/contacts/{contact_id}';
const common = { tag: 'Contacts', isInWorkspace: true } as const;
const params = z.object({
  contact_id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
});

export function contactRoutes(app: RestApp): void {
  showRoute(app, {
    ...common,
    path: PATH,
    operationId: 'getContact',
    summary: 'Retrieve a contact and its consents',
    description:
      'Returns the contact’s traits, the time at which the contact was suppressed, and the consent for each purpose.',
    params,
    result: ['The contact.', { contact: contactResource, consents: z.array(consentResource) }],
    show: async ({ contact_id: id }, context) => {
      const [contact] = await contacts.byIds(context, [id]);
      if (contact === undefined) return notFound('contact');
      const [traits] = await traitsByContacts(context, [id]);
      const [recorded] = await consentsByContacts(context, [id]);
      return {
        contact: contactAnswer(contact, traits),
        consents: (recorded?.items ?? []).map(consentAnswer),
      };
    },
  });

  changeRoute(app, {
    ...common,
    path: `${PATH}/consents`,
    operationId: 'setConsent',
    summary: 'Record a contact’s consent for a purpose',
    description:
      'The latest consent for a purpose takes effect with the next request from each of the contact’s devices. Owners only.',
    params,
    body: consentSetBody,
    result: ['The consent.', { consent: consentResource }],
    statuses: [404],
    operation: 'consentSet',
    action: consentSet,
    input: ({ contact_id: id, ...consent }) => ({ id, ...consent }),
    show: async ({ id, purpose }, context) => {
      const [recorded] = await consentsByContacts(context, [id]);
      return { consent: consentAnswer(recorded!.items.find(one => one.purpose === purpose)!) };
    },
  });
}

function contactAnswer(contact: Contact, traits: ContactTraits | undefined): ContactResource {
  return {
    id: contact.id,
    user_id: contact.userId,
    anonymous_id: contact.anonymousId ?? null,
    traits: traits?.traits ?? null,
    suppressed_at: contact.suppressedAt?.toISOString() ?? null,
    created_at: contact.createdAt.toISOString(),
    updated_at: contact.updatedAt.toISOString(),
  };
}

function consentAnswer(consent: Consent): ConsentResource {
  return {
    purpose: consent.purpose,
    status: consent.status,
    source: consent.source,
    version: consent.version,
    recorded_at: consent.recordedAt.toISOString(),
  };
}
