import { Box, Button, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconLink, IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Card } from '../../../pieces/Card.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Money } from '../../../pieces/Money.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import { State, type Tone } from '../../../pieces/State.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { useCopy } from '../../../pieces/use-copy.ts';
import { When } from '../../../pieces/When.tsx';
import { type ChosenOrganization, OrganizationSelect } from '../OrganizationSelect.tsx';
import { BILLING_LINKS, type BillingLink } from './links-query.ts';
import { NewLink } from './NewLink.tsx';

/** Payment links for bills of the platform. */
export default function BillingLinks() {
  const [organization, setOrganization] = useState<ChosenOrganization | null>(null);
  const [isNew, setIsNew] = useState(false);
  const organizationId = organization?.id;
  const variables = useMemo(
    () => (organizationId === undefined ? {} : { organizationId }),
    [organizationId],
  );
  const create = (
    <Button variant="default" leftSection={<IconPlus size={17} />} onClick={() => setIsNew(true)}>
      New link
    </Button>
  );
  return (
    <Card title="Billing links" isFlush actions={create}>
      <Box px="lg" pb="sm" maw={420}>
        <OrganizationSelect
          placeholder="All organizations"
          value={organization}
          onChange={setOrganization}
        />
      </Box>
      <PagedTable
        label="Billing links"
        document={BILLING_LINKS}
        variables={variables}
        connectionOf={data => data.billingLinks}
        typename="GatewayLink"
        keyOf={({ id }) => id}
        columns={COLUMNS}
        empty={
          <Empty title="No billing links" icon={IconLink}>
            Organizations pay platform bills through billing links.
          </Empty>
        }
      />
      <Dialog opened={isNew} onClose={() => setIsNew(false)} size="lg" title="New billing link">
        <NewLink onDone={() => setIsNew(false)} />
      </Dialog>
    </Card>
  );
}

const TONES: Readonly<Record<string, Tone>> = {
  PAID: 'good',
  ACTIVE: 'info',
  PARTIALLY_PAID: 'info',
  CREATING: 'waiting',
  REFUSED: 'bad',
};

const COLUMNS: readonly Column<BillingLink>[] = [
  {
    title: 'Purpose',
    cell: ({ purpose, errorMessage }) => (
      <Stack gap={0}>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {purpose}
        </Text>
        {errorMessage !== null && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {errorMessage}
          </Text>
        )}
      </Stack>
    ),
  },
  { title: 'State', cell: ({ status }) => <State name={status} tone={TONES[status]} /> },
  {
    title: 'Amount',
    isNumber: true,
    cell: ({ amount, amountPaid, status }) => (
      <Stack gap={0} align="flex-end">
        <Money of={amount} fw={600} />
        {status === 'PARTIALLY_PAID' && (
          <Text size="xs">
            <Money of={amountPaid} /> paid
          </Text>
        )}
      </Stack>
    ),
  },
  { title: 'Expires', isWide: true, cell: ({ expiresAt }) => <When at={expiresAt} isDated /> },
  { title: 'Created', isWide: true, cell: ({ createdAt }) => <When at={createdAt} isRelative /> },
  { title: 'URL', cell: link => <CopyAddress link={link} /> },
];

function CopyAddress({ link: { url, purpose } }: { readonly link: BillingLink }) {
  const { isCopied, copy } = useCopy();
  if (url === null) return null;
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={isCopied ? <IconCheck size={15} /> : <IconCopy size={15} />}
      aria-label={isCopied ? `URL of ${purpose}: copied` : `Copy the URL of ${purpose}`}
      onClick={() => copy(url)}
    >
      {isCopied ? 'Copied' : 'Copy'}
    </Button>
  );
}
