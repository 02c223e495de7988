import { Button, Text } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useQuery } from 'urql';
import type { ResultOf } from '../../graph/graphql.ts';
import { Asked } from '../../pieces/Asked.tsx';
import { Card } from '../../pieces/Card.tsx';
import { Empty } from '../../pieces/Empty.tsx';
import { inCount } from '../../pieces/in-words.ts';
import { MoreButton } from '../../pieces/MoreButton.tsx';
import { Page } from '../../pieces/Page.tsx';
import { type Column, Table } from '../../pieces/Table.tsx';
import { useNewInAddress } from '../../pieces/use-new-in-address.ts';
import { usePages } from '../../pieces/use-pages.ts';
import { useRepeat } from '../../pieces/use-repeat.ts';
import { useMay } from '../../session/ViewerProvider.tsx';
import type { Opened } from './KeyDialog.tsx';
import { KeyMenu } from './KeyMenu.tsx';
import { type Arrivals, columnsOf } from './key-columns.tsx';
import { KEYS, OF_KEYS, type SdkKey } from './keys-query.ts';

/** With the snippets of all clients. */
const KeyDialog = lazy(() => import('./KeyDialog.tsx'));

const NEW: Opened = { what: 'form' };

const FOLLOW_MS = 10_000;

export default function Keys() {
  const isOwner = useMay('OWNER');
  const creation = useNewInAddress(isOwner);
  const [ofKey, setOfKey] = useState<Opened>();
  const opened = ofKey ?? (creation.isNew ? NEW : undefined);
  const asked = useQuery({ query: KEYS, variables: {}, context: OF_KEYS });
  const close = () => {
    setOfKey(undefined);
    creation.close();
  };
  const [arrivals, setArrivals] = useState<Arrivals>({});
  useRepeat(asked[1], isFirstUsePending(asked[0].data) ? FOLLOW_MS : undefined);
  return (
    <Page
      title="SDK keys"
      about="Keys that your apps and sites use to send events. They can only send, never read, so they are safe in client code."
      actions={
        isOwner && (
          <Button leftSection={<IconPlus size={17} />} onClick={creation.open}>
            New key
          </Button>
        )
      }
    >
      <Asked asked={asked} label="Loading keys">
        {data => (
          <KeyList data={data} arrivals={arrivals} onOpen={setOfKey} onNew={creation.open} />
        )}
      </Asked>
      <Suspense>
        {opened && (
          <KeyDialog
            opened={opened}
            onOpen={setOfKey}
            onClose={close}
            onArrived={(id, at) => setArrivals(before => ({ ...before, [id]: at }))}
          />
        )}
      </Suspense>
    </Page>
  );
}

/** A key of a single page, since a refetch queries the further pages again as well. */
function isFirstUsePending(data: ResultOf<typeof KEYS> | null | undefined): boolean {
  if (data === undefined || data === null || data.sdkKeys.pageInfo.hasNextPage) return false;
  return data.sdkKeys.nodes.some(({ isActive, lastUsedAt }) => isActive && lastUsedAt === null);
}

type KeyListProps = {
  readonly data: ResultOf<typeof KEYS>;
  readonly arrivals: Arrivals;
  readonly onOpen: (opened: Opened) => void;
  readonly onNew: () => void;
};

function KeyList({ data, arrivals, onOpen, onNew }: KeyListProps) {
  const isOwner = useMay('OWNER');
  const [freshKey, setFreshKey] = useState<string>();
  const { nodes, page, isLoading, showMore } = usePages(data.sdkKeys, KEYS, {}, of => of.sdkKeys);
  if (nodes.length === 0)
    return (
      <Card>
        <Empty title="No keys yet" icon={IconKey}>
          SDKs use a key of this workspace to send events.
          <br />
          {isOwner && (
            <Button mt="md" onClick={onNew}>
              Create your first key
            </Button>
          )}
        </Empty>
      </Card>
    );
  const menu: Column<SdkKey> = {
    title: 'Actions',
    cell: key => (
      <KeyMenu
        sdkKey={key}
        onTry={() => onOpen({ what: 'try', sdkKey: key })}
        onEdit={() => onOpen({ what: 'form', sdkKey: key })}
        onRotated={setFreshKey}
      />
    ),
  };
  const columns = columnsOf({ freshKey, onFocus: () => setFreshKey(undefined), arrivals });
  return (
    <Card isFlush>
      <IngressLimit eventsPerMinute={data.organization?.ingressEventsPerMinute} />
      <Table label="SDK keys" rows={nodes} keyOf={key => key.id} columns={[...columns, menu]} />
      <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
    </Card>
  );
}

/** Set by platform admins. */
function IngressLimit({
  eventsPerMinute,
}: {
  readonly eventsPerMinute: number | null | undefined;
}) {
  if (eventsPerMinute == null) return null;
  return (
    <Text size="sm" p="md">
      Ingress limit: all keys of the organization together can send {inCount(eventsPerMinute)}{' '}
      events per minute.
    </Text>
  );
}
