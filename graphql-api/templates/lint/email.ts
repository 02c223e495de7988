import { atMost, block, charactersOf, type Finding, warn } from './finding.ts';
import type { Linted } from './lint-template.ts';

/** Of HTML, after which a widely used mail client cuts a message off. */
export const HTML_BYTES_MAX = 102 * 1024;
export const HTML_BYTES_COMFORTABLE = 90 * 1024;
/** By how much a link grows when it is rewritten to count its clicks. */
const REWRITTEN_LINK_BYTES = 120;
/** Of a line of a message's head (RFC 5322). */
export const SUBJECT_CHARACTERS_MAX = 998;
/** What telephones show of a subject. */
const SUBJECT_CHARACTERS_SHOWN = 60;

export function lintEmail(version: Linted): Finding[] {
  return [
    ...lintComponents(version),
    ...lintSubject(version),
    ...lintBytes(version),
    ...lintLinks(version),
    ...lintCourtesies(version),
  ];
}

/** With its links as they will be sent. */
export function htmlBytes(body: string): number {
  const links = body.match(/\shref\s*=/gi)?.length ?? 0;
  return Buffer.byteLength(body) + links * REWRITTEN_LINK_BYTES;
}

function lintComponents({ header, buttons }: Linted): Finding[] {
  return [
    ...(header !== null && header.type !== 'text'
      ? [block('HEADER_NOT_SUPPORTED', 'header', 'An email’s header is its subject.')]
      : []),
    ...(buttons.length > 0
      ? [block('BUTTONS_NOT_SUPPORTED', 'buttons', 'An email has its buttons in the body.')]
      : []),
  ];
}

function lintSubject({ header }: Linted): Finding[] {
  const subject = header?.type === 'text' ? header.text : '';
  if (subject.trim() === '')
    return [warn('SUBJECT_MISSING', 'header', 'Say the subject as the header.')];
  const actual = charactersOf(subject);
  if (actual > SUBJECT_CHARACTERS_MAX)
    return atMost(SUBJECT_CHARACTERS_MAX, actual, 'SUBJECT_TOO_LONG', 'header.text', 'Characters');
  if (actual <= SUBJECT_CHARACTERS_SHOWN) return [];
  const facts = { limit: SUBJECT_CHARACTERS_SHOWN, actual };
  return [warn('SUBJECT_LONG', 'header.text', 'Telephones cut it off.', facts)];
}

function lintBytes({ body }: Linted): Finding[] {
  const actual = htmlBytes(body);
  if (actual > HTML_BYTES_MAX)
    return atMost(HTML_BYTES_MAX, actual, 'HTML_TOO_LARGE', 'body', 'Bytes, links rewritten');
  if (actual <= HTML_BYTES_COMFORTABLE) return [];
  const facts = { limit: HTML_BYTES_COMFORTABLE, actual };
  return [warn('HTML_LARGE', 'body', 'Mail clients soon cut it off.', facts)];
}

function lintLinks({ body }: Linted): Finding[] {
  const findings: Finding[] = [];
  if (/\shref\s*=[\s"']*javascript:/i.test(body))
    findings.push(block('SCRIPT_LINK', 'body', 'A link runs a script.'));
  if (/\shref\s*=[\s"']*http:/i.test(body))
    findings.push(warn('INSECURE_LINK', 'body', 'A link is not https.'));
  return findings;
}

function lintCourtesies({ body, category, footer, extras }: Linted): Finding[] {
  const findings: Finding[] = [];
  if (category !== 'transactional' && !/unsubscribe/i.test(`${body}${footer ?? ''}`))
    findings.push(warn('UNSUBSCRIBE_MISSING', 'body', 'Say how to get no more of these.'));
  if (extras.plainText === undefined)
    findings.push(warn('PLAIN_TEXT_MISSING', 'plainText', 'Some read no HTML.'));
  if (extras.preheader === undefined)
    findings.push(warn('PREHEADER_MISSING', 'preheader', 'Lists show the first words instead.'));
  const images = body.match(/<img\b[^<>]*>/gi) ?? [];
  if (images.some(image => !/\salt\s*=/i.test(image)))
    findings.push(warn('ALT_MISSING', 'body', 'An image says nothing where it is not shown.'));
  if (/\{%/.test(body))
    findings.push(warn('TAG_NOT_SUPPORTED', 'body', '{% … %} is sent as it stands.'));
  return findings;
}
