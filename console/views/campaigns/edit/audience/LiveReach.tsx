import { Anchor, Group, Loader, Text } from '@mantine/core';
import { problemOf } from '../../../../pieces/problem.ts';
import { reachInWords } from '../../Reach.tsx';
import { useLiveReach } from './use-live-reach.ts';

type LiveReachProps = {
  /** Undefined while it is not complete. */
  readonly audience: unknown;
  readonly consentPurpose: string;
};

const PEOPLE = `${import.meta.env.BASE_URL}people`;

/** How many people are in the audience while it is edited. */
export function LiveReach(props: LiveReachProps) {
  const { isMissing, isCurrent, isEverybody, purpose, size, error } = useLiveReach(props);
  return (
    <Group gap="sm" role="status" mih={28}>
      {isMissing && (
        <Text size="sm" c="dimmed">
          Complete the audience and the consent to count the people.
        </Text>
      )}
      {!isMissing && !isCurrent && (
        <>
          <Loader size="xs" aria-hidden />
          <Text size="sm" c="dimmed">
            Counting…
          </Text>
        </>
      )}
      {isCurrent && (
        <Text size="sm">
          {error ? faultInWords(error) : size && inWords(reachInWords(size, purpose))}
          {!isEverybody && size?.matching === 0 && <NobodyMatches />}
        </Text>
      )}
    </Group>
  );
}

/** The link opens another tab, so that the form stays. */
function NobodyMatches() {
  return (
    <>
      {' '}
      Nobody matches. Compare the traits and values with those of your contacts in{' '}
      <Anchor href={PEOPLE} target="_blank" rel="opener" inherit underline="always">
        People (new tab)
      </Anchor>
      ; they are case-sensitive.
    </>
  );
}

function inWords(reach: string): string {
  return `That is ${reach}.`;
}

function faultInWords(error: Parameters<typeof problemOf>[0]): string {
  return problemOf(error).code === 'BAD_USER_INPUT'
    ? 'The audience or the consent can’t be used yet.'
    : 'The number of people is not known now.';
}
