import { Box, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { Card } from '../../../pieces/Card.tsx';
import { Page } from '../../../pieces/Page.tsx';
import { RangeFilter } from '../../../pieces/range/RangeFilter.tsx';
import type { RangeLimits } from '../../../pieces/range/range.ts';
import { useRange } from '../../../pieces/range/use-range.ts';
import { wholeDays } from '../../../pieces/range/whole-days.ts';
import { TO_CAMPAIGNS } from '../campaign-paths.ts';
import { PushFunnel } from './PushFunnel.tsx';

/** The API's maximum is 92 days, and a range is extended to whole days. */
const LIMITS: RangeLimits = {
  presets: ['week', 'month', 'quarter'],
  presetDefault: 'month',
  daysMax: 91,
};
const TYPING_MS = 300;

/** The results of pushes, of one campaign or all. */
export default function PushPage() {
  const { chosen, range, change } = useRange(LIMITS);
  const [params, setParams] = useSearchParams();
  const days = useMemo(() => range && wholeDays(range, chosen), [range, chosen]);
  const campaignId = params.get('campaign') ?? '';
  const findSoon = useDebouncedCallback(
    (text: string) =>
      setParams(
        before => {
          const next = new URLSearchParams(before);
          if (text === '') next.delete('campaign');
          else next.set('campaign', text);
          return next;
        },
        { replace: true },
      ),
    TYPING_MS,
  );
  return (
    <Page
      title="Push results"
      about="What SDKs report of the pushes that your sender delivers."
      back={TO_CAMPAIGNS}
    >
      <Card isFlush>
        <Stack gap="md" p="lg">
          <RangeFilter chosen={chosen} limits={LIMITS} range={range} onChange={change} />
          <TextInput
            label="Campaign ID"
            description="The ID that your sender gives its pushes. Leave empty for all."
            defaultValue={campaignId}
            onChange={({ currentTarget }) => findSoon(currentTarget.value.trim())}
            maw={420}
          />
        </Stack>
        <Box>{days && <PushFunnel days={days} campaignId={campaignId} />}</Box>
      </Card>
    </Page>
  );
}
