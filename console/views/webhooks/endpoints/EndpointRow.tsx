import { Anchor, Box, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { State } from '../../../pieces/State.tsx';
import { When } from '../../../pieces/When.tsx';
import { Choices } from '../Choices.tsx';
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
          Last success: <When at={lastSuccessAt} never="never" isInSentence />
        </>
      )}
    </Text>
  );
}
