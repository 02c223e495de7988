import { embeddedLists } from '../platform/graph/embedded-list.ts';
import { expose, memberObject } from '../platform/graph/fields.ts';
import { seriesQuery, texts } from '../platform/graph/report.ts';
import {
  ANSWER_CHARACTERS_MAX,
  ANSWERS_MAX,
  type CampaignAnswer,
  type CampaignQuestion,
  campaignAnswers,
} from './answer.reads.ts';
import { DAYS_COVERED, ofCampaign } from './funnel.graph.ts';

const CampaignAnswerRef = memberObject<CampaignAnswer>('CampaignAnswer', {
  description: 'An answer to a question in a campaign.',
  fields: t => ({
    ...expose(t, 'String!', {
      answer: `The answer as sent: an option ID, a number or text. Text is truncated to ${ANSWER_CHARACTERS_MAX} characters.`,
    }),
    ...expose(t, 'Int!', { responseCount: 'The number of responses with this answer.' }),
  }),
});

const CampaignQuestionRef = memberObject<CampaignQuestion>('CampaignQuestion', {
  description: 'A question in a campaign, with its answers.',
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
    ...embeddedLists(t, CampaignAnswerRef, {
      answers: `Up to ${ANSWERS_MAX} of the most frequent answers. A response can contain several answers.`,
    }),
  }),
});

seriesQuery('campaignAnswers', {
  type: [CampaignQuestionRef],
  description: `The answers to an in-app campaign in the viewer’s workspace, grouped by question. The questions with the most responses come first. ${DAYS_COVERED}`,
  args: ofCampaign,
  read: campaignAnswers,
});
