// multipart/form-data with small text parts, which the official client uses for long parameters.

import { isUtf8 } from 'node:buffer';
import { exception } from './exception.ts';

/** Undefined: the body is not multipart. */
export function multipartBoundary(contentType: string | undefined): string | undefined {
  const match = /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]+)"|([^;\s]+))/i.exec(
    contentType ?? '',
  );
  return match?.[1] ?? match?.[2];
}

/** The parts by name. A part with a file would be an external table, which is not supported. */
export function multipartFields(body: Buffer, boundary: string): [string, string][] {
  // One character per byte, so that lengths are in bytes for any content.
  const sections = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`);
  if (sections.length < 3 || !sections.at(-1)!.startsWith('--'))
    throw exception('UNEXPECTED_END_OF_FILE', 'The multipart body is not terminated');
  return sections.slice(1, -1).map(section => {
    const headEnd = section.indexOf('\r\n\r\n');
    const head = section.slice(0, headEnd);
    const name = /\bname="([^"]*)"/i.exec(head)?.[1];
    if (headEnd === -1 || name === undefined)
      throw exception('BAD_ARGUMENTS', 'A part of the multipart body has no name');
    if (/\bfilename=/i.test(head))
      throw exception('NOT_IMPLEMENTED', 'External tables are not supported');
    const value = Buffer.from(section.slice(headEnd + 4), 'latin1');
    if (!isUtf8(value))
      throw exception('BAD_ARGUMENTS', `The part ${name} of the body is not valid UTF-8`);
    return [name, value.toString('utf8')];
  });
}
