import { inPlainWords } from '../../../pieces/in-words.ts';

/** A field of a version, as `TemplateDiff` has it, in lines of text. */
export function textOfField(field: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (field === 'header') return headerText(value as Record<string, string>);
  if (field === 'buttons') return (value as Record<string, string>[]).map(buttonText).join('\n');
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  return field === 'category' ? inPlainWords(value) : value;
}

function headerText({ type, text, url }: Record<string, string>): string {
  return text ?? `${inPlainWords(type ?? '')}: ${url ?? ''}`;
}

function buttonText({ type, text, url, phoneNumber, code }: Record<string, string>): string {
  const target = url ?? phoneNumber ?? code;
  const words = `${text} (${inPlainWords(type ?? '').toLowerCase()})`;
  return target === undefined ? words : `${words} ${target}`;
}
