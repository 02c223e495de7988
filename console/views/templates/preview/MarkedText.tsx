import { Fragment, type ReactNode } from 'react';
import classes from './preview.module.css';

/** The messaging app's formatting: words between two marks, as its documentation describes. */
const MARK =
  /(```[^`]+```|\*[^\s*](?:[^*\n]*[^\s*])?\*|_[^\s_](?:[^_\n]*[^\s_])?_|~[^\s~](?:[^~\n]*[^\s~])?~)/;

/** The text with *bold*, _italic_, ~struck~ and ```fixed``` as the app shows them. */
export function MarkedText({ text }: { readonly text: string }) {
  return <div className={classes.text}>{marked(text)}</div>;
}

function marked(text: string): ReactNode {
  return text
    .split(MARK)
    .map((piece, at) => <Fragment key={at}>{at % 2 === 1 ? shown(piece) : piece}</Fragment>);
}

function shown(piece: string): ReactNode {
  if (piece.startsWith('```')) return <code>{piece.slice(3, -3)}</code>;
  const inside = marked(piece.slice(1, -1));
  if (piece.startsWith('*')) return <strong>{inside}</strong>;
  return piece.startsWith('_') ? <em>{inside}</em> : <s>{inside}</s>;
}
