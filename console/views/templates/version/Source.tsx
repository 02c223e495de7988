import { Badge, Box, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { inCount, inPlainWords } from '../../../pieces/in-words.ts';
import { FindingList, findingsAt } from '../findings/Findings.tsx';
import { HEADER_NAMES } from '../header-names.ts';
import { buttonTarget } from '../preview/button-target.ts';
import type { Finding, Version } from '../version-query.ts';
import { SourceText } from './SourceText.tsx';

/** The content, with the findings at each field. */
export function Source({ version }: { readonly version: Version }) {
  const { channel, header, body, footer, buttons, findings, category } = version;
  const field = (name: string, label: string, children: ReactNode) => (
    <Field
      key={name}
      label={label}
      findings={findingsAt(findings, name)}
      isShown={children !== null}
    >
      {children}
    </Field>
  );
  const text = (value: string | null, isCode = false) =>
    value === null || value === '' ? null : <SourceText text={value} isCode={isCode} />;
  return (
    <Stack gap="md">
      <Title order={3} size="h6">
        Source
      </Title>
      {field('category', 'Category', category && <Text size="sm">{inPlainWords(category)}</Text>)}
      {field('header', HEADER_NAMES[channel], text(header?.text ?? header?.url ?? null))}
      {field('preheader', 'Preview text', text(version.preheader))}
      {field('body', channel === 'EMAIL' ? 'HTML' : 'Text', text(body, channel === 'EMAIL'))}
      {field('plainText', 'Plain text', text(version.plainText))}
      {field('footer', 'Footer', text(footer))}
      {field('buttons', 'Buttons', buttons.length > 0 ? <Buttons version={version} /> : null)}
      {field('dltEntityId', 'DLT entity ID', text(version.dltEntityId))}
      {field('dltTemplateId', 'DLT template ID', text(version.dltTemplateId))}
      {field('variables', 'Values', null)}
    </Stack>
  );
}

type FieldProps = {
  readonly label: string;
  readonly findings: readonly Finding[];
  readonly isShown: boolean;
  readonly children: ReactNode;
};

/** Left out where there is neither a text nor anything to say about it. */
function Field({ label, findings, isShown, children }: FieldProps) {
  if (!isShown && findings.length === 0) return null;
  return (
    <Box>
      <Text size="xs" fw={600} c="dimmed" mb={4}>
        {label}
      </Text>
      {isShown ? (
        children
      ) : (
        <Text size="sm" c="dimmed">
          None
        </Text>
      )}
      <FindingList findings={findings} />
    </Box>
  );
}

function Buttons({ version: { buttons } }: { readonly version: Version }) {
  return (
    <Stack gap={6}>
      {buttons.map((button, at) => (
        <Group key={at} gap="xs">
          <Text size="sm" fw={600}>
            {button.text}
          </Text>
          <Badge variant="default" size="sm" tt="none">
            {inPlainWords(button.type)}
          </Badge>
          {buttonTarget(button) !== undefined && (
            <SourceText text={buttonTarget(button)!} isCode isInline />
          )}
        </Group>
      ))}
    </Stack>
  );
}

/** The length, shown next to a text with a limit. */
export function lengthOf(text: string): string {
  return inCount(Array.from(text).length);
}
