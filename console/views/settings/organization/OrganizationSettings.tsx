import { Badge, Box, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { Loading } from '../../../pieces/Loading.tsx';
import { NewWorkspaceButton } from '../../../pieces/NewWorkspaceButton.tsx';
import { NOT_BLANK } from '../../../pieces/not-blank.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { Table } from '../../../pieces/Table.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { When } from '../../../pieces/When.tsx';
import { useWorkspaces } from '../../../session/use-workspaces.ts';
import { useMay, useViewer } from '../../../session/ViewerProvider.tsx';

const ORGANIZATION = graphql(`
  query OrganizationSettings { organization { id name createdAt } }
`);

const UPDATE = graphql(`
  mutation OrganizationUpdate($input: OrganizationUpdateInput!) {
    organizationUpdate(input: $input) { organization { id name } userErrors { message field } }
  }
`);

type Organization = NonNullable<ResultOf<typeof ORGANIZATION>['organization']>;

/** The name of the organization, and its workspaces. */
export default function OrganizationSettings() {
  const asked = useQuery({ query: ORGANIZATION });
  const isOwner = useMay('OWNER');
  return (
    <Stack gap="lg">
      <Asked asked={asked} label="Loading organization">
        {({ organization }) =>
          organization && (
            <Card title="Organization">
              <Stack>
                <Facts
                  facts={[
                    ['Name', isOwner ? null : organization.name],
                    ['Created', <When key="created" at={organization.createdAt} />],
                    [
                      'Organization ID',
                      <span key="id" className="mono">
                        {organization.id}
                      </span>,
                    ],
                  ]}
                />
                {isOwner && <NameForm organization={organization} />}
              </Stack>
            </Card>
          )
        }
      </Asked>
      <Workspaces />
    </Stack>
  );
}

/** The API's limit. */
const NAME_CHARACTERS_MAX = 100;

function NameForm({ organization }: { readonly organization: Organization }) {
  const [name, setName] = useState(organization.name);
  const { run, isRunning, refusals } = useAction(UPDATE, {
    isFormShowing: true,
    done: 'The organization was renamed.',
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void run({ input: { name: name.trim() } });
  };
  return (
    <Stack component="form" onSubmit={submit} maw={640}>
      <Refusals refusals={refusals} except={['name']} />
      <TextInput
        label="Name"
        required
        pattern={NOT_BLANK}
        maxLength={NAME_CHARACTERS_MAX}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={refusalAt(refusals, 'name')}
      />
      <Group>
        <Button type="submit" loading={isRunning}>
          Save
        </Button>
      </Group>
    </Stack>
  );
}

function Workspaces() {
  const { workspace } = useViewer();
  const { workspaces, isAsking, choose } = useWorkspaces();
  const isEmpty = workspaces.length === 0;
  if (isAsking) return <Loading label="Loading workspaces" />;
  return (
    <Card title="Workspaces" isFlush actions={!isEmpty && <NewWorkspaceButton />}>
      {isEmpty ? (
        <Empty title="No workspaces yet" icon={IconStack2}>
          A workspace has its own people, events, SDK keys and campaigns.
          <Box mt="md">
            <NewWorkspaceButton />
          </Box>
        </Empty>
      ) : (
        <Table
          label="Workspaces"
          rows={workspaces}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Name',
              cell: ({ name }) => (
                <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                  {name}
                </Text>
              ),
            },
            {
              title: 'Actions',
              cell: ({ id, name }) =>
                id === workspace?.id ? (
                  <Badge variant="default" tt="none">
                    Current
                  </Badge>
                ) : (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Open ${name}`}
                    onClick={() => choose(id)}
                  >
                    Open
                  </Button>
                ),
            },
          ]}
        />
      )}
    </Card>
  );
}
