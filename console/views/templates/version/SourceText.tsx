import { Box } from '@mantine/core';
import classes from './source.module.css';

type SourceTextProps = {
  readonly text: string;
  /** HTML and addresses. */
  readonly isCode?: boolean;
  readonly isInline?: boolean;
};

/** Uses the API's syntax of placeholders; invalid ones stay text. */
const PLACEHOLDER = /(\{\{[^{}]*\}\}|\{#[^{}#]*#\})/;

/** A text as it was written, the values that it asks for marked. */
export function SourceText({ text, isCode = false, isInline = false }: SourceTextProps) {
  return (
    <Box
      component={isInline ? 'span' : 'div'}
      className={isInline ? classes.inline! : classes.block!}
      data-code={isCode}
    >
      {text.split(PLACEHOLDER).map((piece, at) =>
        at % 2 === 1 ? (
          <span key={at} className={classes.value}>
            {piece}
          </span>
        ) : (
          piece
        ),
      )}
    </Box>
  );
}
