import { Stack, Text } from '@mantine/core';
import { Asked } from '../../pieces/Asked.tsx';
import { Card } from '../../pieces/Card.tsx';
import { Facts } from '../../pieces/Facts.tsx';
import { inBytes } from '../../pieces/in-words.ts';
import { Late } from '../../pieces/Late.tsx';
import { State } from '../../pieces/State.tsx';
import { useIngestNodes } from '../../pieces/use-ingest-nodes.ts';

/** Undelivered data on ingest's disks, of all tenants, for platform admins. */
export function SpoolsCard() {
  const asked = useIngestNodes();
  return (
    <Card title="Ingest nodes">
      <Asked asked={asked} label="Loading ingest nodes">
        {({ ingestNodes }) => (
          <Stack gap="lg">
            {ingestNodes.length === 0 && (
              <Text size="sm" c="dimmed">
                No ingest node is configured.
              </Text>
            )}
            {ingestNodes.map(({ number, isAnswering, spools }) => (
              <Stack key={number} gap="xs">
                <State
                  name={`Node ${number}`}
                  label={`Node ${number} ${isAnswering ? 'is healthy' : 'is not responding'}`}
                  tone={isAnswering ? 'good' : 'bad'}
                />
                {spools.map(({ cell, bytes, oldestUnsentSeconds }) => (
                  <Facts
                    key={cell}
                    facts={[
                      ['Cell', cell],
                      ['Queued on disk', inBytes(bytes)],
                      ['Reports', <Late key="late" seconds={oldestUnsentSeconds ?? undefined} />],
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
