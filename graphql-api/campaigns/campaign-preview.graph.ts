import { z } from 'zod';
import type { GateReason } from '../../schema/campaign/campaign-gates.ts';
import { text } from '../../schema/values/text.ts';
import { contactById } from '../contacts/contact.graph.ts';
import { contractRejections } from '../platform/contract-rejections.ts';
import { builder } from '../platform/graph/builder.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, linked, memberObject } from '../platform/graph/fields.ts';
import { Rejected, reject } from '../platform/rejected.ts';
import { CampaignRef, campaignById } from './campaign.graph.ts';
import {
  type Preview,
  type PreviewQuestion,
  previewCampaigns,
  SHOWN_MAX,
  SKIPPED_MAX,
} from './campaign-preview.reads.ts';

const CampaignSkipReason = describedEnum<GateReason>(
  'CampaignSkipReason',
  'Why a campaign is not shown to a person. If several checks fail, only the first is reported.',
  {
    NOT_LIVE: 'The campaign is not live.',
    NOT_STARTED: 'The campaign has not started.',
    ENDED: 'The campaign has ended.',
    OTHER_SURFACE: 'The campaign is shown only on other surfaces.',
    NOT_IN_AUDIENCE: 'The person is not in the audience of the campaign.',
    CONSENT_DENIED: 'The person denied consent for the campaign’s purpose.',
    CONTACT_SUPPRESSED: 'The contact is suppressed.',
    CONSENT_UNKNOWN: 'No consent is recorded for the campaign’s purpose.',
    CLICKED: 'The person clicked the campaign, so it is no longer shown to them.',
    DISMISSED: 'The person dismissed the campaign, so it is no longer shown to them.',
    HISTORY_TOO_LONG: 'The person has too many impressions for the service to evaluate.',
    TOTAL_CAP: 'The person has reached the campaign’s maximum number of impressions (`totalMax`).',
    WINDOW_CAP:
      'The person has reached the maximum number of impressions within the campaign’s window (`windowMax`).',
    INTERVAL_CAP: 'The person saw the campaign too recently.',
    WORKSPACE_DAILY_CAP: 'The person has reached the workspace’s daily cap.',
    WORKSPACE_INTERVAL_CAP: 'The person saw another campaign too recently.',
  },
);

const PreviewedCampaign = memberObject<Preview['shown'][number]>('PreviewedCampaign', {
  description: 'A live campaign that the person would see.',
  fields: t => ({
    campaign: linked(t, 'campaignId', CampaignRef, campaignById, 'The campaign.'),
    ...expose(t, 'String', {
      variantId:
        'The ID of the variant that the person would see; null if the campaign has no variants.',
    }),
  }),
});

const SkippedCampaign = memberObject<Preview['skipped'][number]>('SkippedCampaign', {
  description: 'A live campaign that the person would not see.',
  fields: t => ({
    campaign: linked(t, 'campaignId', CampaignRef, campaignById, 'The campaign.'),
    ...expose(t, CampaignSkipReason, {
      reason: 'Why the campaign is not shown. If several checks fail, only the first is reported.',
    }),
  }),
});

const CampaignPreview = memberObject<Preview>('CampaignPreview', {
  description:
    'The live campaigns that a person would see now, and those that the person would not see, according to the rules that ingest applies.',
  fields: t => ({
    shown: t.field({
      type: [PreviewedCampaign],
      nullable: false,
      description: `Up to ${SHOWN_MAX} of the campaigns that the person would see, in display order.`,
      complexity: { field: 1, multiplier: SHOWN_MAX },
      resolve: ({ shown }) => shown,
    }),
    skipped: t.field({
      type: [SkippedCampaign],
      nullable: false,
      description: `Up to ${SKIPPED_MAX} of the live campaigns that the person would not see, highest priority first.`,
      complexity: { field: 1, multiplier: SKIPPED_MAX },
      resolve: ({ skipped }) => skipped,
    }),
    ...expose(t, 'Int!', {
      skippedCount:
        'The number of live campaigns that the person would not see, including those not listed in `skipped`.',
    }),
  }),
});

builder.queryField('campaignPreview', t =>
  t.field({
    type: CampaignPreview,
    description:
      'The live campaigns that a person would see now. The other live campaigns are listed in `skipped`, each with the reason why the person would not see it. Widgets queued by journeys are not included. If neither `contactId` nor `userId` is given, the preview is for an unidentified person. Null if the contact does not exist.',
    authScopes: { member: true },
    args: {
      contactId: t.arg.globalID({ description: 'The global ID of the person’s contact.' }),
      userId: t.arg.string({
        description:
          'The application’s user ID for the person. A contact with this ID need not exist.',
      }),
      surface: t.arg.string({ description: 'The surface to preview. Defaults to all surfaces.' }),
    },
    resolve: async (_root, { contactId, userId, surface }, graph) => {
      const named = checked({ userId, surface });
      if (!contactId) return previewCampaigns(graph.context, named);
      if (named.userId !== '')
        return reject('BAD_USER_INPUT', {
          message: 'Provide either `contactId` or `userId`, not both.',
        });
      const { typename, id } = contactId;
      const contact = typename === 'Contact' ? await contactById(graph, id) : null;
      return contact && previewCampaigns(graph.context, { ...named, userId: contact.userId });
    },
  }),
);

const personContract = z.object({ userId: text().nullish(), surface: text().nullish() });

/** An empty surface means no surface filter, as in the SDK's request. */
function checked(given: z.input<typeof personContract>): PreviewQuestion {
  const { success, data, error } = personContract.safeParse(given);
  if (!success) throw new Rejected(contractRejections(error));
  return { userId: data.userId ?? '', surface: data.surface || undefined };
}
