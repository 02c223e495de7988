import { Box, SegmentedControl, Stack, Text } from '@mantine/core';
import type { CampaignType } from '../../../pieces/campaign-types.ts';
import { ContentFields } from '../../../pieces/in-app-content/ContentFields.tsx';
import { WITHOUT_FIELDS } from '../../../pieces/in-app-content/content-fields.ts';
import { JsonField } from '../../../pieces/JsonField.tsx';
import { asJson, type ContentDraft, contentFault, withJson } from './content-draft.ts';

type ContentEditorProps = {
  /** Such as "Content", or "Content of calm". */
  readonly label: string;
  readonly type: CampaignType;
  readonly draft: ContentDraft;
  readonly onChange: (draft: ContentDraft) => void;
  readonly refusal?: string | undefined;
};

/** Content by its parts, or as JSON for parts that have no field. */
export function ContentEditor(props: ContentEditorProps) {
  const { label, type, draft, onChange, refusal } = props;
  const fault = contentFault(draft);
  return (
    <Stack gap="sm" role="group" aria-label={label}>
      <SegmentedControl
        aria-label={`${label}: edit as`}
        size="xs"
        data={[
          { value: 'fields', label: 'Fields', disabled: fault !== undefined },
          { value: 'json', label: 'JSON' },
        ]}
        value={draft.json === null ? 'fields' : 'json'}
        onChange={value => onChange(value === 'json' ? asJson(draft) : { ...draft, json: null })}
        style={{ alignSelf: 'start' }}
      />
      {draft.json === null ? (
        <>
          <ContentFields
            type={type}
            content={draft.content}
            onChange={content => onChange({ content, json: null })}
            isDraft
          />
          {WITHOUT_FIELDS.includes(type) && (
            <Text size="sm" c="dimmed">
              {type === 'QUIZ' ? 'The questions of a quiz' : 'The fields of a form'} are edited as
              JSON.
            </Text>
          )}
        </>
      ) : (
        <JsonField
          label={`${label} as JSON`}
          description="What your apps receive."
          value={draft.json}
          onChange={text => onChange(withJson(draft, text))}
          error={fault}
        />
      )}
      {refusal !== undefined && (
        <Box fz="xs" c="var(--mantine-color-error)" role="alert" tabIndex={-1} data-fault>
          {refusal}
        </Box>
      )}
    </Stack>
  );
}
