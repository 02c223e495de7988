import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useQuery } from 'urql';
import { Link, useSearchParams } from 'wouter';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { inCount, inPlainWords } from '../../../pieces/in-words.ts';
import { Page } from '../../../pieces/Page.tsx';
import { State } from '../../../pieces/State.tsx';
import { UserLink } from '../../../pieces/UserLink.tsx';
import { TO_CAMPAIGNS } from '../campaign-paths.ts';

const PREVIEW = graphql(`
  query CampaignPreview($userId: String, $surface: String) {
    campaignPreview(userId: $userId, surface: $surface) {
      shown { campaign { id name } variantId }
      skipped { campaign { id name } reason }
      skippedCount
    }
  }
`);

type Previewed = NonNullable<ResultOf<typeof PREVIEW>['campaignPreview']>;
type Somebody = { readonly userId: string; readonly surface: string };

/** The campaigns that one person would see. */
export function PreviewPage() {
  return (
    <Page
      title="Who sees what"
      about="What a person would be shown now, by the rules that your apps are served by."
      back={TO_CAMPAIGNS}
    >
      <Card>
        <Preview />
      </Card>
    </Page>
  );
}

/** Of one campaign where one is named, else of all. The person is kept in the address. */
export function Preview({ campaignId }: { readonly campaignId?: string }) {
  const [params, setParams] = useSearchParams();
  const somebody = { userId: params.get('user') ?? '', surface: params.get('surface') ?? '' };
  const isAsked = params.has('user');
  const ask = (next: Somebody) =>
    setParams(before => withSomebody(before, next), { replace: true });
  return (
    <Stack gap="lg">
      <SomebodyForm somebody={somebody} onAsk={ask} />
      {isAsked && <Answer somebody={somebody} campaignId={campaignId} />}
    </Stack>
  );
}

function withSomebody(before: URLSearchParams, { userId, surface }: Somebody): URLSearchParams {
  const next = new URLSearchParams(before);
  next.set('user', userId);
  if (surface === '') next.delete('surface');
  else next.set('surface', surface);
  return next;
}

type SomebodyFormProps = {
  readonly somebody: Somebody;
  readonly onAsk: (somebody: Somebody) => void;
};

function SomebodyForm({ somebody, onAsk }: SomebodyFormProps) {
  const [input, setInput] = useState(somebody);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onAsk({ userId: input.userId.trim(), surface: input.surface.trim() });
  };
  return (
    <Group component="form" onSubmit={submit} align="flex-end" gap="sm">
      <TextInput
        label="User ID"
        description="Without one: what everybody sees."
        placeholder="user-1"
        value={input.userId}
        onChange={({ currentTarget }) => setInput({ ...input, userId: currentTarget.value })}
        flex="1 1 180px"
      />
      <TextInput
        label="Surface"
        description="Everywhere unless said."
        placeholder="home"
        value={input.surface}
        onChange={({ currentTarget }) => setInput({ ...input, surface: currentTarget.value })}
        flex="1 1 140px"
      />
      <Button type="submit" variant="default">
        Look
      </Button>
    </Group>
  );
}

type AnswerProps = { readonly somebody: Somebody; readonly campaignId: string | undefined };

function Answer({ somebody: { userId, surface }, campaignId }: AnswerProps) {
  const asked = useQuery({
    query: PREVIEW,
    variables: { ...(userId !== '' && { userId }), ...(surface !== '' && { surface }) },
    requestPolicy: 'network-only',
  });
  return (
    <Asked asked={asked} label="Looking">
      {({ campaignPreview: preview }) => {
        if (preview === null) return <Text size="sm">There is no such person.</Text>;
        return (
          <Stack gap="sm">
            {userId !== '' && (
              <Text size="sm">
                Person: <UserLink userId={userId} />
              </Text>
            )}
            {campaignId === undefined ? (
              <AllOfThem preview={preview} />
            ) : (
              <OneOfThem preview={preview} campaignId={campaignId} />
            )}
          </Stack>
        );
      }}
    </Asked>
  );
}

function OneOfThem({ preview, campaignId }: { preview: Previewed; campaignId: string }) {
  const { shown, skipped } = preview;
  const place = shown.findIndex(({ campaign }) => campaign?.id === campaignId);
  const reason = skipped.find(({ campaign }) => campaign?.id === campaignId)?.reason;
  if (place !== -1)
    return (
      <Verdict isShown>
        It is number {inCount(place + 1)} of {inCount(shown.length)} that they see
        {shown[place]?.variantId ? `, in the variant “${shown[place].variantId}”` : ''}.
      </Verdict>
    );
  return (
    <Verdict>{reason ? inPlainWords(reason) : 'It is not live, or far down the list.'}</Verdict>
  );
}

function Verdict({ isShown = false, children }: { isShown?: boolean; children: ReactNode }) {
  return (
    <Group gap="sm" wrap="nowrap" role="status">
      <State
        name={isShown ? 'SHOWN' : 'NOT_SHOWN'}
        tone={isShown ? 'good' : 'quiet'}
        label={isShown ? 'Yes' : 'No'}
      />
      <Text size="sm">{children}</Text>
    </Group>
  );
}

function AllOfThem({ preview }: { readonly preview: Previewed }) {
  const { shown, skipped, skippedCount } = preview;
  return (
    <Stack gap="xs" role="status">
      {shown.length === 0 && <Text size="sm">They would be shown nothing.</Text>}
      {shown.map(({ campaign, variantId }, at) => (
        <Line key={campaign?.id} campaign={campaign} number={at + 1}>
          <State name="SHOWN" tone="good" label={variantId ? `Shown: ${variantId}` : 'Shown'} />
        </Line>
      ))}
      {skipped.map(({ campaign, reason }) => (
        <Line key={campaign?.id} campaign={campaign}>
          <State name={reason} />
        </Line>
      ))}
      {skippedCount > skipped.length && (
        <Text size="sm" c="dimmed">
          And {inCount(skippedCount - skipped.length)} more that are not shown.
        </Text>
      )}
    </Stack>
  );
}

type LineProps = {
  readonly campaign: Previewed['shown'][number]['campaign'];
  readonly number?: number;
  readonly children: ReactNode;
};

function Line({ campaign, number, children }: LineProps) {
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="sm" c="dimmed" w={20} ta="right" aria-hidden>
        {number}
      </Text>
      {campaign ? (
        <Anchor component={Link} href={`/campaigns/${campaign.id}`} size="sm" fw={600}>
          {campaign.name}
        </Anchor>
      ) : (
        <Text size="sm">Gone</Text>
      )}
      {children}
    </Group>
  );
}
