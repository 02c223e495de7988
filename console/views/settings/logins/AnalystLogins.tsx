import { Button, Code, Menu, Stack, Text } from '@mantine/core';
import { IconBan, IconDatabase, IconPlus } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { confirm } from '../../../pieces/confirm.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { MoreButton } from '../../../pieces/MoreButton.tsx';
import { MoreMenu } from '../../../pieces/MoreMenu.tsx';
import { State, type Tone } from '../../../pieces/State.tsx';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { useNewInAddress } from '../../../pieces/use-new-in-address.ts';
import { usePages } from '../../../pieces/use-pages.ts';
import { useRepeat } from '../../../pieces/use-repeat.ts';
import { When } from '../../../pieces/When.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { type AnalystLogin, LOGINS, OF_LOGINS } from './logins-query.ts';
import { NewLogin } from './NewLogin.tsx';

const REVOKE = graphql(`
  mutation AnalystLoginRevoke($id: ID!) {
    analystLoginRevoke(id: $id) { analystLogin { id state } userErrors { message field } }
  }
`);

/** ClickHouse applies a change after about a second. */
const FOLLOW_MS = 1_000;

/** The logins of analysts in ClickHouse. */
export default function AnalystLogins() {
  const isOwner = useMay('OWNER');
  const { isNew, open, close } = useNewInAddress(isOwner);
  const [asked, again] = useQuery({ query: LOGINS, variables: {}, context: OF_LOGINS });
  const isChanging = asked.data?.analystLogins.nodes.some(({ state }) => state.endsWith('ING'));
  useRepeat(again, isChanging ? FOLLOW_MS : undefined);
  return (
    <Card
      title="Analyst logins"
      isFlush
      actions={
        isOwner && (
          <Button variant="default" leftSection={<IconPlus size={17} />} onClick={open}>
            New login
          </Button>
        )
      }
    >
      <Asked asked={[asked, again]} label="Loading logins">
        {data => <LoginList data={data} />}
      </Asked>
      <NewLogin isOpen={isNew} onClose={close} />
    </Card>
  );
}

function LoginList({ data }: { readonly data: ResultOf<typeof LOGINS> }) {
  const pages = usePages(data.analystLogins, LOGINS, {}, of => of.analystLogins);
  const { nodes, page, isLoading, showMore } = pages;
  if (nodes.length === 0)
    return (
      <Empty title="No logins yet" icon={IconDatabase}>
        A login can query the data of this workspace with SQL in ClickHouse, for example from
        Metabase, Grafana or Python.
      </Empty>
    );
  return (
    <>
      <Table label="Analyst logins" rows={nodes} keyOf={({ id }) => id} columns={COLUMNS} />
      <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
    </>
  );
}

const COLUMNS: readonly Column<AnalystLogin>[] = [
  {
    title: 'Login',
    cell: ({ name, userName }) => (
      <Stack gap={2}>
        <Text fw={600} size="sm">
          {name}
        </Text>
        <Code style={{ width: 'fit-content' }}>{userName}</Code>
      </Stack>
    ),
  },
  { title: 'State', cell: ({ state }) => <State name={state} tone={TONES[state]} /> },
  { title: 'Address', isWide: true, cell: ({ url }) => url ?? 'Not configured' },
  { title: 'Database', isWide: true, cell: ({ database }) => database ?? 'Not yet' },
  { title: 'Created', isWide: true, cell: ({ createdAt }) => <When at={createdAt} isRelative /> },
  { title: 'Actions', cell: login => <LoginMenu login={login} /> },
];

const TONES: Record<AnalystLogin['state'], Tone> = {
  PENDING: 'waiting',
  ACTIVE: 'good',
  REVOKING: 'waiting',
  REVOKED: 'bad',
};

function LoginMenu({ login: { id, name, userName, state } }: { readonly login: AnalystLogin }) {
  const isOwner = useMay('OWNER');
  const { run } = useAction(REVOKE, { done: `“${name}” was revoked.` });
  if (!isOwner || state === 'REVOKED' || state === 'REVOKING') return null;
  const revoke = () =>
    confirm({
      title: `Revoke “${name}”`,
      confirm: 'Revoke login',
      isDangerous: true,
      children: (
        <>
          ClickHouse refuses <Code>{userName}</Code> within seconds. This can’t be undone.
        </>
      ),
      onConfirm: () => void run({ id }),
    });
  return (
    <MoreMenu label={`Actions for ${name}, ${userName}`} widthPx={160} isQuiet>
      <Menu.Item
        leftSection={<IconBan size={16} />}
        c="var(--mantine-color-error)"
        onClick={revoke}
      >
        Revoke
      </Menu.Item>
    </MoreMenu>
  );
}
