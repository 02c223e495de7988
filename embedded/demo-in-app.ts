import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { DemoTenant } from './demo-tenant.ts';

/** The person in the examples of docs/sdk-developers.md. */
const USER = 'user-1';

const CAMPAIGNS = [
  {
    name: 'New opening hours',
    type: 'banner',
    surfaces: ['storefront_catalog', 'bill'],
    content: { title: 'Open on Sundays', text: 'From December, 10 am to 6 pm.' },
    priority: 1,
    audience: null,
    consentPurpose: 'service',
    totalMax: null,
    variants: [],
  },
  {
    name: 'Winter sale',
    type: 'modal',
    surfaces: ['storefront_catalog'],
    content: { title: 'Winter sale', action_url: 'https://shop.example/winter' },
    priority: 10,
    audience: { trait: 'plan', operator: 'eq', value: 'pro' },
    consentPurpose: 'marketing',
    totalMax: 3,
    variants: [
      { id: 'calm', weight: 1, content: { title: '20 % off, until January' } },
      { id: 'loud', weight: 1, content: { title: 'Today only: 20% off!' } },
    ],
  },
];

/** Campaigns, a person in their audience, and a queued widget for that person. */
export async function createDemoInApp(
  client: pg.Client,
  { workspaceId }: Pick<DemoTenant, 'workspaceId'>,
): Promise<void> {
  await client.query(
    `WITH person AS (
       INSERT INTO contacts (id, workspace_id, user_id, traits, traits_at)
       VALUES ($1, $2, $3, '{"plan": "pro", "city": "Pune"}', now())
       ON CONFLICT DO NOTHING RETURNING id)
     INSERT INTO consents (contact_id, purpose, workspace_id, status, source)
     SELECT id, 'marketing', $2, 'GRANTED', 'sign-up form' FROM person`,
    [uuidv7(), workspaceId, USER],
  );
  const existing = await client.query('SELECT FROM campaigns WHERE workspace_id = $1 LIMIT 1', [
    workspaceId,
  ]);
  if (existing.rowCount === 0)
    for (const campaign of CAMPAIGNS) await insertCampaign(client, workspaceId, campaign);
  await client.query(
    `INSERT INTO widget_step_executions
       (id, workspace_id, user_id, campaign_id, name, type, surfaces, content, priority, consent_purpose)
     SELECT $1, $2, $3, $4, 'How was it?', 'nps', '{bill}', '{"question": "Would you recommend us?"}', 5, 'service'
     WHERE NOT EXISTS (
       SELECT FROM widget_step_executions
       WHERE workspace_id = $2 AND user_id = $3 AND state IN ('QUEUED', 'SERVED', 'VIEWED'))`,
    [uuidv7(), workspaceId, USER, uuidv7()],
  );
}

async function insertCampaign(
  client: pg.Client,
  workspaceId: string,
  campaign: (typeof CAMPAIGNS)[number],
): Promise<void> {
  const { name, type, surfaces, priority, consentPurpose, totalMax } = campaign;
  await client.query(
    `INSERT INTO campaigns (id, workspace_id, name, type, status, surfaces, content, priority,
       audience, consent_purpose, total_max, variants)
     VALUES ($1, $2, $3, $4, 'LIVE', $5, $6, $7, $8, $9, $10, $11)`,
    [
      uuidv7(),
      workspaceId,
      name,
      type,
      surfaces,
      JSON.stringify(campaign.content),
      priority,
      campaign.audience === null ? null : JSON.stringify(campaign.audience),
      consentPurpose,
      totalMax,
      JSON.stringify(campaign.variants),
    ],
  );
}
