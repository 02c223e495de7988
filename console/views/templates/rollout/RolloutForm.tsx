import { Alert, Button, Group, Radio, Select, Stack, Text } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';
import { useState } from 'react';
import { Refusals } from '../../../pieces/Refusals.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { FindingList } from '../findings/Findings.tsx';
import { peopleOf } from '../people-of.ts';
import type { Version } from '../version-query.ts';
import { ImpactList } from './ImpactList.tsx';
import type { RolloutDeed } from './Rollout.tsx';
import type { Impact } from './rollout-query.ts';
import { type Policy, useRollout } from './use-rollout.ts';

export type RolloutFormProps = {
  readonly version: Version;
  readonly deed: RolloutDeed;
  readonly impact: Impact;
  readonly isApproverThere: boolean;
  readonly onClose: () => void;
};

/** The affected people, the effect on them, and the button to confirm. */
export function RolloutForm(props: RolloutFormProps) {
  const { version, deed, impact, isApproverThere, onClose } = props;
  const isOwner = useMay('OWNER');
  const [policy, setPolicy] = useState<Policy>(
    deed === 'force' || version.forceRollout ? 'move' : 'keep',
  );
  const [journeyId, setJourneyId] = useState<string | null>(null);
  const { run, isRunning, refusals } = useRollout({ ...props, policy, journeyId });
  const blocking = version.findings.filter(({ severity }) => severity === 'BLOCK');
  const isBlocked = deed === 'submit' && blocking.length > 0;
  return (
    <Stack gap="lg">
      <Refusals refusals={refusals} />
      {isBlocked && (
        <Alert color="red" variant="outline" title="The channel would reject this version">
          <FindingList findings={blocking} />
        </Alert>
      )}
      {deed === 'submit' && !isApproverThere && (
        <Alert variant="default" icon={<IconHourglass />} title="No approver for this channel yet">
          The submission waits until an approver is configured.
        </Alert>
      )}
      <ImpactList impact={impact} isMoving={policy === 'move'} />
      {deed !== 'force' && impact.inFlightCount > 0 && (
        <Policies deed={deed} policy={policy} onChange={setPolicy} isOwner={isOwner} />
      )}
      {deed === 'force' && (
        <JourneyChoice impact={impact} value={journeyId} onChange={setJourneyId} />
      )}
      <Text size="sm" c="dimmed">
        {NEXT[deed]}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          onClick={run}
          loading={isRunning}
          disabled={isBlocked || (deed === 'force' && impact.inFlightCount === 0)}
          {...(policy === 'move' && { color: 'red.9' })}
        >
          {verbOf(deed, policy, impact)}
        </Button>
      </Group>
    </Stack>
  );
}

const NEXT: Readonly<Record<RolloutDeed, string>> = {
  submit:
    'The version is sent to its approver. Once approved, it becomes active: people who enter a journey from then on receive it.',
  activate:
    'People who enter a journey from now on receive it. The currently active version is superseded.',
  force:
    'The versions that people were pinned to stay recorded; only their future messages change.',
};

function verbOf(deed: RolloutDeed, policy: Policy, { inFlightCount }: Impact): string {
  if (deed === 'force') return `Move ${peopleOf(inFlightCount).toLowerCase()}`;
  const verb = deed === 'submit' ? 'Submit for approval' : 'Activate';
  return policy === 'move' ? `${verb} and move people` : verb;
}

type PoliciesProps = {
  readonly deed: RolloutDeed;
  readonly policy: Policy;
  readonly onChange: (policy: Policy) => void;
  readonly isOwner: boolean;
};

function Policies({ deed, policy, onChange, isOwner }: PoliciesProps) {
  const when = deed === 'submit' ? 'Once it is approved, they' : 'They';
  return (
    <Radio.Group
      label="People in flight"
      value={policy}
      onChange={value => onChange(value as Policy)}
    >
      <Stack gap="sm" mt="xs">
        <Radio
          value="keep"
          label="Keep their current version"
          description="No one is affected. Earlier versions drain as people finish their journeys."
        />
        <Radio
          value="move"
          label="Move them to this version"
          description={
            isOwner
              ? `${when} all receive this version at their next send.`
              : 'Only owners can do this.'
          }
          disabled={!isOwner}
        />
      </Stack>
    </Radio.Group>
  );
}

type JourneyChoiceProps = {
  readonly impact: Impact;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
};

function JourneyChoice({ impact, value, onChange }: JourneyChoiceProps) {
  const journeys = new Map(
    impact.versions.flatMap(touched =>
      touched.journeys.flatMap(({ journey }) => (journey ? [[journey.id, journey.name]] : [])),
    ) as [string, string][],
  );
  if (journeys.size < 2) return null;
  return (
    <Select
      label="Journeys"
      placeholder="All journeys"
      clearable
      data={[...journeys].map(([id, label]) => ({ value: id, label }))}
      value={value}
      onChange={onChange}
    />
  );
}
