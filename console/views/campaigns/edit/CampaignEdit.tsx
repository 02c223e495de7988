import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Link, useLocation } from 'wouter';
import { graphql } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Page } from '../../../pieces/Page.tsx';
import { forgetUnsaved } from '../../../pieces/unsaved.ts';
import { useAction } from '../../../pieces/use-action.tsx';
import { TO_CAMPAIGNS } from '../campaign-paths.ts';
import { CAMPAIGN, CAMPAIGN_FIELDS, type Campaign } from '../campaign-query.ts';
import { linkedRefusals } from '../refused-fields.ts';
import { useMayEdit } from '../use-may-edit.ts';
import { CampaignForm } from './CampaignForm.tsx';

const CREATE = graphql(`
  mutation CampaignCreate($input: CampaignCreateInput!) {
    campaignCreate(input: $input) { campaign { id } userErrors { message field code } }
  }
`);

const UPDATE = graphql(
  `
  mutation CampaignUpdate($id: ID!, $input: CampaignUpdateInput!) {
    campaignUpdate(id: $id, input: $input) {
      campaign { ...CampaignFields }
      userErrors { message field code }
    }
  }
`,
  [CAMPAIGN_FIELDS],
);

export function CampaignNew() {
  const { run, isRunning, refusals } = useAction(CREATE, { isFormShowing: true });
  const [, go] = useLocation();
  return (
    <Page
      title="New campaign"
      about="A draft. Nobody sees it until you launch it."
      back={TO_CAMPAIGNS}
    >
      <CampaignForm
        campaign={undefined}
        isRunning={isRunning}
        refusals={refusals}
        onSubmit={async input => {
          const made = (await run({ input }))?.campaignCreate?.campaign;
          if (!made) return;
          forgetUnsaved();
          go(`/campaigns/${made.id}`);
        }}
      />
    </Page>
  );
}

export function CampaignEdit({ id }: { readonly id: string }) {
  const asked = useQuery({ query: CAMPAIGN, variables: { id } });
  return (
    <Asked asked={asked} label="Reading the campaign">
      {({ campaign }) =>
        campaign === null ? (
          <Empty title="There is no such campaign">
            <Anchor component={Link} href="/campaigns">
              All campaigns
            </Anchor>
          </Empty>
        ) : (
          <Editing campaign={campaign} />
        )
      }
    </Asked>
  );
}

function Editing({ campaign }: { readonly campaign: Campaign }) {
  const { id, name, status } = campaign;
  const { run, isRunning, refusals } = useAction(UPDATE, {
    isFormShowing: true,
    done: 'The campaign was changed.',
  });
  const [linked] = useState(() => linkedRefusals(location.search));
  const [, go] = useLocation();
  const address = `/campaigns/${id}`;
  if (!useMayEdit(campaign))
    return (
      <Empty title="You can’t change this campaign">
        Members change drafts, owners what was launched; an archived one stays as it is.{' '}
        <Anchor component={Link} href={address} inherit>
          Back to it
        </Anchor>
      </Empty>
    );
  return (
    <Page
      title={`Edit “${name}”`}
      back={{ href: address, label: name }}
      about={
        status === 'LIVE'
          ? 'It is live: people see what you save within a second.'
          : 'Nobody sees it before it is launched.'
      }
    >
      <CampaignForm
        campaign={campaign}
        isRunning={isRunning}
        refusals={refusals.length > 0 ? refusals : linked}
        onSubmit={async (input, version) => {
          if (!(await run({ id, input: { ...input, version } }))) return;
          forgetUnsaved();
          go(address);
        }}
      />
    </Page>
  );
}
