import { Button, Group, NumberInput, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Card } from '../../../pieces/Card.tsx';
import type { CampaignType } from '../../../pieces/campaign-types.ts';
import { RemoveButton } from '../../../pieces/RemoveButton.tsx';
import { useAddedFocus } from '../../../pieces/use-added-focus.ts';
import { ContentEditor } from './ContentEditor.tsx';
import { contentDraftOf } from './content-draft.ts';
import type { FormProps } from './form-props.ts';
import {
  newVariant,
  shareOf,
  VARIANTS_MAX,
  type VariantDraft,
  variantFault,
} from './variant-draft.ts';

type VariantListProps = FormProps & {
  /** The variant that is edited now is sketched. */
  readonly onEdit: (at: number) => void;
};

/** The sides of an A/B test. */
export function VariantList({ draft, isChecked, refusalOf, onChange, onEdit }: VariantListProps) {
  const { type, content, variants } = draft;
  const { list, focusAdded } = useAddedFocus();
  const change = (next: readonly VariantDraft[]) => onChange({ variants: next });
  return (
    <Card title="Variants">
      <Stack>
        <Text size="sm">
          {variants.length === 0
            ? 'None: everybody sees the same content. Add variants to test different contents.'
            : 'A person always sees the same variant.'}
        </Text>
        <Stack ref={list} display={variants.length === 0 ? 'none' : undefined}>
          {variants.map((variant, at) => (
            <VariantFields
              key={at}
              label={`Variant ${at + 1}`}
              type={type}
              variant={variant}
              share={shareOf(variants, at)}
              fault={isChecked ? variantFault(variants, at) : undefined}
              onChange={next => change(variants.with(at, next))}
              onRemove={() => change(variants.toSpliced(at, 1))}
              onEdit={() => onEdit(at)}
              firstContent={() => contentDraftOf(content.content)}
            />
          ))}
        </Stack>
        {refusalOf('variants') && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert" tabIndex={-1} data-fault>
            {refusalOf('variants')}
          </Text>
        )}
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={15} />}
          disabled={variants.length >= VARIANTS_MAX}
          onClick={() => {
            change([...variants, newVariant(variants)]);
            focusAdded();
          }}
          style={{ alignSelf: 'start' }}
        >
          Add a variant
        </Button>
      </Stack>
    </Card>
  );
}

type VariantFieldsProps = {
  readonly label: string;
  readonly type: CampaignType;
  readonly variant: VariantDraft;
  readonly share: string | undefined;
  readonly fault: ReturnType<typeof variantFault>;
  readonly onChange: (next: VariantDraft) => void;
  readonly onRemove: () => void;
  readonly onEdit: () => void;
  /** What the variant begins with when it gets content of its own. */
  readonly firstContent: () => NonNullable<VariantDraft['content']>;
};

function VariantFields(props: VariantFieldsProps) {
  const { label, type, variant, share, fault, onChange, onRemove, onEdit, firstContent } = props;
  const { id, weight, content } = variant;
  return (
    <Stack gap="sm" role="group" aria-label={label} onFocusCapture={onEdit}>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <TextInput
          label="Name"
          aria-label={`${label}: name`}
          value={id}
          onChange={({ currentTarget }) => onChange({ ...variant, id: currentTarget.value })}
          error={fault?.field === 'id' && fault.message}
          flex="2 1 100px"
        />
        <NumberInput
          label={share === undefined ? 'Weight' : `Weight (${share})`}
          aria-label={`${label}: weight`}
          min={0}
          clampBehavior="none"
          value={weight}
          onChange={next => onChange({ ...variant, weight: typeof next === 'number' ? next : '' })}
          error={fault?.field === 'weight' && fault.message}
          flex="1 1 90px"
        />
        <RemoveButton label={label} mt={25} onClick={onRemove} />
      </Group>
      <Switch
        label="Content of its own"
        aria-label={`${label}: content of its own`}
        checked={content !== null}
        onChange={({ currentTarget }) =>
          onChange({ ...variant, content: currentTarget.checked ? firstContent() : null })
        }
      />
      {content !== null && (
        <ContentEditor
          label={`Content of ${label.toLowerCase()}`}
          type={type}
          draft={content}
          onChange={next => onChange({ ...variant, content: next })}
        />
      )}
    </Stack>
  );
}
