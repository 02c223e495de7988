import { atMost, block, charactersOf, type Finding, warn } from './finding.ts';
import type { Linted } from './lint-template.ts';

/** The size of HTML above which a widely used mail client clips a message. */
export const HTML_BYTES_MAX = 102 * 1024;
export const HTML_BYTES_COMFORTABLE = 90 * 1024;
/** How much a link grows when it is rewritten to count clicks. */
const REWRITTEN_LINK_BYTES = 120;
/** The limit of a header line (RFC 5322). */
export const SUBJECT_CHARACTERS_MAX = 998;
/** The part of a subject that phones display. */
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

/** The size of the HTML with its links rewritten, as it is sent. */
export function htmlBytes(body: string): number {
  const links = body.match(/\shref\s*=/gi)?.length ?? 0;
  return Buffer.byteLength(body) + links * REWRITTEN_LINK_BYTES;
}

function lintComponents({ header, buttons }: Linted): Finding[] {
  return [
    ...(header !== null && header.type !== 'text'
      ? [
          block(
            'HEADER_NOT_SUPPORTED',
            'header',
            'The header of an email must be a text: its subject.',
          ),
        ]
      : []),
    ...(buttons.length > 0
      ? [block('BUTTONS_NOT_SUPPORTED', 'buttons', 'Put the buttons of an email in its body.')]
      : []),
  ];
}

function lintSubject({ header }: Linted): Finding[] {
  const subject = header?.type === 'text' ? header.text : '';
  if (subject.trim() === '')
    return [warn('SUBJECT_MISSING', 'header', 'Add a subject as the header.')];
  const actual = charactersOf(subject);
  if (actual > SUBJECT_CHARACTERS_MAX)
    return atMost(SUBJECT_CHARACTERS_MAX, actual, 'SUBJECT_TOO_LONG', 'header.text', 'Characters');
  if (actual <= SUBJECT_CHARACTERS_SHOWN) return [];
  const facts = { limit: SUBJECT_CHARACTERS_SHOWN, actual };
  return [warn('SUBJECT_LONG', 'header.text', 'Phones truncate subjects of this length.', facts)];
}

function lintBytes({ body }: Linted): Finding[] {
  const actual = htmlBytes(body);
  if (actual > HTML_BYTES_MAX)
    return atMost(HTML_BYTES_MAX, actual, 'HTML_TOO_LARGE', 'body', 'Bytes with rewritten links');
  if (actual <= HTML_BYTES_COMFORTABLE) return [];
  const facts = { limit: HTML_BYTES_COMFORTABLE, actual };
  return [
    warn('HTML_LARGE', 'body', 'The body is close to the size that mail clients clip.', facts),
  ];
}

function lintLinks({ body }: Linted): Finding[] {
  const findings: Finding[] = [];
  if (/\shref\s*=[\s"']*javascript:/i.test(body))
    findings.push(block('SCRIPT_LINK', 'body', 'Links must not run scripts.'));
  if (/\shref\s*=[\s"']*http:/i.test(body))
    findings.push(warn('INSECURE_LINK', 'body', 'Links should use https.'));
  return findings;
}

function lintCourtesies({ body, category, footer, extras }: Linted): Finding[] {
  const findings: Finding[] = [];
  if (category !== 'transactional' && !/unsubscribe/i.test(`${body}${footer ?? ''}`))
    findings.push(warn('UNSUBSCRIBE_MISSING', 'body', 'Add a way to unsubscribe.'));
  if (extras.plainText === undefined)
    findings.push(
      warn(
        'PLAIN_TEXT_MISSING',
        'plainText',
        'Add plain text for recipients who do not read HTML.',
      ),
    );
  if (extras.preheader === undefined)
    findings.push(
      warn('PREHEADER_MISSING', 'preheader', 'Without a preheader, inboxes show the first words.'),
    );
  const images = body.match(/<img\b[^<>]*>/gi) ?? [];
  if (images.some(image => !/\salt\s*=/i.test(image)))
    findings.push(warn('ALT_MISSING', 'body', 'Add alternative text to every image.'));
  if (/\{%/.test(body))
    findings.push(
      warn('TAG_NOT_SUPPORTED', 'body', '{% … %} is not supported and is sent unchanged.'),
    );
  return findings;
}
