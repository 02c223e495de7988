import { Stack, Text } from '@mantine/core';
import { inCount } from '../../../pieces/in-words.ts';
import { State } from '../../../pieces/State.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import type { Organization } from './organizations-query.ts';

export const ORGANIZATION_COLUMNS: readonly Column<Organization>[] = [
  {
    title: 'Organization',
    cell: ({ name }) => (
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
    ),
  },
  { title: 'State', cell: organization => <OrganizationState of={organization} /> },
  {
    title: 'Limit per minute',
    isNumber: true,
    isWide: true,
    cell: ({ ingressEventsPerMinute: limit, ownIngressEventsPerMinute: own }) => (
      <Stack gap={0} align="flex-end">
        {limit === null ? 'None' : inCount(limit)}
        {limit !== null && (
          <Text size="xs" c="dimmed">
            {own === null ? 'default of its cells' : 'its own'}
          </Text>
        )}
      </Stack>
    ),
  },
  { title: 'Created', isWide: true, cell: ({ createdAt }) => <When at={createdAt} isRelative /> },
];

function OrganizationState({ of }: { readonly of: Organization }) {
  const { closedAt, eraseAt, erasedAt } = of;
  if (closedAt === null) return <State name="open" tone="good" />;
  return (
    <Stack gap={0} align="flex-start">
      <State name="closed" tone="bad" />
      <Text size="xs" c="dimmed">
        {erasedAt !== null ? (
          <>
            erased <When at={erasedAt} isInSentence />
          </>
        ) : (
          <>
            erased on <When at={eraseAt} isDated />
          </>
        )}
      </Text>
    </Stack>
  );
}
