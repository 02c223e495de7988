import { TagsInput, Text, TextInput } from '@mantine/core';
import type { CampaignType } from '../campaign-types.ts';
import { type Content, contentFieldsOf, nameIn, otherParts } from './content-fields.ts';

type ContentFieldsProps = {
  readonly type: CampaignType;
  readonly content: Content;
  readonly onChange: (content: Content) => void;
  /** The error of the field for a part. */
  readonly errorAt?: (part: string) => string | undefined;
  /** Whether the content can be saved without what a person needs to see. */
  readonly isDraft?: boolean;
};

/** A field for each part of in-app content of the type. */
export function ContentFields(props: ContentFieldsProps) {
  const { type, content, onChange, errorAt, isDraft = false } = props;
  const others = otherParts(type, content);
  return (
    <>
      {contentFieldsOf(type).map(({ name: part, label, description, isRequired, isList }) => {
        const name = nameIn(content, part);
        const common = {
          label,
          description,
          required: isRequired === true && !isDraft,
          error: errorAt?.(part),
        };
        const value = content[name];
        const change = (next: unknown, isEmpty: boolean) => {
          const { [name]: _before, ...rest } = content;
          // A title that was deleted stays as empty text, so that its error is shown.
          const isKept = !isEmpty || (part === 'title' && !isDraft);
          onChange(isKept ? { ...rest, [name]: next } : rest);
        };
        return isList ? (
          <TagsInput
            {...common}
            key={part}
            value={(Array.isArray(value) ? value : []).map(labelOf)}
            onChange={list => change(list, list.length === 0)}
            acceptValueOnBlur
            maxTags={20}
          />
        ) : (
          <TextInput
            {...common}
            key={part}
            value={typeof value === 'string' ? value : ''}
            onChange={({ currentTarget }) =>
              change(currentTarget.value, currentTarget.value === '')
            }
          />
        );
      })}
      {others.length > 0 && (
        <Text size="xs" c="dimmed">
          Unchanged: {others.join(', ')}.
        </Text>
      )}
    </>
  );
}

/** An answer is a text, or an object with a label. */
function labelOf(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  const { label } = (answer ?? {}) as Content;
  return typeof label === 'string' ? label : '';
}
