import { Anchor, Box, Select, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import { RangeFilter } from '../../../pieces/range/RangeFilter.tsx';
import type { RangeLimits } from '../../../pieces/range/range.ts';
import { useRange } from '../../../pieces/range/use-range.ts';
import { State } from '../../../pieces/State.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { UserLink } from '../../../pieces/UserLink.tsx';
import { useIsBehind } from '../../../pieces/use-delay.ts';
import { When } from '../../../pieces/When.tsx';
import type { Journey } from '../journey-query.ts';
import { stepInWords } from '../people/person-words.ts';
import { MESSAGES, type Message } from './messages-query.ts';
import { REASON_NAMES, REASONS, type Reason } from './reasons.ts';

const LIMITS: RangeLimits = {
  presets: ['day', 'week', 'month'],
  presetDefault: 'week',
  daysMax: 31,
};

/** The messages that the journey sent, each with its version and why it used that one. */
export function Messages({ journey }: { readonly journey: Journey }) {
  const { chosen, range, change } = useRange(LIMITS);
  const [reason, setReason] = useState<Reason | ''>('');
  return (
    <Card
      title="Messages"
      isFlush
      actions={
        <Select
          aria-label="Why this version"
          size="xs"
          w={220}
          data={[
            { value: '', label: 'Any reason' },
            ...REASON_NAMES.map(name => ({ value: name, label: REASONS[name].label })),
          ]}
          value={reason}
          onChange={value => setReason((value ?? '') as Reason | '')}
          allowDeselect={false}
        />
      }
    >
      <Box px="lg" pb="md">
        <RangeFilter chosen={chosen} limits={LIMITS} range={range} onChange={change} />
      </Box>
      {range && (
        <PagedTable
          label="Messages of the journey"
          document={MESSAGES}
          variables={{ journeyId: journey.id, range, reasons: reason === '' ? null : [reason] }}
          connectionOf={({ sends }) => sends}
          typename="Send"
          keyOf={({ sendId }) => sendId}
          columns={columnsOf(journey)}
          empty={<None isFiltered={reason !== ''} onAll={() => setReason('')} />}
        />
      )}
    </Card>
  );
}

function columnsOf(journey: Journey): Column<Message>[] {
  return [
    {
      title: 'User',
      cell: ({ userId, sentAt }) => (
        <>
          {userId === null ? (
            <Text size="sm" c="dimmed">
              Unknown
            </Text>
          ) : (
            <UserLink userId={userId} />
          )}
          <Text size="xs" c="dimmed">
            <When at={sentAt} isRelative />
          </Text>
        </>
      ),
    },
    { title: 'Step', isWide: true, cell: ({ nodeId }) => stepInWords(journey, nodeId) },
    { title: 'Version', cell: ({ version }) => <Version version={version} /> },
    {
      title: 'Why this version',
      cell: ({ reason }) => <State name={reason} {...REASONS[reason]} />,
    },
  ];
}

function Version({ version }: Pick<Message, 'version'>) {
  if (version === null || version.template === null)
    return (
      <Text size="sm" c="dimmed">
        Unknown
      </Text>
    );
  const { template, number } = version;
  return (
    <Anchor component={Link} href={`/templates/${template.id}`} inherit>
      {template.name} v{number}
    </Anchor>
  );
}

type NoneProps = { readonly isFiltered: boolean; readonly onAll: () => void };

/** While the warehouse is late, messages can still appear. */
function None({ isFiltered, onAll }: NoneProps) {
  const isBehind = useIsBehind();
  const title = isFiltered ? 'No messages with this reason' : 'No messages';
  return (
    <Empty title={isBehind ? `${title} in the reports yet` : title} icon={IconSend}>
      {isBehind
        ? 'Reports are delayed, so messages from this time range may still appear.'
        : 'Choose a longer time range to look further back.'}{' '}
      {isFiltered && (
        <Anchor component="button" type="button" inherit onClick={onAll}>
          Show all reasons
        </Anchor>
      )}
    </Empty>
  );
}
