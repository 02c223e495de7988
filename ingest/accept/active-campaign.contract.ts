import { z } from 'zod';
import { CAMPAIGN_TYPES } from '../../schema/campaign/campaign.ts';

/** An element of the array returned by GET /v1/in-app/active. Written by ingest/campaigns. */
export const activeCampaign = z
  .object({
    campaign_id: z.string().meta({ description: 'The ID to send with feedback and responses.' }),
    name: z.string().meta({ description: 'The name of the campaign.' }),
    type: z.string().meta({
      description: `The display type: ${CAMPAIGN_TYPES.join(', ')}.`,
    }),
    surfaces: z.array(z.string()).meta({
      description: 'The surfaces on which to show the campaign or widget; empty for all surfaces.',
    }),
    content: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The content to display. Its shape depends on the type.' }),
    priority: z
      .int()
      .meta({ description: 'The priority. The array is sorted by priority, highest first.' }),
    variant_id: z.string().nullable().meta({
      description:
        'The A/B variant assigned to this person, whose content is returned; null if there is none.',
    }),
    expires_at: z.iso.datetime().nullable().meta({
      description:
        'The time from which the campaign or widget must no longer be shown; null if it does not expire.',
    }),
    journey_step_execution_id: z.string().optional().meta({
      description:
        'Present only for a widget queued by a journey. Send feedback on it to /v1/in-app/widgets/{step_execution_id}/ack.',
    }),
  })
  .meta({
    description: 'An in-app campaign or a journey widget to show this person.',
    example: {
      campaign_id: '01938f6e-6a2b-7c3d-8e4f-5a6b7c8d9e0f',
      name: 'Autumn sale',
      type: 'banner',
      surfaces: ['storefront_catalog'],
      content: { title: '20% off', action_url: 'https://shop.example/autumn' },
      priority: 10,
      variant_id: 'a',
      expires_at: '2026-12-01T00:00:00.000Z',
    },
  });

export const activeCampaigns = z.array(activeCampaign).max(50);
export type ActiveCampaign = z.infer<typeof activeCampaign>;
