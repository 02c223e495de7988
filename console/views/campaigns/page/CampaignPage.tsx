import { Anchor, Grid, Group, Stack, Tabs } from '@mantine/core';
import { IconMoodEmpty } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { inPercent, inPlainWords } from '../../../pieces/in-words.ts';
import { JsonText } from '../../../pieces/json/JsonText.tsx';
import { Loading } from '../../../pieces/Loading.tsx';
import { Page } from '../../../pieces/Page.tsx';
import { RefusalLinks } from '../../../pieces/RefusalLinks.tsx';
import { State } from '../../../pieces/State.tsx';
import { When } from '../../../pieces/When.tsx';
import { AudienceWords } from '../AudienceWords.tsx';
import { TO_CAMPAIGNS } from '../campaign-paths.ts';
import { CAMPAIGN, type Campaign } from '../campaign-query.ts';
import { capsInWords, STATUS_TONES } from '../campaign-words.ts';
import { Mock } from '../Mock.tsx';
import { Reach } from '../Reach.tsx';
import { hasAnswers } from './answers/has-answers.ts';
import { CampaignActions } from './CampaignActions.tsx';
import { Funnel } from './Funnel.tsx';
import { Preview } from './Preview.tsx';
import { useLaunch } from './use-launch.tsx';

const Answers = lazy(() => import('./answers/Answers.tsx'));

export function CampaignPage({ id }: { readonly id: string }) {
  const asked = useQuery({ query: CAMPAIGN, variables: { id } });
  return (
    <Asked asked={asked} label="Reading the campaign">
      {({ campaign }) =>
        campaign === null ? (
          <Empty title="There is no such campaign" icon={IconMoodEmpty}>
            <Anchor component={Link} href="/campaigns">
              All campaigns
            </Anchor>
          </Empty>
        ) : (
          <Shown campaign={campaign} />
        )
      }
    </Asked>
  );
}

function Shown({ campaign }: { readonly campaign: Campaign }) {
  const { name, type, status } = campaign;
  const { ask, refusals, reasons } = useLaunch(campaign);
  return (
    <Page
      title={name}
      back={TO_CAMPAIGNS}
      about={
        <Group gap="sm">
          <State name={status} tone={STATUS_TONES[status]} />
          {inPlainWords(type)}
        </Group>
      }
      actions={<CampaignActions campaign={campaign} onLaunch={ask} />}
    >
      <RefusalLinks title="The campaign wasn’t launched" refusals={refusals} reasons={reasons} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <Funnel campaign={campaign} />
            {hasAnswers(campaign) && (
              <Suspense fallback={<Loading label="Loading the answers" />}>
                <Answers campaign={campaign} />
              </Suspense>
            )}
            <Content campaign={campaign} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
            <Settings campaign={campaign} />
            <Card title="Would a person see it?">
              <Preview campaignId={campaign.id} />
            </Card>
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

const ENDS = { CLICKED: 'a click', DISMISSED: 'a dismissal' } as const;

function Settings({ campaign }: { readonly campaign: Campaign }) {
  const { surfaces, audience, consentPurpose, endsOn, startsAt, endsAt, caps, variants } = campaign;
  return (
    <Card title="Settings">
      <Facts
        facts={[
          ['For', <AudienceWords key="for" audience={audience} />],
          ['Reach', <Reach key="reach" audience={audience} consentPurpose={consentPurpose} />],
          ['Consent', consentPurpose],
          ['Surfaces', surfaces.length === 0 ? 'All' : surfaces.join(', ')],
          ['From', <When key="from" at={startsAt} never="The launch" />],
          ['Until', <When key="until" at={endsAt} never="No end date" />],
          ['Per person', capsInWords(caps)],
          ['Stops for a person after', endsOn.map(end => ENDS[end]).join(' or ') || 'Nothing'],
          ['Workspace’s frequency caps', campaign.isCapExempt ? 'Ignored' : 'Applied'],
          ['Priority', campaign.priority],
          ['Variants', variants.length === 0 ? 'None' : sharesOf(variants)],
          ['Changed', <When key="changed" at={campaign.updatedAt} isRelative />],
          [
            'ID for SDKs',
            <span key="id" className="mono">
              {campaign.sdkId}
            </span>,
          ],
        ]}
      />
    </Card>
  );
}

function sharesOf(variants: Campaign['variants']): string {
  const all = variants.reduce((sum, { weight }) => sum + weight, 0);
  return variants.map(({ id, weight }) => `${id} ${inPercent(weight / all)}`).join(', ');
}

/** Each side as it may look, and as it was written. */
function Content({ campaign }: { readonly campaign: Campaign }) {
  const { type, content, variants } = campaign;
  const sides =
    variants.length === 0
      ? [{ id: 'All', content }]
      : variants.map(one => ({ id: one.id, content: one.content ?? content }));
  return (
    <Card title="Content">
      <Tabs defaultValue={sides[0]!.id} keepMounted={false}>
        {sides.length > 1 && (
          <Tabs.List mb="md" aria-label="Variants">
            {sides.map(({ id }) => (
              <Tabs.Tab key={id} value={id}>
                {id}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        )}
        {sides.map(side => (
          <Tabs.Panel key={side.id} value={side.id}>
            <Grid gap="lg" align="center">
              <Grid.Col span={{ base: 12, sm: 'content' }}>
                <Mock type={type} content={side.content} />
              </Grid.Col>
              <Grid.Col span={{ base: 12, sm: 'auto' }} miw={0}>
                <JsonText
                  text={JSON.stringify(side.content)}
                  label={sides.length > 1 ? `Content of ${side.id}` : 'Content as JSON'}
                />
              </Grid.Col>
            </Grid>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Card>
  );
}
