import {
  Alert,
  Button,
  NumberInput,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { NEW_SETTINGS, type WidgetSettings } from './journey-draft.ts';
import type { WidgetFieldsProps } from './WidgetFields.tsx';

type WidgetSettingsProps = Pick<WidgetFieldsProps, 'form' | 'step'>;

/** Where and to whom the widget is shown. */
export function WidgetSettingsFields({ form, step }: WidgetSettingsProps) {
  const { changeStep, faultAt } = form;
  const { id, settings } = step;
  if (settings === undefined) return <UnknownSettings form={form} step={step} />;
  const change = (part: Partial<WidgetSettings>) =>
    changeStep(id, { settings: { ...settings, ...part } });
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TagsInput
          label="Surfaces"
          description="Where it can appear in your apps. Leave empty for all."
          value={[...settings.surfaces]}
          onChange={surfaces => change({ surfaces })}
          acceptValueOnBlur
          error={faultAt(id, 'surfaces')}
        />
        <TextInput
          label="Consent"
          description="The purpose people must have consented to."
          required
          value={settings.consentPurpose}
          onChange={({ currentTarget }) => change({ consentPurpose: currentTarget.value })}
          error={faultAt(id, 'consentPurpose')}
        />
        <NumberInput
          label="Priority"
          description="Higher numbers are shown first."
          allowDecimal={false}
          value={settings.priority}
          onChange={value => change({ priority: typeof value === 'number' ? value : '' })}
          error={faultAt(id, 'priority')}
        />
        <TextInput
          label="Internal name"
          description="Optional, for reports."
          value={settings.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
      </SimpleGrid>
      <Switch
        label="Ignore the workspace’s frequency caps"
        checked={settings.isCapExempt}
        onChange={({ currentTarget }) => change({ isCapExempt: currentTarget.checked })}
      />
    </>
  );
}

/** The API does not return them. */
function UnknownSettings({ form, step: { id } }: WidgetSettingsProps) {
  const { changeStep, faultAt } = form;
  return (
    <Alert variant="default" title="Surfaces, consent, priority and caps">
      <Stack gap="xs" align="flex-start">
        The current settings of this widget can’t be shown here. They stay unchanged unless you edit
        the journey’s steps. To save edited steps, enter the settings again.
        <Button
          size="compact-sm"
          variant="default"
          data-fault={faultAt(id, 'settings') !== undefined || undefined}
          onClick={() => changeStep(id, { settings: NEW_SETTINGS })}
        >
          Enter settings again
        </Button>
        {faultAt(id, 'settings') && (
          <span style={{ color: 'var(--mantine-color-error)' }}>{faultAt(id, 'settings')}</span>
        )}
      </Stack>
    </Alert>
  );
}
