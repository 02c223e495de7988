import { Box, Group, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { Asked } from '../../../../pieces/Asked.tsx';
import { Chart } from '../../../../pieces/Chart.tsx';
import { inCount, inShortDay } from '../../../../pieces/in-words.ts';
import { useUnknownDays } from '../../../../pieces/range/use-unknown-days.ts';
import type { Days } from '../../../../pieces/range/whole-days.ts';
import type { Campaign } from '../../campaign-query.ts';
import { AnswerTable } from './AnswerTable.tsx';
import { NPS, type NpsDay } from './answers-query.ts';
import { NoAnswers } from './NoAnswers.tsx';
import { ResponseList } from './ResponseList.tsx';

type NpsProps = { readonly campaign: Campaign; readonly days: Days };

/** The net promoter score, its parts, and the responses by day. */
export function Nps({ campaign, days }: NpsProps) {
  const variables = { campaignId: campaign.sdkId, range: days.range };
  const asked = useQuery({ query: NPS, variables });
  return (
    <Asked asked={asked} label="Loading the answers">
      {({ npsByDay: byDay }) =>
        byDay &&
        (byDay.length === 0 ? (
          <NoAnswers />
        ) : (
          <>
            <Score byDay={byDay} />
            <Box px="lg">
              <ByDay byDay={byDay} days={days.days} />
            </Box>
            <ResponseList campaign={campaign} range={days.range} />
          </>
        ))
      }
    </Asked>
  );
}

const GROUPS = [
  { part: 'promoters', name: 'Promoters', scores: '9 or 10', tone: 'good', color: 'teal.6' },
  { part: 'passives', name: 'Passives', scores: '7 or 8', tone: 'quiet', color: 'gray.6' },
  { part: 'detractors', name: 'Detractors', scores: '0 to 6', tone: 'bad', color: 'pink.6' },
] as const;

function Score({ byDay }: { readonly byDay: readonly NpsDay[] }) {
  const sumOf = (part: 'responses' | (typeof GROUPS)[number]['part']) =>
    byDay.reduce((sum, day) => sum + day[part], 0);
  const responses = sumOf('responses');
  const score = Math.round((100 * (sumOf('promoters') - sumOf('detractors'))) / responses);
  return (
    <>
      <Group gap="xs" align="baseline" px="lg">
        <Text component="span" size="sm" c="dimmed">
          Net promoter score
        </Text>
        <Text component="span" fz={25} fw={650} lh={1.25}>
          {score > 0 && '+'}
          {inCount(score)}
        </Text>
        <Text component="span" size="sm" c="dimmed">
          from {responses === 1 ? '1 response' : `${inCount(responses)} responses`}
        </Text>
      </Group>
      <AnswerTable
        label="Promoters, passives and detractors"
        responseCount={responses}
        rows={GROUPS.map(({ part, name, scores, color }) => ({
          id: part,
          label: `${name} (${scores})`,
          count: sumOf(part),
          color,
        }))}
      />
    </>
  );
}

type ByDayProps = { readonly byDay: readonly NpsDay[]; readonly days: readonly string[] };

function ByDay({ byDay, days }: ByDayProps) {
  const isUnknown = useUnknownDays(days);
  const known = new Map(byDay.map(day => [day.day, day]));
  return (
    <Chart
      label="Responses by day"
      isStacked
      heightPx={150}
      names={days.map(inShortDay)}
      series={GROUPS.map(({ part, name, tone }) => ({
        name,
        tone,
        values: days.map(day => known.get(day)?.[part] ?? 0),
      }))}
      isUnknown={isUnknown}
    />
  );
}
