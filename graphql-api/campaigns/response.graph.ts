import { expose, memberObject } from '../platform/graph/fields.ts';
import { listQuery, storedJson, texts, times } from '../platform/graph/report.ts';
import { ofCampaign } from './funnel.graph.ts';
import { type CampaignResponse, campaignResponses, responseCursor } from './response.reads.ts';

const CampaignResponseRef = memberObject<CampaignResponse>('CampaignResponse', {
  description: 'A person’s response to an in-app campaign.',
  fields: t => ({
    ...times(t, { receivedAt: 'When the response was received, according to the server’s clock.' }),
    ...expose(t, 'String!', {
      responseKey:
        'The key used to recognize duplicates of the response; unique per campaign, response type and person.',
      responseType: 'The type of the response, such as `nps` or `poll`.',
      platform: 'The platform: `web`, `ios` or `android`.',
    }),
    ...texts(t, {
      userId: 'The application’s user ID for the person; null if unknown.',
      contactId: 'The person’s contact ID, as the SDK sent it; null if the SDK sent none.',
      variantId: 'The ID of the variant; null if the campaign has no variants.',
    }),
    ...expose(t, 'Float', { score: 'The score; null if the response has none.' }),
    ...storedJson(t, { payload: 'The response as the SDK sent it.' }),
  }),
});

listQuery('campaignResponses', {
  type: CampaignResponseRef,
  description: 'The responses to an in-app campaign in the viewer’s workspace, newest first.',
  cursorOf: responseCursor,
  args: ofCampaign,
  questions: 1,
  page: campaignResponses,
});
