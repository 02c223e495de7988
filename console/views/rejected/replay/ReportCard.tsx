import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Card } from '../../../pieces/Card.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { Table } from '../../../pieces/Table.tsx';
import type { Report } from './replay-query.ts';

type ReportCardProps = {
  readonly title: string;
  readonly report: Report;
  readonly children?: ReactNode;
};

/** The result of a dry run or of a replay. */
export function ReportCard({ title, report, children }: ReportCardProps) {
  const { found, tried, accepted, uncorrectable, refused, samples } = report;
  return (
    <Card title={title}>
      <Stack gap="md">
        <Facts
          facts={[
            ['Events', inCount(found)],
            ['Tried', inCount(tried)],
            ['Accepted', inCount(accepted)],
            ['Rejected again', inCount(refused.reduce((sum, { events }) => sum + events, 0))],
            ['Could not be corrected', uncorrectable > 0 ? inCount(uncorrectable) : undefined],
          ]}
        />
        {refused.length > 0 && (
          <Table
            label="Rejected again, by reason"
            rows={refused}
            keyOf={({ code }) => code}
            columns={[
              { title: 'Rejected again', cell: ({ code }) => code },
              { title: 'Events', isNumber: true, cell: ({ events }) => inCount(events) },
            ]}
          />
        )}
        {distinct(samples).map(({ messageId, message }) => (
          <Text key={`${messageId} ${message}`} size="sm">
            {messageId && <span className="mono">{messageId}: </span>}
            {message}
          </Text>
        ))}
        {children}
      </Stack>
    </Card>
  );
}

/** Events without a message ID can have the same message. */
function distinct(samples: Report['samples']): Report['samples'] {
  return [...new Map(samples.map(one => [`${one.messageId} ${one.message}`, one])).values()];
}
