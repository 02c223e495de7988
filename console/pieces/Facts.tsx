import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';

type FactsProps = {
  /** Null and undefined values are omitted. */
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
};

/** The properties of one object: names on the left, values on the right. */
export function Facts({ facts }: FactsProps) {
  return (
    <Box
      component="dl"
      m={0}
      style={{
        display: 'grid',
        // Long names wrap, so that the values keep more than half of the width.
        gridTemplateColumns: 'fit-content(45%) minmax(0, 1fr)',
        gap: '0.45rem 1rem',
      }}
    >
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
    </Box>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: ReactNode }) {
  return (
    <>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
        {value}
      </Text>
    </>
  );
}
