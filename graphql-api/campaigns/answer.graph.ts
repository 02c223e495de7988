import { builder } from '../platform/graph/builder.ts';
import { expose } from '../platform/graph/fields.ts';
import { seriesQuery, texts } from '../platform/graph/report.ts';
import {
  ANSWER_CHARACTERS_MAX,
  ANSWERS_MAX,
  type CampaignAnswer,
  type CampaignQuestion,
  campaignAnswers,
} from './answer.reads.ts';
import { DAYS_COVERED, ofCampaign } from './funnel.graph.ts';

const CampaignAnswerRef = builder.objectRef<CampaignAnswer>('CampaignAnswer').implement({
  description: 'An answer to a question in a campaign.',
  authScopes: { member: true },
  fields: t => ({
    ...expose(t, 'String!', {
      answer: `The answer as sent: an option ID, a number or text. Text is truncated to ${ANSWER_CHARACTERS_MAX} characters.`,
    }),
    ...expose(t, 'Int!', { responseCount: 'The number of responses with this answer.' }),
  }),
});

const CampaignQuestionRef = builder.objectRef<CampaignQuestion>('CampaignQuestion').implement({
  description: 'A question in a campaign, with its answers.',
  authScopes: { member: true },
  fields: t => ({
    ...expose(t, 'String!', {
      responseType: 'The type of the responses: `nps`, `rating`, `poll`, `quiz` or `form`.',
    }),
    ...texts(t, {
      question:
        'The ID of the quiz question, or the name of the form field; null for the other response types, which have a single question.',
    }),
    ...expose(t, 'Int!', {
      responseCount: 'The number of responses that contain an answer to the question.',
      answerCount: 'The number of distinct answers.',
    }),
    answers: t.field({
      type: [CampaignAnswerRef],
      nullable: false,
      description: `Up to ${ANSWERS_MAX} of the most frequent answers. A response can contain several answers.`,
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ answers }) => answers,
    }),
  }),
});

seriesQuery('campaignAnswers', {
  type: [CampaignQuestionRef],
  description: `The answers to an in-app campaign in the viewer’s workspace, grouped by question. The questions with the most responses come first. ${DAYS_COVERED}`,
  args: ofCampaign,
  read: campaignAnswers,
});
