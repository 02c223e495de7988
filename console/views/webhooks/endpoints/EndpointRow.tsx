import { Anchor, Box, Code, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { State } from '../../../pieces/State.tsx';
import { When } from '../../../pieces/When.tsx';
import { DISABLED_REASONS, ENDPOINT_TONES, nameOf } from '../endpoint-words.ts';
import { WEBHOOKS } from '../webhook-paths.ts';
import { DayBar } from './DayBar.tsx';
import type { ListedEndpoint } from './endpoints-query.ts';

type EndpointRowProps = { readonly endpoint: ListedEndpoint };

export function EndpointRow({ endpoint }: EndpointRowProps) {
  const { id, url, state, lastDay } = endpoint;
  const name = nameOf(endpoint);
  return (
    <Box className="card" p="lg">
      <Group justify="space-between" align="flex-start" gap="lg">
        <Stack gap={6} flex="1 1 20rem" miw={0}>
          <Group gap="sm">
            <Anchor component={Link} href={WEBHOOKS.endpoint(id)} fw={650} underline="hover">
              {name}
            </Anchor>
            {state === 'ENABLED' && endpoint.failingSince !== null ? (
              <State name="FAILING" tone="bad" />
            ) : (
              <State
                name={state}
                tone={ENDPOINT_TONES[state]}
                label={state === 'ENABLED' ? 'Enabled' : 'Disabled'}
              />
            )}
          </Group>
          <Text className="mono" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Text>
          <Choices choices={endpoint.eventTypes} />
        </Stack>
        <Stack gap={6} flex="1 1 14rem" maw={{ sm: 320 }}>
          <DayBar counts={lastDay} />
          <Standing endpoint={endpoint} />
        </Stack>
      </Group>
    </Box>
  );
}

function Standing({ endpoint }: EndpointRowProps) {
  const { state, disabledReason, failingSince, lastSuccessAt } = endpoint;
  return (
    <Text size="xs" c="dimmed">
      {state !== 'ENABLED' && disabledReason !== null ? (
        DISABLED_REASONS[disabledReason]
      ) : failingSince !== null ? (
        <>
          Failing since <When at={failingSince} />
        </>
      ) : (
        <>
          Last success: <When at={lastSuccessAt} never="never" isRelative />
        </>
      )}
    </Text>
  );
}

const CHOICES_SHOWN_MAX = 4;

/** The subscribed events. */
export function Choices({ choices }: { readonly choices: readonly string[] }) {
  if (choices.length === 0) return <Text size="sm">All events</Text>;
  const more = choices.length - CHOICES_SHOWN_MAX;
  return (
    <Group gap={6}>
      {choices.slice(0, CHOICES_SHOWN_MAX).map(choice => (
        <Code key={choice}>{choice}</Code>
      ))}
      {more > 0 && (
        <Text size="sm" c="dimmed">
          and {more} more
        </Text>
      )}
    </Group>
  );
}
