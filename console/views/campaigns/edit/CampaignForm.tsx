import { Button, Grid, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Link } from 'wouter';
import { Card } from '../../../pieces/Card.tsx';
import { CAMPAIGN_TYPES, type CampaignType } from '../../../pieces/campaign-types.ts';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { JsonField, jsonFault, jsonOf } from '../../../pieces/JsonField.tsx';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { SaveBar } from '../../../pieces/SaveBar.tsx';
import { useUnsaved } from '../../../pieces/unsaved.ts';
import type { Refusal } from '../../../pieces/use-action.tsx';
import type { Campaign } from '../campaign-query.ts';
import { Mock } from '../Mock.tsx';
import { type CampaignInput, type Draft, draftOf, hasFault, inputOf } from './campaign-input.ts';
import type { FormProps } from './form-props.ts';
import { Rules } from './Rules.tsx';

type CampaignFormProps = {
  /** Undefined for a new one. */
  readonly campaign: Campaign | undefined;
  readonly isRunning: boolean;
  readonly refusals: readonly Refusal[];
  readonly onSubmit: (input: CampaignInput, version: number) => Promise<void>;
};

/** The fields that show their own errors. */
const SHOWN = ['name', 'content', 'audience', 'variants'];

export function CampaignForm({ campaign, isRunning, refusals, onSubmit }: CampaignFormProps) {
  const [draft, setDraft] = useState(() => draftOf(campaign));
  const [first] = useState(draft);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(first);
  useUnsaved(isChanged);
  // The version that was opened: a concurrent change is refused instead of overwritten.
  const [version] = useState(campaign?.version ?? 0);
  const onChange = (part: Partial<Draft>) => setDraft(before => ({ ...before, ...part }));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void onSubmit(inputOf(draft), version);
  };
  const props = { draft, refusals, onChange };
  return (
    <Stack component="form" onSubmit={submit} gap="lg">
      <Refusals refusals={refusals} except={SHOWN} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            <Basics {...props} />
            <Rules {...props} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Looks {...props} />
        </Grid.Col>
      </Grid>
      <SaveBar isChanged={isChanged}>
        <Button
          component={Link}
          href={campaign === undefined ? '/campaigns' : `/campaigns/${campaign.id}`}
          variant="default"
        >
          Cancel
        </Button>
        <Button type="submit" loading={isRunning} disabled={hasFault(draft)}>
          {campaign === undefined ? 'Create the draft' : 'Save'}
        </Button>
      </SaveBar>
    </Stack>
  );
}

function Basics({ draft, refusals, onChange }: FormProps) {
  return (
    <Card title="What and where">
      <Stack>
        <TextInput
          label="Name"
          description="What people call it; nobody is shown it."
          required
          value={draft.name}
          onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
          error={refusalAt(refusals, 'name')}
        />
        <Select
          label="Type"
          data={CAMPAIGN_TYPES.map(type => ({ value: type, label: inPlainWords(type) }))}
          value={draft.type}
          onChange={type => onChange({ type: type as CampaignType })}
          allowDeselect={false}
        />
        <TagsInput
          label="Surfaces"
          description="Where it may be shown, as your apps name their places. None is everywhere."
          value={[...draft.surfaces]}
          onChange={surfaces => onChange({ surfaces })}
        />
      </Stack>
    </Card>
  );
}

function Looks({ draft, refusals, onChange }: FormProps) {
  const [sound, setSound] = useState(draft.content);
  return (
    <Card title="Content">
      <Stack>
        <Mock type={draft.type} content={jsonOf(sound)} />
        <JsonField
          label="Content"
          description="What your apps display; the sketch knows title, text and action."
          isRequired
          value={draft.content}
          onChange={text => {
            onChange({ content: text });
            if (jsonFault(text) === undefined) setSound(text);
          }}
          error={refusalAt(refusals, 'content')}
        />
        <JsonField
          label="Variants"
          description='Sides of an A/B test: [{"id": "calm", "weight": 1, "content": {…}}]. None shows everybody the same.'
          value={draft.variants}
          onChange={text => onChange({ variants: text })}
          error={refusalAt(refusals, 'variants')}
        />
      </Stack>
    </Card>
  );
}
