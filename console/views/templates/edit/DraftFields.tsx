import { Box, Group, Input, Select, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Channel } from '../../../pieces/channels.tsx';
import { inPlainWords } from '../../../pieces/in-words.ts';
import type { Refusal } from '../../../pieces/use-action.tsx';
import { FindingList, findingsAt } from '../findings/Findings.tsx';
import { HEADER_NAMES } from '../header-names.ts';
import type { Finding } from '../version-query.ts';
import { ButtonFields } from './ButtonFields.tsx';
import { categoriesOf, type DraftForm, type HeaderType } from './draft-form.ts';
import classes from './edit.module.css';
import { refusalOf } from './refused-fields.ts';

type DraftFieldsProps = {
  readonly channel: Channel;
  readonly form: DraftForm;
  readonly onChange: (part: Partial<DraftForm>) => void;
  readonly findings: readonly Finding[];
  readonly refusals: readonly Refusal[];
};

/** The fields that the channel has, each with what was found in it. */
export function DraftFields(props: DraftFieldsProps) {
  const { channel, form, onChange, findings, refusals } = props;
  const line = (name: LineName, label: string, description?: string) => (
    <Found key={name} findings={findingsAt(findings, name)}>
      <TextInput
        label={label}
        description={description}
        value={form[name]}
        error={refusalOf(refusals, name)}
        onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
      />
    </Found>
  );
  const isEmail = channel === 'EMAIL';
  return (
    <>
      <Found findings={findingsAt(findings, 'category')}>
        <Select
          label="Category"
          data={categoriesOf(channel).map(value => ({ value, label: inPlainWords(value) }))}
          value={form.category}
          error={refusalOf(refusals, 'category')}
          onChange={category => onChange({ category: category as DraftForm['category'] })}
        />
      </Found>
      {channel === 'MESSAGING_APP' ? (
        <Header {...props} findings={findingsAt(findings, 'header')} />
      ) : (
        line('header', HEADER_NAMES[channel])
      )}
      {isEmail && line('preheader', 'Preview text', 'Shown after the subject in inbox lists.')}
      <Found findings={findingsAt(findings, 'body')}>
        <Textarea
          label={isEmail ? 'HTML' : 'Text'}
          description="Use placeholders such as {{first_name}} for values of a person."
          autosize
          minRows={isEmail ? 10 : 5}
          maxRows={24}
          classNames={isEmail ? { input: classes.code! } : {}}
          spellCheck={!isEmail}
          value={form.body}
          error={refusalOf(refusals, 'body')}
          onChange={({ currentTarget }) => onChange({ body: currentTarget.value })}
        />
      </Found>
      {isEmail && (
        <Found findings={findingsAt(findings, 'plainText')}>
          <Textarea
            label="Plain text"
            description="For mail programs that don’t show HTML."
            autosize
            minRows={3}
            maxRows={16}
            value={form.plainText}
            error={refusalOf(refusals, 'plainText')}
            onChange={({ currentTarget }) => onChange({ plainText: currentTarget.value })}
          />
        </Found>
      )}
      {channel !== 'SMS' && line('footer', 'Footer')}
      {channel === 'MESSAGING_APP' && (
        <Found findings={findingsAt(findings, 'buttons')}>
          <ButtonFields buttons={form.buttons} onChange={buttons => onChange({ buttons })} />
          <Input.Error>{refusalOf(refusals, 'buttons')}</Input.Error>
        </Found>
      )}
      {channel === 'SMS' && (
        <Group grow align="flex-start">
          {line('dltEntityId', 'DLT entity ID', 'India only: the ID of the registered sender.')}
          {line('dltTemplateId', 'DLT template ID', 'India only: the ID of this registered text.')}
        </Group>
      )}
    </>
  );
}

type LineName = 'header' | 'preheader' | 'footer' | 'dltEntityId' | 'dltTemplateId';

type FoundProps = { readonly findings: readonly Finding[]; readonly children: ReactNode };

function Found({ findings, children }: FoundProps) {
  return (
    <Box>
      {children}
      <FindingList findings={findings} />
    </Box>
  );
}

const HEADERS: { value: HeaderType | 'NONE'; label: string }[] = [
  { value: 'NONE', label: 'None' },
  { value: 'TEXT', label: 'Text' },
  { value: 'IMAGE', label: 'Image' },
  { value: 'VIDEO', label: 'Video' },
  { value: 'DOCUMENT', label: 'Document' },
];

function Header({ form, onChange, findings, refusals }: DraftFieldsProps) {
  const { headerType, header } = form;
  const change = (value: string | null) =>
    onChange({ headerType: value === 'NONE' ? null : (value as HeaderType) });
  return (
    <Found findings={findings}>
      <Group align="flex-end" gap="sm" wrap="nowrap">
        <Select
          label="Header"
          w={130}
          allowDeselect={false}
          data={HEADERS}
          value={headerType ?? 'NONE'}
          onChange={change}
        />
        {headerType !== null && (
          <TextInput
            flex={1}
            aria-label={headerType === 'TEXT' ? 'Header text' : 'Header URL'}
            placeholder={headerType === 'TEXT' ? '' : 'https://…'}
            value={header}
            error={refusalOf(refusals, 'header')}
            onChange={({ currentTarget }) => onChange({ header: currentTarget.value })}
          />
        )}
      </Group>
    </Found>
  );
}
