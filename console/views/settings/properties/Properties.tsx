import { Button, Code, Text } from '@mantine/core';
import { IconApps, IconPencil, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Card } from '../../../pieces/Card.tsx';
import { CopyIcon } from '../../../pieces/CopyIcon.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { PropertyForm } from '../PropertyForm.tsx';

const PROPERTIES = graphql(`
  query Properties($after: String) {
    properties(first: 50, after: $after) {
      nodes { id name propertyId createdAt }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

type Property = ResultOf<typeof PROPERTIES>['properties']['nodes'][number];
/** Null for a new property. */
type Opened = { readonly property: Property | undefined };

/** The apps and sites of the workspace. */
export default function Properties() {
  const [opened, setOpened] = useState<Opened>();
  const isOwner = useMay('OWNER');
  const close = () => setOpened(undefined);
  const newProperty = isOwner && (
    <Button
      variant="default"
      leftSection={<IconPlus size={17} />}
      onClick={() => setOpened({ property: undefined })}
    >
      New property
    </Button>
  );
  return (
    <Card title="Properties" isFlush actions={newProperty}>
      <PagedTable
        label="Properties"
        document={PROPERTIES}
        variables={{}}
        connectionOf={data => data.properties}
        typename="Property"
        keyOf={({ id }) => id}
        columns={
          isOwner ? [...COLUMNS, renameColumn(property => setOpened({ property }))] : COLUMNS
        }
        empty={
          <Empty title="No properties yet" icon={IconApps}>
            A property is one app or site that registers devices for push messages.
          </Empty>
        }
      />
      <Dialog
        opened={opened !== undefined}
        onClose={close}
        title={opened?.property === undefined ? 'New property' : `Rename “${opened.property.name}”`}
      >
        <PropertyForm key={opened?.property?.id} property={opened?.property} onDone={close} />
      </Dialog>
    </Card>
  );
}

const COLUMNS: readonly Column<Property>[] = [
  {
    title: 'Name',
    cell: ({ name }) => (
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
    ),
  },
  {
    title: 'Property ID',
    cell: ({ name, propertyId }) => (
      <CopyIcon text={propertyId} label={`property ID of ${name}`}>
        <Code>{propertyId}</Code>
      </CopyIcon>
    ),
  },
  { title: 'Created', isWide: true, cell: ({ createdAt }) => <When at={createdAt} /> },
];

function renameColumn(onRename: (property: Property) => void): Column<Property> {
  return {
    title: 'Actions',
    cell: property => (
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPencil size={15} />}
        aria-label={`Rename ${property.name}`}
        onClick={() => onRename(property)}
      >
        Rename
      </Button>
    ),
  };
}
