import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Card } from '../../../pieces/Card.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { type Credentials, SECRETS, type Secret, type SecretName } from './account-query.ts';
import { RotateForm } from './RotateForm.tsx';

type Row = {
  readonly name: SecretName;
  readonly title: string;
  readonly about: string;
  readonly secret: Secret | null;
};

/** The secrets that are set, with their time and last characters. */
export function SecretList({ credentials }: { readonly credentials: Credentials }) {
  const [rotated, setRotated] = useState<Row>();
  const isOwner = useMay('OWNER');
  const rows = SECRETS.map(({ field, ...secret }) => ({ ...secret, secret: credentials[field] }));
  const actions: Column<Row> = {
    title: 'Actions',
    cell: row => (
      <Button
        size="xs"
        variant="default"
        aria-label={`${row.secret === null ? 'Set' : 'Rotate'}: ${row.title}`}
        onClick={() => setRotated(row)}
      >
        {row.secret === null ? 'Set' : 'Rotate'}
      </Button>
    ),
  };
  const close = () => setRotated(undefined);
  return (
    <Card title="Secrets" isFlush>
      <Table
        label="Secrets"
        rows={rows}
        keyOf={row => row.name}
        columns={isOwner ? [...COLUMNS, actions] : COLUMNS}
      />
      <Dialog opened={rotated !== undefined} onClose={close} title={rotated?.title}>
        {rotated && (
          <RotateForm name={rotated.name} isSet={rotated.secret !== null} onDone={close} />
        )}
      </Dialog>
    </Card>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    title: 'Secret',
    cell: ({ title, about }) => (
      <Stack gap={0}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="xs" c="dimmed">
          {about}
        </Text>
      </Stack>
    ),
  },
  {
    title: 'Known of it',
    cell: ({ secret }) =>
      secret === null ? (
        <Text size="sm" c="dimmed">
          Not set
        </Text>
      ) : (
        <Group gap={6}>
          <span className="mono">…{secret.fingerprint.slice(-4)}</span>
          <Text size="xs" c="dimmed">
            set <When at={secret.setAt} isInSentence />
          </Text>
        </Group>
      ),
  },
  {
    title: 'The one before',
    isWide: true,
    cell: ({ secret }) =>
      secret?.previousUntil ? (
        <>
          works until <When at={secret.previousUntil} />
        </>
      ) : (
        '–'
      ),
  },
];
