import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { Loading } from '../../../pieces/Loading.tsx';
import { type Section, Sections } from '../../../pieces/Sections.tsx';
import { State } from '../../../pieces/State.tsx';
import { When } from '../../../pieces/When.tsx';
import { type VersionTab, versionPath } from '../template-paths.ts';
import type { Template, VersionRow } from '../template-query.ts';
import { VERSION, type Version } from '../version-query.ts';
import { VERSION_STATES } from '../version-states.ts';
import { Message } from './Message.tsx';
import { People } from './People.tsx';
import { Standing } from './Standing.tsx';
import { VersionActions } from './VersionActions.tsx';
import { VersionHistory } from './VersionHistory.tsx';

/** It brings the library that compares texts. */
const Changes = lazy(() => import('../changes/Changes.tsx'));

export type VersionCardProps = {
  readonly template: Template;
  readonly version: VersionRow;
  /** The versions of the same channel and language, including this one, newest first. */
  readonly siblings: readonly VersionRow[];
  readonly tab: VersionTab;
  readonly otherId: string | undefined;
};

/** A version: content, state, changes and people in flight. */
export function VersionCard(props: VersionCardProps) {
  const { number, state } = props.version;
  const [values, setValues] = useState<Readonly<Record<string, string>>>();
  const variables = { id: props.version.id, values: values ?? null };
  const asked = useQuery({ query: VERSION, variables });
  const { tone, label } = VERSION_STATES[state];
  const shown = asked[0].data?.templateVersion;
  return (
    <Box component="section" className="card" aria-label={`Version ${number}`}>
      <Group justify="space-between" px="lg" pt="md" gap="sm">
        <Group gap="sm">
          <Title order={2} size="h4">
            Version {number}
          </Title>
          <State name={state} tone={tone} label={label} />
        </Group>
        {shown && <VersionActions {...props} version={shown} />}
      </Group>
      <Asked asked={asked} label="Loading the version">
        {({ templateVersion: version }) =>
          version && <Shown {...props} version={version} values={values} onValues={setValues} />
        }
      </Asked>
    </Box>
  );
}

export type ShownProps = Omit<VersionCardProps, 'version'> & {
  readonly version: Version;
  /** Tried in the place of the samples. */
  readonly values: Readonly<Record<string, string>> | undefined;
  readonly onValues: (values: Readonly<Record<string, string>> | undefined) => void;
};

function Shown(props: ShownProps) {
  const { template, version, siblings, tab } = props;
  return (
    <Stack gap="md" pt={4}>
      <Stack gap="md" px="lg">
        <Origin version={version} siblings={siblings} />
        <Standing version={version} />
      </Stack>
      <Box px="lg">
        <Sections label={`Sections of version ${version.number}`} sections={sectionsOf(props)} />
      </Box>
      <Box px="lg" pb="lg">
        {tab === 'message' && <Message {...props} />}
        {tab === 'changes' && (
          <Suspense fallback={<Loading label="Comparing" />}>
            <Changes {...props} />
          </Suspense>
        )}
        {tab === 'people' && <People template={template} version={version} siblings={siblings} />}
        {tab === 'history' && <VersionHistory version={version} />}
      </Box>
    </Stack>
  );
}

function sectionsOf({ template, version }: ShownProps): Section[] {
  const to = (tab: VersionTab) => versionPath(template.id, version.id, tab);
  const { pinnedCount } = version;
  return [
    { path: to('message'), title: 'Message', isExact: true },
    { path: to('changes'), title: 'Changes' },
    { path: to('people'), title: pinnedCount > 0 ? `People · ${inCount(pinnedCount)}` : 'People' },
    { path: to('history'), title: 'History' },
  ];
}

function Origin({ version, siblings }: Pick<ShownProps, 'version' | 'siblings'>) {
  const { note, createdAt, createdBy, basedOnId } = version;
  const from = siblings.find(({ id }) => id === basedOnId)?.number;
  return (
    <Stack gap={2}>
      {note !== '' && <Text size="sm">{note}</Text>}
      <Text size="sm" c="dimmed">
        Created <When at={createdAt} isInSentence /> by {createdBy}
        {from !== undefined && `, from version ${from}`}.
      </Text>
    </Stack>
  );
}
