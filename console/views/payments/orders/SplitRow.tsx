import { ActionIcon, Group, Select, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { AmountInput } from '../../../pieces/AmountInput.tsx';
import { readAmount } from '../../../pieces/decimal.ts';
import type { PayableVendor } from './order-vendors.ts';
import type { SplitDraft } from './split-draft.ts';

const KINDS = [
  { value: 'percentage', label: 'Percentage' },
  { value: 'amount', label: 'Amount' },
] as const;

type SplitRowProps = {
  readonly split: SplitDraft;
  /** Its place in the list, for screen readers. */
  readonly number: number;
  readonly currency: string;
  readonly vendors: readonly PayableVendor[];
  readonly isLoading: boolean;
  readonly isTried: boolean;
  readonly refusedVendor: string | undefined;
  readonly refusedShare: string | undefined;
  readonly onChange: (next: SplitDraft) => void;
  readonly onRemove: () => void;
};

export function SplitRow(props: SplitRowProps) {
  const { split, number, vendors, isLoading, isTried, refusedVendor, onChange, onRemove } = props;
  const isMissing = isTried && split.vendorId === null;
  return (
    <Group gap="sm" align="flex-start">
      <Select
        aria-label={`Vendor ${number}`}
        placeholder={isLoading ? 'Loading…' : 'Choose a vendor'}
        searchable
        nothingFoundMessage="No matching vendors"
        data={vendors.map(({ id, name, receiver }) => ({
          value: id,
          label: `${name} ${receiver}`,
        }))}
        value={split.vendorId}
        onChange={vendorId => onChange({ ...split, vendorId })}
        allowDeselect={false}
        error={isMissing ? 'Choose a vendor.' : refusedVendor}
        flex="1 1 180px"
      />
      <Select
        aria-label={`Kind of share ${number}`}
        data={KINDS}
        value={split.by}
        onChange={by => onChange({ ...split, by: by as SplitDraft['by'] })}
        allowDeselect={false}
        w={130}
      />
      <Share {...props} />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={`Remove vendor ${number}`}
        onClick={onRemove}
      >
        <IconX size={17} />
      </ActionIcon>
    </Group>
  );
}

function Share({ split, number, currency, isTried, refusedShare, onChange }: SplitRowProps) {
  const isMissing = isTried && readAmount(split.share) === undefined;
  const label = `Share of vendor ${number}`;
  if (split.by === 'amount')
    return (
      <AmountInput
        aria-label={label}
        currency={currency}
        value={split.share}
        onChange={share => onChange({ ...split, share })}
        error={isMissing ? 'Enter an amount.' : refusedShare}
        flex="1 1 100px"
      />
    );
  return (
    <TextInput
      aria-label={label}
      inputMode="decimal"
      autoComplete="off"
      rightSection="%"
      value={split.share}
      onChange={({ currentTarget }) => onChange({ ...split, share: currentTarget.value })}
      error={isMissing ? 'Enter a percentage.' : refusedShare}
      flex="1 1 100px"
    />
  );
}
