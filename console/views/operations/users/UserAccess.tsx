import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
import { Card } from '../../../pieces/Card.tsx';
import { confirm } from '../../../pieces/confirm.tsx';
import { NOT_BLANK } from '../../../pieces/not-blank.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { type ChosenOrganization, OrganizationSelect } from '../OrganizationSelect.tsx';

const REVOKE = graphql(`
  mutation PlatformSubjectRevoke($input: PlatformSubjectRevokeInput!) {
    platformSubjectRevoke(input: $input) { userId userErrors { code message field } }
  }
`);

const RESTORE = graphql(`
  mutation PlatformSubjectRestore($input: PlatformSubjectRestoreInput!) {
    platformSubjectRestore(input: $input) { userId userErrors { code message field } }
  }
`);

/** The API's limit. */
const USER_ID_CHARACTERS_MAX = 255;

/** Refuses the tokens of one user, or accepts them again. The API has no list of users. */
export default function UserAccess() {
  const [userId, setUserId] = useState('');
  const [organization, setOrganization] = useState<ChosenOrganization | null>(null);
  const revoke = useAction(REVOKE, { isFormShowing: true, done: 'The access was revoked.' });
  const restore = useAction(RESTORE, {
    isFormShowing: true,
    done: 'The access was restored.',
    messages: { NOT_FOUND: 'This user’s access is not revoked there.' },
  });
  const input = { userId: userId.trim(), organizationId: organization?.id ?? null };
  const where = organization === null ? 'all organizations' : `“${organization.name}”`;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    restore.forget();
    confirm({
      title: 'Revoke access',
      confirm: 'Revoke access',
      isDangerous: true,
      children: `Within seconds, tokens of ${input.userId} are refused in ${where} until access is restored.`,
      onConfirm: () => void revoke.run({ input }),
    });
  };
  const askToRestore = () => {
    revoke.forget();
    confirm({
      title: 'Restore access',
      confirm: 'Restore access',
      children:
        organization === null
          ? `The tokens of ${input.userId} are accepted again, except in organizations in which the access was revoked separately.`
          : `The tokens of ${input.userId} are accepted again in ${where}, even if an owner revoked the access.`,
      onConfirm: () => void restore.run({ input }),
    });
  };
  const refusals = [...revoke.refusals, ...restore.refusals];
  return (
    <Card title="User access">
      <Stack component="form" onSubmit={submit} maw={640}>
        <Text size="sm" c="dimmed">
          Blocks tokens that have not expired, for example stolen ones. Also remove the user from
          the identity provider.
        </Text>
        <Refusals refusals={refusals} except={['userId']} />
        <TextInput
          label="User ID"
          description="The “sub” claim of the user’s tokens."
          required
          pattern={NOT_BLANK}
          maxLength={USER_ID_CHARACTERS_MAX}
          value={userId}
          onChange={({ currentTarget }) => setUserId(currentTarget.value)}
          error={refusalAt(refusals, 'userId')}
        />
        <OrganizationSelect
          placeholder="All organizations"
          value={organization}
          onChange={setOrganization}
        />
        <Group>
          <Button type="submit" color="red.9" loading={revoke.isRunning}>
            Revoke access
          </Button>
          <Button
            variant="default"
            disabled={input.userId === ''}
            loading={restore.isRunning}
            onClick={askToRestore}
          >
            Restore access
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}
