import './parts-of-whole.css';
import { Box, Group, Text } from '@mantine/core';
import { isZero } from './decimal.ts';
import { Money } from './Money.tsx';

export type Part = {
  readonly label: string;
  readonly of: { readonly amount: string; readonly currencyCode: string };
  readonly tone: 'brand' | 'good' | 'waiting' | 'bad' | 'quiet';
};

type PartsOfWholeProps = { readonly parts: readonly Part[] };

/** How an amount is made up: a bar to see it by, and the exact amounts below it. */
export function PartsOfWhole({ parts }: PartsOfWholeProps) {
  const shown = parts.filter(({ of }) => !isZero(of.amount));
  return (
    <Box>
      {shown.length > 0 && (
        <div className="parts-of-whole" aria-hidden>
          {shown.map(({ label, of, tone }) => (
            // The browser reads the decimal: no amount is calculated with.
            <span key={label} className={`part-${tone}`} style={{ flexGrow: of.amount }} />
          ))}
        </div>
      )}
      <dl className="parts-of-whole-names">
        {parts.map(({ label, of, tone }) => (
          <div key={label}>
            <Group component="dt" gap={6} wrap="nowrap">
              <Box className={`part-${tone}`} w={9} h={9} bdrs={3} aria-hidden />
              <Text size="xs" c="dimmed">
                {label}
              </Text>
            </Group>
            <Box component="dd" m={0} fz="sm" fw={600}>
              <Money of={of} />
            </Box>
          </div>
        ))}
      </dl>
    </Box>
  );
}
