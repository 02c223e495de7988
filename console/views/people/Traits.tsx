import { Text } from '@mantine/core';
import { Card } from '../../pieces/Card.tsx';
import { Facts } from '../../pieces/Facts.tsx';
import { inBytes } from '../../pieces/in-words.ts';
import type { Person } from './person-query.ts';

export function Traits({ person: { traits, traitsBytes } }: { readonly person: Person }) {
  return (
    <Card title="Traits">
      {traits === null ? (
        <Text size="sm">The traits are too large to show: {inBytes(traitsBytes)}.</Text>
      ) : (
        <TraitFacts traits={traits as Readonly<Record<string, unknown>>} />
      )}
    </Card>
  );
}

function TraitFacts({ traits }: { readonly traits: Readonly<Record<string, unknown>> }) {
  const names = Object.keys(traits).toSorted();
  if (names.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No traits yet
      </Text>
    );
  return <Facts facts={names.map(name => [name, inText(traits[name])] as const)} />;
}

function inText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
