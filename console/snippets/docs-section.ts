import type { Snippet } from './snippet.ts';
import { SNIPPETS } from './snippets.ts';

/** A Markdown document with the current snippets between its two marks. */
export function withSnippets(document: string): string {
  const start = document.indexOf(START);
  const end = document.indexOf(END);
  if (start === -1 || end < start) throw new Error(`the document needs ${START} and ${END}`);
  const section = SNIPPETS.map(partOf).join('\n');
  return `${document.slice(0, start + START.length)}\n\n${section}\n${document.slice(end)}`;
}

const START = '<!-- written by npm run snippets -->';
const END = '<!-- end of the snippets -->';

const FENCES: Record<Snippet['runsIn'], string> = {
  page: 'html',
  shell: 'sh',
  browser: 'js',
  node: 'js',
  python: 'python',
  go: 'go',
};

const KEYS: Record<Snippet['accepts'], string> = {
  CONTRACT: 'The snippet works with every SDK key.',
  COMPATIBLE: 'Set the SDK key’s `accepts` to `COMPATIBLE`.',
};

function partOf({ name, accepts, runsIn, about, install, code }: Snippet): string {
  const installing = install === undefined ? '' : `\`\`\`sh\n${install}\n\`\`\`\n\n`;
  return `### ${name}

${about} ${KEYS[accepts]}

${installing}\`\`\`${FENCES[runsIn]}
${code}\`\`\`
`;
}
