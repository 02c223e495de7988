import { builder } from '../platform/graph/builder.ts';
import { expose } from '../platform/graph/fields.ts';
import { listQuery, storedJson, texts, times } from '../platform/graph/report.ts';
import { ofCampaign } from './funnel.graph.ts';
import { type CampaignResponse, campaignResponses, responseCursor } from './response.reads.ts';

const CampaignResponseRef = builder.objectRef<CampaignResponse>('CampaignResponse').implement({
  description: 'A response of a person to an in-app campaign.',
  authScopes: { member: true },
  fields: t => ({
    ...times(t, { receivedAt: 'When the response was received, by the server’s clock.' }),
    ...expose(t, 'String!', {
      responseKey:
        'The key by which a repeat of the response is recognized; unique for a campaign, response type and person.',
      responseType: 'The type of the response, such as `nps` or `poll`.',
      platform: 'The platform: `web`, `ios` or `android`.',
    }),
    ...texts(t, {
      userId: 'The application’s user ID of the person; null if unknown.',
      contactId: 'The contact ID of the person, as the SDK sent it; null if it sent none.',
      variantId: 'The ID of the variant; null if the campaign has no variants.',
    }),
    ...expose(t, 'Float', { score: 'The score; null if the response has none.' }),
    ...storedJson(t, { payload: 'The response as the SDK sent it.' }),
  }),
});

listQuery('campaignResponses', {
  type: CampaignResponseRef,
  description: 'The responses to an in-app campaign of the viewer’s workspace, newest first.',
  cursorOf: responseCursor,
  args: ofCampaign,
  questions: 1,
  page: campaignResponses,
});
