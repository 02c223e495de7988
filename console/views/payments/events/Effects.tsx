import { Anchor, Text } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import { State } from '../../../pieces/State.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { PAYMENTS } from '../payment-paths.ts';
import { EFFECTS, type Effect, type GatewayEvent } from './events-query.ts';

/** The effects of an event, each listed once. */
export function Effects({ event }: { readonly event: GatewayEvent }) {
  return (
    <Card title="What it changed" isFlush>
      <PagedTable
        label="What it changed"
        document={EFFECTS}
        variables={{ eventId: event.id }}
        connectionOf={data => data.gatewayEffects}
        typename="GatewayEvent"
        keyOf={({ name, objectId }) => `${name} ${objectId}`}
        columns={COLUMNS}
        empty={<NoEffects event={event} />}
      />
    </Card>
  );
}

function NoEffects({ event: { effects } }: { readonly event: GatewayEvent }) {
  if (effects.length === 0) return <Empty title="Nothing" icon={IconBolt} />;
  return (
    <Empty title={effects.join(', ')} icon={IconBolt}>
      What it is about belongs to another workspace, or was told before by another event.
    </Empty>
  );
}

const COLUMNS: readonly Column<Effect>[] = [
  {
    title: 'What happened',
    cell: ({ name, isLate }) => (
      <>
        <span className="mono">{name}</span> {isLate && <State name="LATE" label="Late" />}
      </>
    ),
  },
  { title: 'To', cell: effect => <Thing of={effect} /> },
  { title: 'When', isWide: true, cell: ({ occurredAt }) => <When at={occurredAt} /> },
];

function Thing({ of: { objectKind, objectId } }: { readonly of: Effect }) {
  return (
    <>
      <Text size="sm">{inPlainWords(objectKind)}</Text>
      {objectKind === 'payment' ? (
        <Anchor component={Link} href={PAYMENTS.payment(objectId)} className="mono">
          {objectId}
        </Anchor>
      ) : (
        <Text className="mono" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {objectId}
        </Text>
      )}
    </>
  );
}
