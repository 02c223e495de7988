// Counts the answers of an in-app campaign by question, from the payloads of its responses. What a
// payload contains depends on the response type; see ingest/accept/in-app-response.contract.ts.

import type { Context } from '../platform/context.ts';
import { askByDay, type CampaignReportInput } from './funnel.reads.ts';

export type CampaignQuestion = {
  readonly responseType: string;
  /** Empty if responses of the type answer a single question. */
  readonly question: string;
  readonly responseCount: number;
  readonly answerCount: number;
  readonly answers: readonly CampaignAnswer[];
};

export type CampaignAnswer = {
  readonly answer: string;
  readonly responseCount: number;
};

/** The most frequent answers of a question. A poll has at most 20 options. */
export const ANSWERS_MAX = 20;
/** Of all questions together. Fields of a form may have any names. */
const ROWS_MAX = 1_000;
/** Of an answer: free text can be long. */
export const ANSWER_CHARACTERS_MAX = 256;

type Row = CampaignAnswer & {
  readonly responseType: string;
  readonly question: string;
  readonly askedCount: number;
  readonly answerCount: number;
};

export async function campaignAnswers(
  context: Context,
  input: CampaignReportInput,
): Promise<readonly CampaignQuestion[]> {
  const rows = await askByDay<Row>(
    context,
    input,
    `SELECT response_type, question, answer, response_count, asked_count, answer_count
     FROM (
       SELECT *, max(response_count) OVER (PARTITION BY response_type, question) AS asked_count,
              count() OVER (PARTITION BY response_type, question) - 1 AS answer_count
       FROM (
         SELECT response_type, question, given.1 AS answer, given.2 AS is_sum,
                count() AS response_count
         FROM (
           SELECT response_type, asked.1 AS question, arrayJoin(arrayConcat(
                    [('', 1)], arrayMap(text -> (text, 0), arrayDistinct(${TEXTS})))) AS given
           FROM (
             SELECT response_type, arrayJoin(${QUESTIONS}) AS asked
             FROM in_app_responses
             WHERE workspace_id = {workspaceId:UUID} AND campaign_id = {campaignId:String}
               AND toDate(received_at) BETWEEN {fromDay:Date} AND {toDay:Date}
           )
           WHERE notEmpty(${TEXTS})
         )
         GROUP BY response_type, question, answer, is_sum
       )
     )
     WHERE is_sum = 0
     ORDER BY asked_count DESC, response_type, question, response_count DESC, answer
     LIMIT ${ANSWERS_MAX} BY response_type, question LIMIT ${ROWS_MAX}`,
  );
  const questions = Map.groupBy(rows, row => JSON.stringify([row.responseType, row.question]));
  return [...questions.values()].map(answers => {
    const { responseType, question, askedCount, answerCount } = answers[0]!;
    return { responseType, question, responseCount: askedCount, answerCount, answers };
  });
}

/** The JSON text of the first of these keys that has a value; empty if there is none. */
function rawOf(...keys: readonly string[]): string {
  const values = keys.map(key => `JSONExtractRaw(payload, '${key}')`);
  return `arrayFirst(raw -> raw NOT IN ('', 'null', '[]'), [${values.join()}])`;
}

const ANSWERS = rawOf('answers');
const RATING = `coalesce(
  toString(toFloat64OrNull(JSONExtractRaw(payload, 'rating'))), toString(score), '')`;

/** The questions of a response, each with the JSON text of its answer or answers. */
const QUESTIONS = `multiIf(
  response_type = 'nps', [('', ifNull(toString(score), ''))],
  response_type = 'rating', [('', ${RATING})],
  response_type = 'poll', [('', ${rawOf('option_ids', 'option_id', 'option')})],
  response_type = 'form', JSONExtractKeysAndValuesRaw(${rawOf('fields', 'values')}),
  response_type = 'quiz' AND startsWith(${ANSWERS}, '['),
    arrayMap((raw, at) -> (toString(at), raw),
      JSONExtractArrayRaw(${ANSWERS}), arrayEnumerate(JSONExtractArrayRaw(${ANSWERS}))),
  response_type = 'quiz', JSONExtractKeysAndValuesRaw(${ANSWERS}),
  CAST([], 'Array(Tuple(String, String))'))`;

/** The answers to the question `asked` as texts. An empty field of a form is no answer. */
const TEXTS = `arrayFilter(text -> text NOT IN ('', 'null'), arrayMap(
  raw -> substringUTF8(if(startsWith(raw, '"'), JSONExtractString(raw), raw), 1, ${ANSWER_CHARACTERS_MAX}),
  if(startsWith(asked.2, '['), JSONExtractArrayRaw(asked.2), [asked.2])))`;
