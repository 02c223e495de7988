import { z } from 'zod';
import { CAMPAIGN_TYPES } from '../../schema/campaign/campaign.ts';

/** An element of the array that GET /v1/in-app/active answers; written by ingest/campaigns. */
export const activeCampaign = z
  .object({
    campaign_id: z.string().meta({ description: 'To be sent back with feedback and responses.' }),
    name: z.string().meta({ description: 'The operator’s name for it.' }),
    type: z.string().meta({
      description: `How to display it: ${CAMPAIGN_TYPES.join(', ')}.`,
    }),
    surfaces: z
      .array(z.string())
      .meta({ description: 'Where it may be shown; none is everywhere.' }),
    content: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What to display; its shape depends on the type.' }),
    priority: z.int().meta({ description: 'The array has the highest first.' }),
    variant_id: z
      .string()
      .nullable()
      .meta({ description: 'The A/B variant of this person; the content is that variant’s.' }),
    expires_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Not to be shown from then on; null when it has no end.' }),
    journey_step_execution_id: z.string().optional().meta({
      description:
        'Only of a widget that a journey queued: feedback goes to /v1/in-app/widgets/{step_execution_id}/ack.',
    }),
  })
  .meta({
    description: 'A campaign, or a widget of a journey, that this person is to be shown.',
    example: {
      campaign_id: '01938f6e-6a2b-7c3d-8e4f-5a6b7c8d9e0f',
      name: 'Autumn sale',
      type: 'banner',
      surfaces: ['storefront_catalog'],
      content: { title: '20 % off', action_url: 'https://shop.example/autumn' },
      priority: 10,
      variant_id: 'a',
      expires_at: '2026-12-01T00:00:00.000Z',
    },
  });

export const activeCampaigns = z.array(activeCampaign).max(50);
export type ActiveCampaign = z.infer<typeof activeCampaign>;
