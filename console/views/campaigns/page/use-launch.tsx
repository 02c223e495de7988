import { graphql } from '../../../graph/graphql.ts';
import { confirm } from '../../../pieces/confirm.tsx';
import { inCount, inMoment } from '../../../pieces/in-words.ts';
import type { Reason } from '../../../pieces/RefusalLinks.tsx';
import { type Refusal, useAction } from '../../../pieces/use-action.tsx';
import { AudienceWords } from '../AudienceWords.tsx';
import type { Campaign } from '../campaign-query.ts';
import { LABELS, pathToField, refusalOf, refusalOfLaunch } from '../refused-fields.ts';
import { LaunchReach } from './LaunchReach.tsx';

const LAUNCH = graphql(`
  mutation CampaignLaunch($id: ID!, $input: CampaignLaunchInput!) {
    campaignLaunch(id: $id, input: $input) {
      campaign { id status version updatedAt }
      userErrors { message field code }
    }
  }
`);

const MESSAGES: Readonly<Record<string, string>> = {
  CAMPAIGN_CHANGED:
    'Someone else changed the campaign. Reload the page, review the changes and try again.',
  CAMPAIGN_STATUS: 'The campaign was archived in the meantime. Duplicate it to launch it again.',
  TOO_MANY_LIVE_CAMPAIGNS:
    'The workspace has reached its maximum number of live campaigns. Pause another one first.',
};

type Launch = {
  readonly ask: () => void;
  readonly refusals: readonly Refusal[];
  readonly reasons: readonly Reason[];
};

export function useLaunch(campaign: Campaign): Launch {
  const { id, name, version, startsAt, audience, priority } = campaign;
  const { run, refusals } = useAction(LAUNCH, {
    done: `“${name}” was launched.`,
    isFormShowing: true,
    messages: MESSAGES,
  });
  const isLater = startsAt !== null && Date.parse(startsAt) > Date.now();
  const when = isLater ? `from ${inMoment(startsAt)} on` : 'within a second';
  const ask = () =>
    confirm({
      title: `Launch “${name}”`,
      confirm: 'Launch the campaign',
      children: (
        <>
          The campaign is shown {when}, to this audience: <AudienceWords audience={audience} />.
          Pause it to stop it immediately. If a person can see several live campaigns, the one with
          the highest priority comes first; this one has priority {inCount(priority)}.
          <LaunchReach campaign={campaign} />
        </>
      ),
      onConfirm: () => void run({ id, input: { version } }),
    });
  return { ask, refusals, reasons: refusals.map(refusal => reasonOf(id, refusal)) };
}

function reasonOf(id: string, refusal: Refusal): Reason {
  const ofField = refusalOfLaunch(refusal);
  if (ofField === undefined) return { message: refusal.message };
  return {
    message: refusalOf([ofField], ofField.field) ?? refusal.message,
    link: { href: pathToField(id, ofField), label: LABELS[ofField.field] },
  };
}
