import { Button, Grid, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Link } from 'wouter';
import { Card } from '../../../pieces/Card.tsx';
import { CAMPAIGN_TYPES, type CampaignType } from '../../../pieces/campaign-types.ts';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { Refusals } from '../../../pieces/Refusals.tsx';
import { SaveBar } from '../../../pieces/SaveBar.tsx';
import { useUnsaved } from '../../../pieces/unsaved.ts';
import type { Refusal } from '../../../pieces/use-action.tsx';
import type { Campaign } from '../campaign-query.ts';
import { Mock } from '../Mock.tsx';
import { REFUSED_FIELDS, refusalOf } from '../refused-fields.ts';
import { ContentEditor } from './ContentEditor.tsx';
import {
  type CampaignInput,
  type Draft,
  draftOf,
  hasJsonFault,
  inputOf,
  isComplete,
} from './campaign-input.ts';
import type { FormProps } from './form-props.ts';
import { MoreSettings } from './MoreSettings.tsx';
import { useWarning } from './use-warning.ts';
import { VariantList } from './VariantList.tsx';
import { Whom } from './Whom.tsx';

type CampaignFormProps = {
  /** Undefined for a new one. */
  readonly campaign: Campaign | undefined;
  readonly isRunning: boolean;
  readonly refusals: readonly Refusal[];
  readonly onSubmit: (input: CampaignInput, version: number) => Promise<void>;
};

export function CampaignForm({ campaign, isRunning, refusals, onSubmit }: CampaignFormProps) {
  const [draft, setDraft] = useState(() => draftOf(campaign));
  const [first] = useState(draft);
  const [isChecked, setIsChecked] = useState(false);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(first);
  useUnsaved(isChanged);
  const warning = useWarning(draft);
  // The version that was opened: a concurrent change is refused instead of overwritten.
  const [version] = useState(campaign?.version ?? 0);
  const onChange = (part: Partial<Draft>) => setDraft(before => ({ ...before, ...part }));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (isComplete(draft)) void onSubmit(inputOf(draft), version);
    // After the errors are shown.
    else requestAnimationFrame(() => requestAnimationFrame(focusFirstFault));
  };
  const props: FormProps = {
    draft,
    isChecked,
    refusalOf: field => refusalOf(refusals, field),
    onChange,
  };
  return (
    <Stack component="form" onSubmit={submit} gap="lg">
      <Refusals refusals={refusals} except={REFUSED_FIELDS} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            <Basics {...props} />
            <Whom {...props} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Looks {...props} />
        </Grid.Col>
      </Grid>
      <MoreSettings {...props} />
      <SaveBar
        isChanged={isChanged}
        // Not in a form that nothing was entered into yet.
        warning={isChanged || campaign !== undefined ? warning : undefined}
      >
        <Button
          component={Link}
          href={campaign === undefined ? '/campaigns' : `/campaigns/${campaign.id}`}
          variant="default"
        >
          Cancel
        </Button>
        <Button type="submit" loading={isRunning} disabled={hasJsonFault(draft)}>
          {campaign === undefined ? 'Create the draft' : 'Save'}
        </Button>
      </SaveBar>
    </Stack>
  );
}

function focusFirstFault(): void {
  document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
}

function Basics({ draft, refusalOf, onChange }: FormProps) {
  return (
    <Card title="What and where">
      <Stack>
        <TextInput
          label="Name"
          description="For your team only; people don’t see it."
          required
          value={draft.name}
          onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
          error={refusalOf('name')}
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
          description="The places in your apps where it can be shown, such as storefront_catalog. Leave empty for all."
          value={[...draft.surfaces]}
          onChange={surfaces => onChange({ surfaces })}
          error={refusalOf('surfaces')}
        />
      </Stack>
    </Card>
  );
}

function Looks(props: FormProps) {
  const { draft, refusalOf, onChange } = props;
  const { type, content, variants } = draft;
  const [edited, setEdited] = useState<number>();
  const variant = edited === undefined ? undefined : variants[edited];
  const shown = variant?.content ?? content;
  return (
    <Stack gap="lg">
      <Card title="Content">
        <Stack>
          <Mock type={type} content={shown.content} />
          {variant && (
            <Text size="sm" c="dimmed" ta="center">
              Variant {variant.id}
            </Text>
          )}
          <div onFocusCapture={() => setEdited(undefined)}>
            <ContentEditor
              label="Content"
              type={type}
              draft={content}
              onChange={next => onChange({ content: next })}
              refusal={refusalOf('content')}
            />
          </div>
        </Stack>
      </Card>
      <VariantList {...props} onEdit={setEdited} />
    </Stack>
  );
}
