import { Box, Button, Menu, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconBuilding, IconGauge, IconPlus, IconSearch, IconX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { Card } from '../../../pieces/Card.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { MoreMenu } from '../../../pieces/MoreMenu.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { useViewer } from '../../../session/ViewerProvider.tsx';
import { CloseOrganization } from './CloseOrganization.tsx';
import { NewOrganization } from './NewOrganization.tsx';
import { OrganizationLimit } from './OrganizationLimit.tsx';
import { ORGANIZATION_COLUMNS } from './organization-columns.tsx';
import { ORGANIZATIONS, type Organization } from './organizations-query.ts';

const TYPING_MS = 300;

type Opened = { readonly form: 'limit' | 'close'; readonly organization: Organization };

/** All organizations, and their ingress limits. */
export default function Organizations() {
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const variables = useMemo(() => (search === '' ? {} : { search }), [search]);
  const [isNew, setIsNew] = useState(false);
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const find = useDebouncedCallback(
    (text: string) => setParams(text === '' ? {} : { search: text }, { replace: true }),
    TYPING_MS,
  );
  const actions: Column<Organization> = {
    title: 'Actions',
    cell: organization => <OrganizationMenu organization={organization} onOpen={setOpened} />,
  };
  const create = (
    <Button variant="default" leftSection={<IconPlus size={17} />} onClick={() => setIsNew(true)}>
      New organization
    </Button>
  );
  return (
    <Card title="Organizations" isFlush actions={create}>
      <Box component="search" px="lg" pb="sm">
        <TextInput
          type="search"
          label="Search by name"
          leftSection={<IconSearch size={16} />}
          maw={320}
          defaultValue={search}
          onChange={({ currentTarget }) => find(currentTarget.value.trim())}
        />
      </Box>
      <PagedTable
        label="Organizations"
        document={ORGANIZATIONS}
        variables={variables}
        connectionOf={data => data.platformOrganizations}
        typename="PlatformOrganization"
        keyOf={({ id }) => id}
        columns={[...ORGANIZATION_COLUMNS, actions]}
        empty={
          <Empty
            title={search === '' ? 'No organizations yet' : `No organizations match “${search}”`}
            icon={IconBuilding}
          />
        }
      />
      <NewOrganization isOpen={isNew} onClose={() => setIsNew(false)} />
      <Dialog opened={opened !== undefined} onClose={close} title={opened && titleOf(opened)}>
        {opened?.form === 'limit' && (
          <OrganizationLimit organization={opened.organization} onDone={close} />
        )}
        {opened?.form === 'close' && (
          <CloseOrganization organization={opened.organization} onDone={close} />
        )}
      </Dialog>
    </Card>
  );
}

function titleOf({ form, organization: { name } }: Opened): string {
  return form === 'limit' ? `Limit of “${name}”` : `Close “${name}”`;
}

type OrganizationMenuProps = {
  readonly organization: Organization;
  readonly onOpen: (opened: Opened) => void;
};

/** The viewer's own organization can't be closed. */
function OrganizationMenu({ organization, onOpen }: OrganizationMenuProps) {
  const { organization: own } = useViewer();
  if (organization.closedAt !== null) return null;
  return (
    <MoreMenu label={`Actions for ${organization.name}`} widthPx={160} isQuiet>
      <Menu.Item
        leftSection={<IconGauge size={16} />}
        onClick={() => onOpen({ form: 'limit', organization })}
      >
        Set limit
      </Menu.Item>
      {organization.id !== own?.id && (
        <Menu.Item
          leftSection={<IconX size={16} />}
          c="var(--mantine-color-error)"
          onClick={() => onOpen({ form: 'close', organization })}
        >
          Close
        </Menu.Item>
      )}
    </MoreMenu>
  );
}
