import { builder } from '../platform/graph/builder.ts';
import { changedObject, type InputFields, mutation } from '../platform/graph/mutation.ts';
import { consentBulkSetContract, consentSetContract } from './consent.contract.ts';
import { consentBulkSet, consentSet } from './consent.set.ts';
import { contactIdContract, contactUpsertContract } from './contact.contract.ts';
import { ConsentStatusRef, ContactRef, contactById } from './contact.graph.ts';
import { contactSuppress, contactUnsuppress } from './contact.suppress.ts';
import { contactUpsert } from './contact.upsert.ts';

const shown = (description: string) =>
  changedObject('contact', ContactRef, contactById, description);

mutation({
  name: 'contactUpsert',
  description:
    'Creates or updates a contact. Traits in the input replace traits with the same name; other traits are unchanged.',
  access: 'owner',
  input: t => ({
    userId: t.string({ required: true, description: 'The application’s user ID.' }),
    anonymousId: t.string({
      description: 'The anonymous ID that the person had before being identified.',
    }),
    traits: t.field({
      type: 'JSON',
      description: 'The traits to set: a JSON object of at most 65,536 bytes.',
    }),
    removeTraits: t.stringList({ description: 'The names of traits to remove.' }),
  }),
  contract: contactUpsertContract,
  codes: ['TRAITS_TOO_LARGE'],
  action: contactUpsert,
  payload: shown('The created or updated contact.'),
});

mutation({
  name: 'contactSuppress',
  description:
    'Suppresses a contact. The contact then receives no journey messages and no promotional in-app content, regardless of consent.',
  access: 'owner',
  target: ContactRef,
  contract: contactIdContract,
  codes: ['NOT_FOUND'],
  action: contactSuppress,
  payload: shown('The suppressed contact.'),
});

mutation({
  name: 'contactUnsuppress',
  description: 'Ends the suppression of a contact. The contact’s earlier consents apply again.',
  access: 'owner',
  target: ContactRef,
  contract: contactIdContract,
  codes: ['NOT_FOUND'],
  action: contactUnsuppress,
  payload: shown('The contact, who is no longer suppressed.'),
});

const consentInput = (t: InputFields) => ({
  purpose: t.string({
    required: true,
    description: 'The purpose: a lowercase word such as `marketing`.',
  }),
  status: t.field({
    type: ConsentStatusRef,
    required: true,
    description: 'The consent status.',
  }),
  source: t.string({
    description: 'Where the consent was collected, such as `preference center`.',
  }),
});

mutation({
  name: 'consentSet',
  description:
    'Records a contact’s consent for a purpose. Repeating the call with the same status and source has no effect.',
  access: 'owner',
  target: ContactRef,
  input: consentInput,
  contract: consentSetContract,
  codes: ['NOT_FOUND', 'TOO_MANY_CONSENTS'],
  action: consentSet,
  payload: shown('The contact, including the updated consents.'),
});

const PersonConsentInput = builder.inputType('PersonConsentInput', {
  description: 'A person’s consent for a purpose.',
  fields: t => ({
    userId: t.string({
      required: true,
      description: 'The application’s user ID for the person.',
    }),
    ...consentInput(t),
  }),
});

mutation({
  name: 'consentBulkSet',
  description: 'Records up to 100 consents. Either all of them are recorded or none are.',
  access: 'owner',
  input: t => ({
    consents: t.field({
      type: [PersonConsentInput],
      required: true,
      description:
        'The consents to record, at most 100. If several entries are for the same person and purpose, the last one applies.',
    }),
  }),
  contract: consentBulkSetContract,
  codes: ['NOT_FOUND', 'TOO_MANY_CONSENTS'],
  action: consentBulkSet,
  payload: t => ({
    contacts: t.field({
      type: [ContactRef],
      description: 'The contacts, including the updated consents.',
      complexity: { field: 1, multiplier: 100 },
      resolve: async ({ result }, _args, graph) => {
        if (result === undefined) return null;
        const found = await Promise.all(result.ids.map(id => contactById(graph, id)));
        return found.filter(contact => contact !== null);
      },
    }),
  }),
});
