import { Stack, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { graphql } from '../../graph/graphql.ts';
import { Asked } from '../../pieces/Asked.tsx';
import { Card } from '../../pieces/Card.tsx';
import { Facts } from '../../pieces/Facts.tsx';
import { inBytes, inDuration } from '../../pieces/in-words.ts';
import { State } from '../../pieces/State.tsx';
import { isLate } from '../../pieces/use-delay.ts';
import { useRepeat } from '../../pieces/use-repeat.ts';

const NODES = graphql(`
  query LiveIngestNodes {
    ingestNodes { number isAnswering spools { cell bytes oldestUnsentSeconds } }
  }
`);

const ASK_INTERVAL_MS = 10_000;

/** Undelivered data on ingest's disks, of all tenants, for platform admins. */
export function SpoolsCard() {
  const asked = useQuery({ query: NODES });
  const [, ask] = asked;
  useRepeat(ask, ASK_INTERVAL_MS);
  return (
    <Card title="Ingest, all workspaces">
      <Asked asked={asked} label="Asking ingest">
        {({ ingestNodes }) => (
          <Stack gap="lg">
            {ingestNodes.length === 0 && (
              <Text size="sm" c="dimmed">
                This service knows no address of ingest.
              </Text>
            )}
            {ingestNodes.map(({ number, isAnswering, spools }) => (
              <Stack key={number} gap="xs">
                <State
                  name={`Node ${number}`}
                  label={`Node ${number} ${isAnswering ? 'answers' : 'does not answer'}`}
                  tone={isAnswering ? 'good' : 'bad'}
                />
                {spools.map(({ cell, bytes, oldestUnsentSeconds }) => (
                  <Facts
                    key={cell}
                    facts={[
                      ['Cell', cell],
                      ['Waits on disk', inBytes(bytes)],
                      ['Reports', <Late key="late" seconds={oldestUnsentSeconds} />],
                    ]}
                  />
                ))}
              </Stack>
            ))}
          </Stack>
        )}
      </Asked>
    </Card>
  );
}

function Late({ seconds }: { readonly seconds: number }) {
  if (!isLate({ seconds })) return <State name="up to date" tone="good" />;
  return <State name="late" label={`${inDuration(seconds)} late`} tone="bad" />;
}
