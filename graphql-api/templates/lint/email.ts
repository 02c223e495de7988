import { atMost, charactersAtMost, charactersOf, type Finding, findingsOf } from './finding.ts';
import type { Linted } from './lint-template.ts';

/** The size of HTML above which a widely used mail client clips a message. */
export const HTML_BYTES_MAX = 102 * 1024;
const HTML_BYTES_COMFORTABLE = 90 * 1024;
/** How much a link grows when it is rewritten to count clicks. */
const REWRITTEN_LINK_BYTES = 120;
/** The limit of a header line (RFC 5322). */
const SUBJECT_CHARACTERS_MAX = 998;
/** The part of a subject that phones display. */
const SUBJECT_CHARACTERS_SHOWN = 60;

const found = findingsOf({
  block: {
    HEADER_NOT_SUPPORTED: 'The header of an email must be text: it is the subject.',
    BUTTONS_NOT_SUPPORTED: 'Put the buttons of an email in its body.',
    SCRIPT_LINK: 'Links must not run scripts.',
  },
  warn: {
    SUBJECT_MISSING: 'Add a subject as the header.',
    SUBJECT_LONG: 'Phones truncate subjects of this length.',
    HTML_LARGE: 'The body is close to the size at which mail clients clip a message.',
    INSECURE_LINK: 'Links should use https.',
    UNSUBSCRIBE_MISSING: 'Add a way to unsubscribe.',
    PLAIN_TEXT_MISSING: 'Add plain text for recipients who do not read HTML.',
    PREHEADER_MISSING: 'Without a preheader, inboxes show the first words of the email.',
    ALT_MISSING: 'Add alternative text to every image.',
    TAG_NOT_SUPPORTED: '{% … %} is not supported and is sent unchanged.',
  },
});

export function lintEmail(version: Linted): Finding[] {
  const { header, buttons, body } = version;
  return [
    ...found(header !== null && header.type !== 'text', 'HEADER_NOT_SUPPORTED', 'header'),
    ...found(buttons.length > 0, 'BUTTONS_NOT_SUPPORTED', 'buttons'),
    ...lintSubject(version),
    ...lintBytes(body),
    ...found(/\shref\s*=[\s"']*javascript:/i.test(body), 'SCRIPT_LINK', 'body'),
    ...found(/\shref\s*=[\s"']*http:/i.test(body), 'INSECURE_LINK', 'body'),
    ...lintCourtesies(version),
  ];
}

/** The size of the HTML with its links rewritten, as it is sent. */
export function htmlBytes(body: string): number {
  const links = body.match(/\shref\s*=/gi)?.length ?? 0;
  return Buffer.byteLength(body) + links * REWRITTEN_LINK_BYTES;
}

function lintSubject({ header }: Linted): Finding[] {
  const subject = header?.type === 'text' ? header.text : '';
  if (subject.trim() === '') return found(true, 'SUBJECT_MISSING', 'header');
  const path = 'header.text';
  const facts = { limit: SUBJECT_CHARACTERS_SHOWN, actual: charactersOf(subject) };
  const isLong = facts.actual > facts.limit && facts.actual <= SUBJECT_CHARACTERS_MAX;
  return [
    ...charactersAtMost(SUBJECT_CHARACTERS_MAX, subject, 'SUBJECT_TOO_LONG', path),
    ...found(isLong, 'SUBJECT_LONG', path, facts),
  ];
}

function lintBytes(body: string): Finding[] {
  const limit = HTML_BYTES_COMFORTABLE;
  const actual = htmlBytes(body);
  const isLarge = actual > limit && actual <= HTML_BYTES_MAX;
  return [
    ...atMost(
      HTML_BYTES_MAX,
      actual,
      'HTML_TOO_LARGE',
      'body',
      'Size in bytes, after links are rewritten to count clicks',
    ),
    ...found(isLarge, 'HTML_LARGE', 'body', { limit, actual }),
  ];
}

function lintCourtesies({ body, category, footer, extras }: Linted): Finding[] {
  const canUnsubscribe = /unsubscribe/i.test(`${body}${footer ?? ''}`);
  const images = body.match(/<img\b[^<>]*>/gi) ?? [];
  const lacksAlt = images.some(image => !/\salt\s*=/i.test(image));
  return [
    ...found(category !== 'transactional' && !canUnsubscribe, 'UNSUBSCRIBE_MISSING', 'body'),
    ...found(extras.plainText === undefined, 'PLAIN_TEXT_MISSING', 'plainText'),
    ...found(extras.preheader === undefined, 'PREHEADER_MISSING', 'preheader'),
    ...found(lacksAlt, 'ALT_MISSING', 'body'),
    ...found(/\{%/.test(body), 'TAG_NOT_SUPPORTED', 'body'),
  ];
}
