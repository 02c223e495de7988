import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { inPercent } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import type { Preview } from './payouts-query.ts';

type CalculationProps = {
  readonly gross: string;
  readonly currency: string;
  readonly preview: Preview;
};

/** From the requested amount to the amount sent to the bank. */
export function Calculation({ gross, currency, preview }: CalculationProps) {
  const { taxRateBps, tax, net } = preview;
  return (
    <Stack gap={6} component="dl" m={0} aria-live="polite">
      <Line label="Requested">
        <Money of={{ amount: gross, currencyCode: currency }} />
      </Line>
      <Line label={`Tax, ${inPercent((taxRateBps ?? 0) / 10_000)}`}>
        − <Money of={tax} />
      </Line>
      <Line label="You receive" isTotal>
        <Money of={net} />
      </Line>
    </Stack>
  );
}

type LineProps = {
  readonly label: string;
  readonly isTotal?: boolean;
  readonly children: ReactNode;
};

function Line({ label, isTotal = false, children }: LineProps) {
  return (
    <Group
      justify="space-between"
      gap="sm"
      style={isTotal ? { borderTop: '1px solid var(--card-line)', paddingTop: 8 } : undefined}
    >
      <Text component="dt" size="sm" {...(isTotal ? { fw: 600 } : { c: 'dimmed' })}>
        {label}
      </Text>
      <Text component="dd" m={0} {...(isTotal ? { fw: 700, size: 'lg' } : { size: 'sm' })}>
        {children}
      </Text>
    </Group>
  );
}
