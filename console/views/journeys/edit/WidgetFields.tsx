import { Select, SimpleGrid, Stack, Text } from '@mantine/core';
import type { CampaignType } from '../../../pieces/campaign-types.ts';
import { ContentFields } from '../../../pieces/in-app-content/ContentFields.tsx';
import { typesFor } from '../../../pieces/in-app-content/content-fields.ts';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { DurationInput } from './DurationInput.tsx';
import type { WidgetStep } from './journey-draft.ts';
import { TargetSelect } from './TargetSelect.tsx';
import type { JourneyForm } from './use-journey-form.ts';
import { WidgetSettingsFields } from './WidgetSettingsFields.tsx';

export type WidgetFieldsProps = {
  readonly form: JourneyForm;
  readonly step: WidgetStep;
  readonly at: number;
};

export function WidgetFields(props: WidgetFieldsProps) {
  const { form, step, at } = props;
  const { changeStep, faultAt } = form;
  const { id, type, duration, onDismissed, onExpired, next } = step;
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <Select
          label="Type"
          data={typesFor(type).map(one => ({ value: one, label: inPlainWords(one) }))}
          value={type}
          onChange={value => changeStep(id, { type: (value ?? type) as CampaignType })}
          allowDeselect={false}
        />
        <DurationInput
          label="Shown for up to"
          value={duration}
          onChange={value => changeStep(id, { duration: value })}
          error={faultAt(id, 'duration')}
        />
      </SimpleGrid>
      <Content {...props} />
      <WidgetSettingsFields form={form} step={step} />
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
        <TargetSelect form={form} at={at} field="next" label="After a click" value={next} />
        <TargetSelect
          form={form}
          at={at}
          field="onDismissed"
          label="After a dismissal"
          value={onDismissed}
        />
        <TargetSelect
          form={form}
          at={at}
          field="onExpired"
          label="After it expires"
          value={onExpired}
        />
      </SimpleGrid>
    </Stack>
  );
}

function Content({ form, step }: WidgetFieldsProps) {
  const { changeStep, faultAt } = form;
  const { id, type, content } = step;
  return (
    <>
      <ContentFields
        type={type}
        content={content}
        errorAt={part => faultAt(id, part)}
        onChange={next => changeStep(id, { content: next })}
      />
      {faultAt(id, 'content') && (
        <Text size="xs" c="var(--mantine-color-error)">
          {faultAt(id, 'content')}
        </Text>
      )}
    </>
  );
}
