import { Box, Title, VisuallyHidden } from '@mantine/core';
import { useMemo } from 'react';
import type { Channel } from '../../../pieces/channels.tsx';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { HEADER_NAMES } from '../header-names.ts';
import type { FieldDiff } from './Changes.tsx';
import classes from './changes.module.css';
import { compareTexts, inLines, type Piece, type Row } from './compare-texts.ts';
import { textOfField } from './text-of-field.ts';

type FieldChangeProps = { readonly change: FieldDiff; readonly channel: Channel };

/** Side by side where there is room, else one below the other. */
export function FieldChange({ change, channel }: FieldChangeProps) {
  const { field, before, after } = change;
  const isHtml = field === 'body' && channel === 'EMAIL';
  const rows = useMemo(() => {
    const [from, to] = [textOfField(field, before), textOfField(field, after)];
    return isHtml ? compareTexts(inLines(from), inLines(to)) : compareTexts(from, to);
  }, [field, before, after, isHtml]);
  const title = titleOf(field, channel);
  return (
    <Box>
      <Title order={3} size="h6" mb={6}>
        {title}
      </Title>
      <Box className={classes.table!} data-code={isHtml} visibleFrom="sm">
        {rows.map((row, at) => (
          <SideBySide key={at} row={row} />
        ))}
      </Box>
      <Box className={classes.unified!} data-code={isHtml} hiddenFrom="sm">
        {rows.map((row, at) => (
          <OneBelowTheOther key={at} row={row} />
        ))}
      </Box>
    </Box>
  );
}

function SideBySide({ row: { before, after, isSame } }: { readonly row: Row }) {
  return (
    <>
      <Line pieces={before} kind={isSame ? 'same' : 'removed'} />
      <Line pieces={after} kind={isSame ? 'same' : 'added'} />
    </>
  );
}

function OneBelowTheOther({ row: { before, after, isSame } }: { readonly row: Row }) {
  if (isSame) return <Line pieces={before} kind="same" />;
  return (
    <>
      {before && <Line pieces={before} kind="removed" />}
      {after && <Line pieces={after} kind="added" />}
    </>
  );
}

type LineProps = {
  readonly pieces: readonly Piece[] | undefined;
  readonly kind: 'same' | 'removed' | 'added';
};

const SIGNS = { same: '', removed: '−', added: '+' } as const;
const NAMES = { same: '', removed: 'Before: ', added: 'After: ' } as const;

function Line({ pieces, kind }: LineProps) {
  if (pieces === undefined) return <div className={classes.line} data-kind="none" />;
  const Mark = kind === 'removed' ? 'del' : 'ins';
  return (
    <div className={classes.line} data-kind={kind}>
      <span className={classes.sign} aria-hidden>
        {SIGNS[kind]}
      </span>
      <span>
        <VisuallyHidden>{NAMES[kind]}</VisuallyHidden>
        {pieces.map(({ text, isChanged }, at) =>
          isChanged ? <Mark key={at}>{text}</Mark> : <span key={at}>{text}</span>,
        )}
      </span>
    </div>
  );
}

function titleOf(field: string, channel: Channel): string {
  if (field === 'header') return HEADER_NAMES[channel];
  if (field === 'body') return channel === 'EMAIL' ? 'HTML' : 'Text';
  return TITLES[field] ?? inPlainWords(field);
}

const TITLES: Readonly<Record<string, string>> = {
  preheader: 'Preview text',
  plainText: 'Plain text',
  dltEntityId: 'DLT entity ID',
  dltTemplateId: 'DLT template ID',
};
