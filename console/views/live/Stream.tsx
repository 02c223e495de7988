import { Box, Skeleton, Stack, Text } from '@mantine/core';
import { inCount } from '../../pieces/in-words.ts';
import type { Sent } from '../../pieces/sent-event/sent.ts';
import type { NamedCampaign } from '../../pieces/sent-event/use-campaigns.ts';
import { LiveList } from './LiveList.tsx';
import classes from './live.module.css';
import { NothingYet } from './NothingYet.tsx';
import { NotRead } from './NotRead.tsx';
import type { useLive } from './use-live.ts';
import type { useMinute } from './use-minute.ts';

type StreamProps = {
  readonly live: ReturnType<typeof useLive>;
  /** The events of one minute, in place of the live ones. */
  readonly minute: ReturnType<typeof useMinute>;
  readonly campaigns: ReadonlyMap<string, NamedCampaign>;
  readonly isFiltered: boolean;
  readonly onOpen: (sent: Sent) => void;
  readonly onHeld: (isHeld: boolean) => void;
};

export function Stream({ live, minute, isFiltered, ...list }: StreamProps) {
  const { connection, notShownCount } = live;
  const { rows, isReading, error, retry } = minute ?? live;
  const refusal = connection.state === 'refused' ? connection.error : undefined;
  const problem = (minute === undefined ? refusal : undefined) ?? error;
  return (
    <>
      {problem && (
        <Box px="lg" pb="md">
          <NotRead error={problem} onRetry={retry} />
        </Box>
      )}
      {rows.length > 0 && <LiveList rows={rows} {...list} />}
      {rows.length === 0 && isReading && !problem && <Rows />}
      {rows.length === 0 && !isReading && !problem && (
        <NothingYet isFiltered={isFiltered} isOfMinute={minute !== undefined} />
      )}
      {minute && !isReading && (
        <Text className={classes.foot}>
          {minute.isCut && 'Only the newest events of this minute are listed. '}
          Campaign feedback is counted in the chart but not listed for past minutes.
        </Text>
      )}
      {minute === undefined && notShownCount > 0 && (
        <Text className={classes.foot}>
          {inCount(notShownCount)} more arrived too fast to be shown here. They are counted above
          and stored.
        </Text>
      )}
    </>
  );
}

const ROWS = 5;
const ROW_PX = 24;

function Rows() {
  return (
    <Stack gap="md" px="lg" pb="lg" aria-busy>
      {Array.from({ length: ROWS }, (_, at) => (
        <Skeleton key={at} h={ROW_PX} />
      ))}
    </Stack>
  );
}
