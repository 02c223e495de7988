import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Card } from '../../../pieces/Card.tsx';
import { confirm } from '../../../pieces/confirm.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { When } from '../../../pieces/When.tsx';
import { type ChosenOrganization, OrganizationSelect } from '../OrganizationSelect.tsx';

const APPOINT = graphql(`
  mutation AgencyAppoint($id: ID!, $input: AgencyAppointInput!) {
    agencyAppoint(id: $id, input: $input) {
      agency { organizationId domain agreementSignedAt agreementReference appointedBy createdAt }
      userErrors { code message field }
    }
  }
`);

type Agency = NonNullable<NonNullable<ResultOf<typeof APPOINT>['agencyAppoint']>['agency']>;

const NOTHING_TYPED = { domain: '', signed: '', reference: '' };
const SHOWN = ['id', 'domain', 'agreementSignedAt', 'agreementReference'];

/** Appoints agencies and records their agreements. The API has no list of agencies. */
export default function Agencies() {
  const [organization, setOrganization] = useState<ChosenOrganization | null>(null);
  const [typed, setTyped] = useState(NOTHING_TYPED);
  const [recorded, setRecorded] = useState<{ name: string; agency: Agency }>();
  const { run, isRunning, refusals } = useAction(APPOINT, {
    isFormShowing: true,
    done: 'The agency was recorded.',
  });
  const appoint = async ({ id, name }: ChosenOrganization) => {
    const done = (await run({ id, input: inputOf(typed) }))?.agencyAppoint?.agency;
    if (!done) return;
    setRecorded({ name, agency: done });
    setOrganization(null);
    setTyped(NOTHING_TYPED);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (organization === null) return;
    confirm({
      title: `Appoint “${organization.name}” as an agency`,
      confirm: 'Appoint',
      children:
        'It becomes an agency in the partner program. With a signed agreement it can register deals, each of which reserves a domain for 90 days. This can’t be undone here.',
      onConfirm: () => void appoint(organization),
    });
  };
  const field = (name: keyof typeof typed, refused: string = name) => ({
    value: typed[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setTyped({ ...typed, [name]: currentTarget.value }),
    error: refusalAt(refusals, refused),
  });
  return (
    <Stack gap="lg">
      <Card title="Appoint an agency">
        <Stack component="form" onSubmit={submit} maw={640}>
          <Refusals refusals={refusals} except={SHOWN} />
          <OrganizationSelect
            isRequired
            description="For an existing agency, empty fields keep their recorded values."
            value={organization}
            onChange={setOrganization}
            error={refusalAt(refusals, 'id')}
          />
          <TextInput
            label="Domain"
            description="The agency’s own domain. It can’t be registered as a prospect."
            placeholder="agency.example"
            {...field('domain')}
          />
          <Group grow align="flex-start">
            <TextInput
              label="Agreement signed on"
              type="date"
              max={today()}
              required={typed.reference.trim() !== ''}
              {...field('signed', 'agreementSignedAt')}
            />
            <TextInput label="Agreement reference" {...field('reference', 'agreementReference')} />
          </Group>
          <Group>
            <Button type="submit" loading={isRunning}>
              Appoint
            </Button>
          </Group>
        </Stack>
      </Card>
      {recorded && <Recorded {...recorded} />}
    </Stack>
  );
}

/** In the format of the field, which is that of Sweden. An agreement can’t be signed in the future. */
function today(): string {
  return new Date().toLocaleDateString('sv-SE');
}

/** Empty fields are left out, so that they stay as recorded. */
function inputOf({ domain, signed, reference }: typeof NOTHING_TYPED) {
  return {
    ...(domain.trim() !== '' && { domain: domain.trim() }),
    ...(signed !== '' && { agreementSignedAt: new Date(`${signed}T00:00`).toISOString() }),
    ...(reference.trim() !== '' && { agreementReference: reference.trim() }),
  };
}

function Recorded({ name, agency }: { readonly name: string; readonly agency: Agency }) {
  const { domain, agreementSignedAt, agreementReference, createdAt } = agency;
  return (
    <Card title={name}>
      <Facts
        facts={[
          ['Agency since', <When key="since" at={createdAt} />],
          ['Domain', domain ?? 'Not recorded'],
          [
            'Agreement',
            agreementSignedAt === null ? (
              'Not signed: it can’t register deals'
            ) : (
              <span key="signed">
                signed <When at={agreementSignedAt} isDated />
              </span>
            ),
          ],
          ['Reference', agreementReference],
        ]}
      />
    </Card>
  );
}
