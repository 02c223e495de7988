import { Box, Stack, Text, Title } from '@mantine/core';
import { PagedTable } from '../../../../pieces/PagedTable.tsx';
import type { Range } from '../../../../pieces/range/range.ts';
import { lastDays } from '../../../../pieces/range/whole-days.ts';
import type { Column } from '../../../../pieces/Table.tsx';
import { UserLink } from '../../../../pieces/UserLink.tsx';
import { When } from '../../../../pieces/When.tsx';
import type { Campaign } from '../../campaign-query.ts';
import { RESPONSES, type Response } from './answers-query.ts';
import { type AskedQuestion, questionsAsked } from './asked-questions.ts';
import { answersIn } from './response-words.ts';

/** The maximum of the API for lists. */
const DAYS_MAX = 31;

type ResponseListProps = { readonly campaign: Campaign; readonly range: Range };

/** Each response, newest first, with the person. */
export function ResponseList({ campaign, range }: ResponseListProps) {
  const listed = lastDays(range, DAYS_MAX);
  return (
    <Box>
      <Title order={3} size="h6" px="lg" pb={4}>
        Responses
      </Title>
      {listed.from !== range.from && (
        <Text size="sm" c="dimmed" px="lg" pb="xs">
          Responses are listed for the last {DAYS_MAX} days of the time range.
        </Text>
      )}
      <PagedTable
        label="Responses"
        document={RESPONSES}
        variables={{ campaignId: campaign.sdkId, range: listed }}
        connectionOf={({ campaignResponses }) => campaignResponses}
        typename="CampaignResponse"
        keyOf={keyOf}
        columns={columnsOf(campaign, questionsAsked(campaign))}
        empty={
          <Text size="sm" c="dimmed" px="lg" pb="md">
            No responses in these days.
          </Text>
        }
      />
    </Box>
  );
}

function keyOf({ responseType, responseKey, userId, contactId }: Response): string {
  return JSON.stringify([responseType, responseKey, userId, contactId]);
}

function columnsOf({ variants }: Campaign, asked: readonly AskedQuestion[]): Column<Response>[] {
  const variant: Column<Response> = {
    title: 'Variant',
    isWide: true,
    cell: ({ variantId }) => variantId ?? '–',
  };
  return [
    { title: 'Answer', cell: response => <Answer response={response} asked={asked} /> },
    { title: 'User', cell: response => <Person response={response} /> },
    ...(variants.length > 0 ? [variant] : []),
  ];
}

type AnswerProps = { readonly response: Response; readonly asked: readonly AskedQuestion[] };

function Answer({ response, asked }: AnswerProps) {
  const answers = answersIn(response, asked);
  if (answers.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Empty
      </Text>
    );
  return (
    <Stack gap={2} miw={140}>
      {answers.map(({ question, answer }, at) => (
        <Text key={at} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {question !== undefined && (
            <Text inherit span c="dimmed">
              {/[?!.:]$/.test(question) ? question : `${question}:`}{' '}
            </Text>
          )}
          {answer}
        </Text>
      ))}
    </Stack>
  );
}

/** Who answered, and when. The timeline of a person without a user ID is found by the contact ID. */
function Person({ response }: { readonly response: Response }) {
  const id = response.userId ?? response.contactId;
  return (
    <>
      {id === null ? (
        <Text size="sm" c="dimmed">
          Unknown
        </Text>
      ) : (
        <UserLink userId={id} />
      )}
      <Text size="xs" c="dimmed">
        <When at={response.receivedAt} isRelative />
      </Text>
    </>
  );
}
