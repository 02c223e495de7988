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
