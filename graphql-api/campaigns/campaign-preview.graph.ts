import { z } from 'zod';
import type { GateReason } from '../../schema/campaign/campaign-gates.ts';
import { text } from '../../schema/values/text.ts';
import { contactById } from '../contacts/contact.graph.ts';
import { contractRejections } from '../platform/contract-rejections.ts';
import { builder, type GraphContext } from '../platform/graph/builder.ts';
import { Rejected, reject } from '../platform/rejected.ts';
import { CampaignRef, campaignById } from './campaign.graph.ts';
import {
  type Preview,
  type PreviewQuestion,
  previewCampaigns,
  SHOWN_MAX,
  SKIPPED_MAX,
} from './campaign-preview.reads.ts';

const REASONS: Record<GateReason, { description: string }> = {
  NOT_LIVE: { description: 'It is not live.' },
  NOT_STARTED: { description: 'Its start is still to come.' },
  ENDED: { description: 'Its end has passed.' },
  OTHER_SURFACE: { description: 'It is for other surfaces.' },
  NOT_IN_AUDIENCE: { description: 'The person is not in its audience.' },
  CONSENT_DENIED: { description: 'The person refused its purpose.' },
  CONTACT_SUPPRESSED: { description: 'The person gets nothing promotional.' },
  CONSENT_UNKNOWN: { description: 'The person has not agreed to its purpose.' },
  CLICKED: { description: 'The person clicked it, which ended it for them.' },
  DISMISSED: { description: 'The person dismissed it, which ended it for them.' },
  HISTORY_TOO_LONG: { description: 'The person was shown more than is counted.' },
  TOTAL_CAP: { description: 'The person was shown it as often as it may be.' },
  WINDOW_CAP: { description: 'The person was shown it as often as the window allows.' },
  INTERVAL_CAP: { description: 'The person was shown it too recently.' },
  WORKSPACE_DAILY_CAP: { description: 'The person was shown enough today, of all campaigns.' },
  WORKSPACE_INTERVAL_CAP: { description: 'The person was shown another one too recently.' },
};

const CampaignSkipReason = builder.enumType('CampaignSkipReason', {
  description: 'The first gate that kept a campaign from a person.',
  values: REASONS,
});

const PreviewedCampaign = builder
  .objectRef<Preview['shown'][number]>('PreviewedCampaign')
  .implement({
    description: 'A campaign that the person would see.',
    authScopes: { member: true },
    fields: t => ({
      campaign: t.field({
        type: CampaignRef,
        description: 'The campaign.',
        resolve: ({ campaignId }, _args, graph) => campaignById(graph, campaignId),
      }),
      variantId: t.exposeString('variantId', {
        description: 'The variant that the person would see; null when it has none.',
      }),
    }),
  });

const SkippedCampaign = builder.objectRef<Preview['skipped'][number]>('SkippedCampaign').implement({
  description: 'A live campaign that the person would not see.',
  authScopes: { member: true },
  fields: t => ({
    campaign: t.field({
      type: CampaignRef,
      description: 'The campaign.',
      resolve: ({ campaignId }, _args, graph) => campaignById(graph, campaignId),
    }),
    reason: t.field({
      type: CampaignSkipReason,
      nullable: false,
      description: 'The first reason why not.',
      resolve: ({ reason }) => reason,
    }),
  }),
});

const CampaignPreview = builder.objectRef<Preview>('CampaignPreview').implement({
  description: 'What a person would be shown now, by the rules that ingest serves by.',
  authScopes: { member: true },
  fields: t => ({
    shown: t.field({
      type: [PreviewedCampaign],
      nullable: false,
      description: `In the order of display, at most ${SHOWN_MAX}.`,
      complexity: { field: 1, multiplier: SHOWN_MAX },
      resolve: ({ shown }) => shown,
    }),
    skipped: t.field({
      type: [SkippedCampaign],
      nullable: false,
      description: `The live ones that are not shown, the most urgent ${SKIPPED_MAX} of them.`,
      complexity: { field: 1, multiplier: SKIPPED_MAX },
      resolve: ({ skipped }) => skipped,
    }),
    skippedCount: t.exposeInt('skippedCount', {
      nullable: false,
      description: 'How many are not shown, those beyond the list too.',
    }),
  }),
});

builder.queryField('campaignPreview', t =>
  t.field({
    type: CampaignPreview,
    description:
      'Which live campaigns a person would see now, and why not the others; widgets that journeys queued for the person come beside them. Without a person: what everybody sees. Null where there is no such contact.',
    authScopes: { member: true },
    args: {
      contactId: t.arg.globalID({ description: 'The person, as a contact.' }),
      userId: t.arg.string({
        description: 'The person by the application’s id; need not be a contact.',
      }),
      surface: t.arg.string({ description: 'Where; everywhere unless said.' }),
    },
    resolve: async (_root, { contactId, userId, surface }, graph) => {
      const named = checked({ userId, surface });
      if (!contactId) return previewCampaigns(graph.context, named);
      if (named.userId !== '')
        return reject('BAD_USER_INPUT', { message: 'Name either contactId or userId.' });
      const contact = await contactOf(graph, contactId);
      if (contact === null) return null;
      return previewCampaigns(graph.context, { ...named, userId: contact.userId });
    },
  }),
);

function contactOf(graph: GraphContext, { typename, id }: { typename: string; id: string }) {
  return typename === 'Contact' ? contactById(graph, id) : null;
}

const personContract = z.object({ userId: text().nullish(), surface: text().nullish() });

/** As the SDK's headers are: an empty surface is none. */
function checked(given: z.input<typeof personContract>): PreviewQuestion {
  const { success, data, error } = personContract.safeParse(given);
  if (!success) throw new Rejected(contractRejections(error));
  return { userId: data.userId ?? '', surface: data.surface || undefined };
}
