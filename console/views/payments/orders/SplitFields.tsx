import { Button, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Problem } from '../../../pieces/Problem.tsx';
import type { Refusal } from '../../../pieces/use-action.tsx';
import { ORDER_VENDORS } from './order-vendors.ts';
import { SplitRow } from './SplitRow.tsx';
import { newSplit, refusedPart, refusedTogether, type SplitDraft } from './split-draft.ts';

/** Others can't be paid. */
const ACTIVE = 'ACTIVE';

type SplitFieldsProps = {
  readonly splits: readonly SplitDraft[];
  readonly currency: string;
  readonly onChange: (splits: readonly SplitDraft[]) => void;
  /** Whether missing values are errors. */
  readonly isTried: boolean;
  readonly refusals: readonly Refusal[];
};

/** The vendors who receive parts of an order. */
export function SplitFields({ splits, currency, onChange, isTried, refusals }: SplitFieldsProps) {
  const [{ data, error, fetching }, ask] = useQuery({ query: ORDER_VENDORS });
  const active = data?.gatewayVendors.nodes.filter(({ status }) => status === ACTIVE) ?? [];
  const chosen = new Set(splits.map(({ vendorId }) => vendorId));
  const together = refusedTogether(refusals);
  return (
    <Stack component="fieldset" gap="sm" m={0} p={0} bd={0} miw={0}>
      <Text component="legend" size="sm" fw={500} p={0}>
        Vendors
      </Text>
      {error && <Problem error={error} onRetry={() => ask({ requestPolicy: 'network-only' })} />}
      {data !== undefined && active.length === 0 ? (
        <Text size="sm" c="dimmed">
          The workspace has no active vendor to share the payment with.
        </Text>
      ) : (
        <Text size="sm" c="dimmed">
          They receive their shares of the payment. You receive the rest.
        </Text>
      )}
      {splits.map((split, at) => (
        <SplitRow
          key={split.key}
          split={split}
          number={at + 1}
          currency={currency}
          vendors={active.filter(({ id }) => id === split.vendorId || !chosen.has(id))}
          isLoading={fetching && data === undefined}
          isTried={isTried}
          refusedVendor={refusedPart(refusals, at, 'vendor')}
          refusedShare={refusedPart(refusals, at, 'share')}
          onChange={next => onChange(splits.map(one => (one.key === next.key ? next : one)))}
          onRemove={() => onChange(splits.filter(({ key }) => key !== split.key))}
        />
      ))}
      {together !== undefined && (
        <Text role="alert" size="sm" c="var(--mantine-color-error)">
          {together}
        </Text>
      )}
      {splits.length < active.length && (
        <Button
          variant="default"
          leftSection={<IconPlus size={17} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => onChange([...splits, newSplit()])}
        >
          Add vendor
        </Button>
      )}
    </Stack>
  );
}
