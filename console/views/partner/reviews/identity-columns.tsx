import { Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { State, type Tone } from '../../../pieces/State.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { ENTITY_TYPES } from '../identity/entity-types.ts';
import type { Submission } from './identities-query.ts';

const STATES: Record<Submission['status'], { readonly label: string; readonly tone: Tone }> = {
  KYC_PENDING: { label: 'In review', tone: 'waiting' },
  KYC_APPROVED: { label: 'Approved', tone: 'good' },
  KYC_REJECTED: { label: 'Rejected', tone: 'bad' },
  SUPERSEDED: { label: 'Superseded', tone: 'quiet' },
};

export const IDENTITY_STATUS_OPTIONS = Object.entries(STATES).map(([value, { label }]) => ({
  value,
  label,
}));

export const IDENTITY_COLUMNS: readonly Column<Submission>[] = [
  {
    title: 'Partner',
    cell: ({ fullName, organizationName, entityType, panMasked, alerts }) => (
      <Stack gap={2}>
        <Text size="sm">{fullName}</Text>
        <Text size="xs" c="dimmed">
          {organizationName} · {ENTITY_TYPES[entityType]}
        </Text>
        {alerts.map(alert => (
          <Alerted key={`${alert.kind} ${alert.organizationId}`} alert={alert} />
        ))}
        {alerts.length === 0 && (
          <Text size="xs" c="dimmed">
            {panMasked === null ? 'Bank account' : 'PAN and bank account'} not submitted by others
          </Text>
        )}
      </Stack>
    ),
  },
  {
    title: 'Tax',
    isWide: true,
    cell: ({ panMasked, panName, hasGst }) => (
      <Stack gap={0}>
        <Text size="sm" className="mono">
          {panMasked ?? 'No PAN'}
        </Text>
        <Text size="xs" c="dimmed">
          {[panName, hasGst && 'with GSTIN'].filter(Boolean).join(', ')}
        </Text>
      </Stack>
    ),
  },
  {
    title: 'Bank',
    isWide: true,
    cell: ({ bankAccountMasked, bankIfsc, bankAccountHolderName }) => (
      <Stack gap={0}>
        <Text size="sm" className="mono">
          {bankAccountMasked}
        </Text>
        <Text size="xs" c="dimmed">
          {bankIfsc}, {bankAccountHolderName}
        </Text>
      </Stack>
    ),
  },
  {
    title: 'State',
    cell: ({ status, createdAt, reviewedAt, rejectionReason }) => (
      <Stack gap={4} align="flex-start">
        <State name={status} {...STATES[status]} />
        <Text size="xs" c="dimmed">
          <When at={reviewedAt ?? createdAt} isRelative />
          {rejectionReason !== null && ` · ${rejectionReason}`}
        </Text>
      </Stack>
    ),
  },
];

const SAME: Record<Submission['alerts'][number]['kind'], string> = {
  SAME_PAN: 'Same PAN as',
  SAME_BANK_ACCOUNT: 'Same bank account as',
};

function Alerted({ alert }: { readonly alert: Submission['alerts'][number] }) {
  return (
    <Group gap={5} wrap="nowrap" c="light-dark(#8a4b00, #ffc46b)">
      <IconAlertTriangle size={14} aria-hidden style={{ flex: 'none' }} />
      <Text size="xs">
        {SAME[alert.kind]} {alert.organizationName}
      </Text>
    </Group>
  );
}
