import { Group, Stack, Text } from '@mantine/core';
import { Card } from '../../pieces/Card.tsx';
import { State } from '../../pieces/State.tsx';
import { When } from '../../pieces/When.tsx';
import type { Person } from './person-query.ts';

type Device = Person['devices'][number];

const PLATFORMS: Readonly<Record<string, string>> = { ios: 'iOS', android: 'Android', web: 'Web' };

/** The API returns the 20 most recent devices. */
export function Devices({ devices }: { readonly devices: readonly Device[] }) {
  return (
    <Card title="Devices">
      {devices.length === 0 ? (
        <Text size="sm" c="dimmed">
          No devices registered for push
        </Text>
      ) : (
        <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
          {devices.map((device, at) => (
            <li key={at}>
              <DeviceLine device={device} />
            </li>
          ))}
        </Stack>
      )}
    </Card>
  );
}

function DeviceLine({ device }: { readonly device: Device }) {
  const { platform, appVersion, maskedToken, status, registeredAt, deactivatedAt } = device;
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <Stack gap={0} miw={0}>
        <Text size="sm" fw={600}>
          {PLATFORMS[platform] ?? platform}
          {appVersion !== null && `, app ${appVersion}`}
        </Text>
        <Text size="xs" c="dimmed">
          {deactivatedAt === null ? 'Registered ' : 'Deactivated '}
          <When at={deactivatedAt ?? registeredAt} isInSentence />
        </Text>
        <Text size="xs" c="dimmed" className="mono" style={{ overflowWrap: 'anywhere' }}>
          {maskedToken}
        </Text>
      </Stack>
      <State name={status} tone={status === 'ACTIVE' ? 'good' : 'quiet'} />
    </Group>
  );
}
