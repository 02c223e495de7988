import { Stack, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { When } from '../../../pieces/When.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { WorkspaceForm } from './WorkspaceForm.tsx';
import { inIntervalWords, WORKSPACE, type Workspace } from './workspace-query.ts';

/** The name and the frequency caps of the workspace. */
export default function WorkspaceSettings() {
  const asked = useQuery({ query: WORKSPACE });
  const isOwner = useMay('OWNER');
  return (
    <Asked asked={asked} label="Loading the workspace">
      {({ workspace }) =>
        workspace && (
          <Stack gap="lg">
            <Card title="Workspace">
              <WorkspaceFacts workspace={workspace} isOwner={isOwner} />
            </Card>
            {isOwner && (
              <Card title="Name and frequency caps">
                <WorkspaceForm workspace={workspace} />
              </Card>
            )}
          </Stack>
        )
      }
    </Asked>
  );
}

type WorkspaceFactsProps = { readonly workspace: Workspace; readonly isOwner: boolean };

/** Owners see the name and the caps in the form. */
function WorkspaceFacts({ workspace, isOwner }: WorkspaceFactsProps) {
  const { id, name, createdAt, cell, inAppDailyMax, inAppIntervalSecondsMin } = workspace;
  const caps = [
    ['Name', name],
    ['Impressions per person and day', inAppDailyMax ?? 'No limit'],
    [
      'Time between two impressions',
      inAppIntervalSecondsMin === null ? 'No minimum' : inIntervalWords(inAppIntervalSecondsMin),
    ],
  ] as const;
  return (
    <Facts
      facts={[
        ...(isOwner ? [] : caps),
        ['Region', cell?.region],
        ['Created', <When key="created" at={createdAt} />],
        [
          'Workspace ID',
          <Text key="id" span inherit className="mono">
            {id}
          </Text>,
        ],
      ]}
    />
  );
}
