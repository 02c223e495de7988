import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from 'urql';
import { Asked } from '../../../../pieces/Asked.tsx';
import { inCount, inShort } from '../../../../pieces/in-words.ts';
import type { Range } from '../../../../pieces/range/range.ts';
import type { Campaign } from '../../campaign-query.ts';
import { AnswerTable } from './AnswerTable.tsx';
import { QUESTIONS, type Question } from './answers-query.ts';
import { type AskedQuestion, questionsAsked } from './asked-questions.ts';
import { NoAnswers } from './NoAnswers.tsx';
import { ResponseList } from './ResponseList.tsx';

type QuestionsProps = { readonly campaign: Campaign; readonly range: Range };

/** Each question with its answers, then the responses. */
export function Questions({ campaign, range }: QuestionsProps) {
  const asked = useQuery({ query: QUESTIONS, variables: { campaignId: campaign.sdkId, range } });
  return (
    <Asked asked={asked} label="Loading the answers">
      {({ campaignAnswers: questions }) =>
        questions &&
        (questions.length === 0 ? (
          <NoAnswers />
        ) : (
          <>
            {inOrder(questions, questionsAsked(campaign)).map(([question, known]) => (
              <Answers
                key={`${question.responseType} ${question.question}`}
                question={question}
                known={known}
              />
            ))}
            <ResponseList campaign={campaign} range={range} />
          </>
        ))
      }
    </Asked>
  );
}

type Known = AskedQuestion | undefined;

/** As the campaign asks them; questions that it asked before a change come last. */
function inOrder(questions: readonly Question[], asked: readonly AskedQuestion[]) {
  const placeOf = (known: Known) => (known === undefined ? asked.length : asked.indexOf(known));
  return questions
    .map((one): [Question, Known] => [one, asked.find(({ id }) => id === (one.question ?? ''))])
    .toSorted(([, a], [, b]) => placeOf(a) - placeOf(b));
}

type AnswersProps = { readonly question: Question; readonly known: Known };

function Answers({ question, known }: AnswersProps) {
  const { responseCount, answerCount, answers } = question;
  const title = known?.label ?? question.question ?? 'Question';
  const isText = known === undefined ? question.responseType === 'form' : !known.options;
  const responses = responseCount === 1 ? '1 response' : `${inCount(responseCount)} responses`;
  return (
    <Stack gap={4} component="section" aria-label={title}>
      <Stack gap={0} px="lg">
        <Title order={3} size="h6">
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {responses}
          {isText && ', listed below'}
          {question.responseType === 'rating' && `, average ${inShort(averageOf(question))}`}
        </Text>
      </Stack>
      {!isText && (
        <AnswerTable
          label={title}
          rows={rowsOf(question, known?.options)}
          responseCount={responseCount}
        />
      )}
      {!isText && answerCount > answers.length && (
        <Text size="sm" c="dimmed" px="lg">
          The {inCount(answers.length)} most frequent of {inCount(answerCount)} answers.
        </Text>
      )}
    </Stack>
  );
}

function averageOf({ responseCount, answers }: Question): number {
  return (
    answers.reduce((sum, one) => sum + Number(one.answer) * one.responseCount, 0) / responseCount
  );
}

/** All options of the campaign, and other answers. */
function rowsOf({ answers }: Question, options: ReadonlyMap<string, string> = new Map()) {
  const counts = new Map(answers.map(one => [one.answer, one.responseCount]));
  const others = answers.map(({ answer }) => answer).filter(answer => !options.has(answer));
  return [...options.keys(), ...others].map(id => ({
    id,
    label: options.get(id) ?? id,
    count: counts.get(id) ?? 0,
  }));
}
