import { Button, Group, Stack, Switch, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Card } from '../../pieces/Card.tsx';
import { NO_CONSENT_NEEDED } from '../../pieces/consent-words.ts';
import { Dialog } from '../../pieces/Dialog.tsx';
import { State } from '../../pieces/State.tsx';
import { useAction } from '../../pieces/use-action.tsx';
import { When } from '../../pieces/When.tsx';
import { useMay } from '../../session/ViewerProvider.tsx';
import { ConsentForm } from './ConsentForm.tsx';
import { CONSENT_SET, CONSOLE_SOURCE } from './consent-set.ts';
import type { Person } from './person-query.ts';

type Consent = Person['consents'][number];

/** A switch per purpose. Owners change consents; members see them. */
export function Consents({ person: { id, consents } }: { readonly person: Person }) {
  const [isAdding, setIsAdding] = useState(false);
  const isOwner = useMay('OWNER');
  return (
    <Card
      title="Consents"
      actions={
        isOwner && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={15} />}
            onClick={() => setIsAdding(true)}
          >
            Record consent
          </Button>
        )
      }
    >
      {consents.length === 0 ? (
        <Text size="sm" c="dimmed">
          No consents recorded. A campaign or widget is shown only to people who consented to its
          purpose. {NO_CONSENT_NEEDED}
        </Text>
      ) : (
        <Stack gap="md">
          {consents.map(consent => (
            <ConsentLine key={consent.purpose} contactId={id} consent={consent} />
          ))}
        </Stack>
      )}
      <Dialog opened={isAdding} onClose={() => setIsAdding(false)} title="Record consent">
        <ConsentForm contactId={id} onDone={() => setIsAdding(false)} />
      </Dialog>
    </Card>
  );
}

type ConsentLineProps = { readonly contactId: string; readonly consent: Consent };

function ConsentLine({ contactId, consent }: ConsentLineProps) {
  const { purpose, status, source, recordedAt } = consent;
  const isOwner = useMay('OWNER');
  const { run, isRunning } = useAction(CONSENT_SET, { done: `Consent to ${purpose} was changed.` });
  const set = (isGranted: boolean) =>
    void run({
      id: contactId,
      input: { purpose, status: isGranted ? 'GRANTED' : 'DENIED', source: CONSOLE_SOURCE },
    });
  const isGranted = status === 'GRANTED';
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <Stack gap={0} miw={0}>
        <Text size="sm" fw={600}>
          {purpose}
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <When at={recordedAt} isRelative />
          {source !== '' && `, ${source}`}
        </Text>
      </Stack>
      {isOwner ? (
        <Switch
          aria-label={`Consent to ${purpose}`}
          checked={isGranted}
          disabled={isRunning}
          onChange={({ currentTarget }) => set(currentTarget.checked)}
        />
      ) : (
        <State name={status} tone={isGranted ? 'good' : 'bad'} />
      )}
    </Group>
  );
}
