import { Select, SimpleGrid, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import type { CampaignType } from '../../../pieces/campaign-types.ts';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { wordAt } from '../steps/step-words.ts';
import { contentFieldsOf, otherParts, typesFor } from './content-fields.ts';
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
  const others = otherParts(type, content);
  const change = (name: string, value: unknown, isEmpty: boolean) => {
    const { [name]: _before, ...rest } = content;
    // A title that was deleted stays as empty text, so that its error is shown.
    changeStep(id, { content: isEmpty && name !== 'title' ? rest : { ...rest, [name]: value } });
  };
  return (
    <>
      {contentFieldsOf(type).map(({ name, label, description, isRequired, isList }) => {
        const common = {
          key: name,
          label,
          description,
          required: isRequired ?? false,
          error: faultAt(id, name),
        };
        const value = content[name];
        return isList ? (
          <TagsInput
            {...common}
            key={name}
            value={(Array.isArray(value) ? value : []).map(labelOf)}
            onChange={list => change(name, list, list.length === 0)}
            acceptValueOnBlur
            maxTags={20}
          />
        ) : (
          <TextInput
            {...common}
            key={name}
            value={typeof value === 'string' ? value : ''}
            onChange={({ currentTarget }) =>
              change(name, currentTarget.value, currentTarget.value === '')
            }
          />
        );
      })}
      {others.length > 0 && (
        <Text size="xs" c="dimmed">
          Unchanged: {others.join(', ')}.
        </Text>
      )}
      {faultAt(id, 'content') && (
        <Text size="xs" c="var(--mantine-color-error)">
          {faultAt(id, 'content')}
        </Text>
      )}
    </>
  );
}

/** An answer is a text, or an object with a label. */
function labelOf(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  return wordAt(answer, 'label') ?? '';
}
