import { Box, Stack } from '@mantine/core';
import { useMemo } from 'react';
import { Card } from '../../../../pieces/Card.tsx';
import { RangeFilter } from '../../../../pieces/range/RangeFilter.tsx';
import type { RangeLimits } from '../../../../pieces/range/range.ts';
import { useRange } from '../../../../pieces/range/use-range.ts';
import { wholeDays } from '../../../../pieces/range/whole-days.ts';
import type { Campaign } from '../../campaign-query.ts';
import { Nps } from './Nps.tsx';
import { Questions } from './Questions.tsx';

/** The API's maximum is 92 days, and a range is extended to whole days. */
const LIMITS: RangeLimits = {
  presets: ['week', 'month', 'quarter'],
  presetDefault: 'month',
  daysMax: 91,
};

/** What people answered to a campaign that asks something. */
export default function Answers({ campaign }: { readonly campaign: Campaign }) {
  const { chosen, range, change } = useRange(LIMITS);
  const days = useMemo(() => range && wholeDays(range, chosen), [range, chosen]);
  return (
    <Card title="Answers" isFlush>
      <Stack gap="md">
        <Box px="lg">
          <RangeFilter chosen={chosen} limits={LIMITS} range={range} onChange={change} />
        </Box>
        {days &&
          (campaign.type === 'NPS' ? (
            <Nps campaign={campaign} days={days} />
          ) : (
            <Questions campaign={campaign} range={days.range} />
          ))}
      </Stack>
    </Card>
  );
}
