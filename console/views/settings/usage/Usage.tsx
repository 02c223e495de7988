import { Anchor, Progress, Stack, Text } from '@mantine/core';
import { IconGauge } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { useRepeat } from '../../../pieces/use-repeat.ts';

const USAGE = graphql(`
  query LimitsAndUsage {
    organization { id ingressEventsPerMinute }
    ingestHealth {
      caps {
        organizationMinute { cap used }
        keys {
          sdkKey { id name writeKey }
          minute { cap used }
          hour { cap used }
        }
      }
    }
  }
`);

type Caps = NonNullable<ResultOf<typeof USAGE>['ingestHealth']>['caps'];
type KeyUsage = Caps['keys'][number];

/** The counters change with each event; the windows are minutes and hours. */
const FOLLOW_MS = 10_000;

/** The limits on events, and how much of them is used now. */
export default function Usage() {
  const [asked, again] = useQuery({ query: USAGE });
  useRepeat(again, FOLLOW_MS);
  return (
    <Asked asked={[asked, again]} label="Loading usage">
      {({ organization, ingestHealth }) => (
        <Stack gap="lg">
          <Card title="Organization">
            <Ingress
              limit={organization?.ingressEventsPerMinute ?? null}
              usage={ingestHealth?.caps.organizationMinute ?? null}
            />
          </Card>
          {ingestHealth && <Keys keys={ingestHealth.caps.keys} />}
        </Stack>
      )}
    </Asked>
  );
}

type Amount = { readonly cap: number; readonly used: number };

function Ingress({ limit, usage }: { readonly limit: number | null; usage: Amount | null }) {
  if (limit === null)
    return <Text size="sm">Events per minute, across all SDK keys: no limit.</Text>;
  return (
    <Stack gap="xs" maw={420}>
      <Text size="sm">
        At most {inCount(limit)} events per minute, across all SDK keys. The platform operator sets
        this limit.
      </Text>
      <Used amount={usage} label="Events of the organization in this minute" />
    </Stack>
  );
}

function Keys({ keys }: { readonly keys: readonly KeyUsage[] }) {
  const edit = (
    <Anchor component={Link} href="/keys" size="sm">
      Edit SDK keys
    </Anchor>
  );
  return (
    <Card title="SDK keys" isFlush actions={edit}>
      {keys.length === 0 ? (
        <Empty title="No active SDK keys" icon={IconGauge} />
      ) : (
        <Table
          label="Usage of SDK keys"
          rows={keys}
          keyOf={({ sdkKey }) => sdkKey?.id ?? ''}
          columns={COLUMNS}
        />
      )}
    </Card>
  );
}

const COLUMNS: readonly Column<KeyUsage>[] = [
  {
    title: 'Key',
    cell: ({ sdkKey }) => (
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {sdkKey?.name}
      </Text>
    ),
  },
  {
    title: 'This minute',
    cell: ({ sdkKey, minute }) => (
      <Used amount={minute} label={`${sdkKey?.name}: events in this minute`} />
    ),
  },
  {
    title: 'This hour',
    cell: ({ sdkKey, hour }) => (
      <Used amount={hour} label={`${sdkKey?.name}: events in this hour`} />
    ),
  },
];

const NEARLY_FULL = 0.8;

/** Without a cap nothing is counted. */
function Used({ amount, label }: { readonly amount: Amount | null; readonly label: string }) {
  if (amount === null)
    return (
      <Text size="sm" c="dimmed">
        No limit
      </Text>
    );
  const share = amount.used / amount.cap;
  return (
    <>
      <Text size="sm">
        {inCount(Math.ceil(amount.used))} of {inCount(amount.cap)}
      </Text>
      <Progress
        mt={4}
        value={Math.min(100, share * 100)}
        color={share >= NEARLY_FULL ? 'orange.7' : 'brand'}
        aria-label={label}
      />
    </>
  );
}
