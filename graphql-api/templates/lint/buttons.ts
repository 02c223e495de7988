import type { TemplateButton } from '../content.ts';
import { tokensOf } from '../placeholders.ts';
import { atMost, charactersAtMost, type Finding, findingsOf } from './finding.ts';
import type { Linted } from './lint-template.ts';

const BUTTONS_MAX = 10;
/** The template limit. The limit of 20 in some documents is for replies within a conversation. */
const BUTTON_TEXT_CHARACTERS_MAX = 25;
const BUTTON_URL_CHARACTERS_MAX = 2000;
const BUTTON_PHONE_CHARACTERS_MAX = 20;
const BUTTON_CODE_CHARACTERS_MAX = 15;
const BUTTON_URL_VARIABLES_MAX = 1;

export const BUTTONS_MAX_BY_TYPE: Readonly<Record<TemplateButton['type'], number>> = {
  url: 2,
  phone: 1,
  quick_reply: 10,
  copy_code: 1,
  otp: 1,
};

const found = findingsOf({
  block: {
    BUTTONS_INTERLEAVED: 'Place all quick replies together, before or after the other buttons.',
    BUTTONS_OF_AUTHENTICATION:
      'An authentication message can have only one button, which must be of type otp.',
    OTP_BUTTON_NOT_ALLOWED: 'A button of type otp requires the authentication category.',
    BUTTON_TEXT_EMPTY: 'A button must have a label.',
    BUTTON_PHONE_INVALID:
      'The phone number can contain only digits, spaces, hyphens and parentheses, and a + at the start.',
    BUTTON_URL_INVALID: 'The URL must be absolute and begin with https.',
    BUTTON_URL_VARIABLE_INSIDE: 'A placeholder is only allowed at the end of a URL.',
  },
  warn: {
    OTP_BUTTON_MISSING: 'An authentication message should have a button of type otp.',
    COPY_CODE_IS_MARKETING: 'A button of type copy_code should be used in marketing messages only.',
  },
});

export function lintButtons({ buttons, category }: Linted): Finding[] {
  return [
    ...atMost(BUTTONS_MAX, buttons.length, 'BUTTONS_TOO_MANY', 'buttons', 'Buttons'),
    ...Object.entries(BUTTONS_MAX_BY_TYPE).flatMap(([type, limit]) => {
      const count = buttons.filter(button => button.type === type).length;
      const code = `BUTTONS_TOO_MANY_${type.toUpperCase()}`;
      return atMost(limit, count, code, 'buttons', `Buttons of type ${type}`);
    }),
    ...lintOrder(buttons),
    ...lintCategory(buttons, category),
    ...buttons.flatMap((button, index) => lintButton(button, `buttons.${index}`)),
  ];
}

/** Quick replies must be adjacent, and so must all other buttons. */
function lintOrder(buttons: readonly TemplateButton[]): Finding[] {
  const isReply = buttons.map(({ type }) => type === 'quick_reply');
  const changes = isReply.filter((reply, index) => index > 0 && reply !== isReply[index - 1]);
  return found(changes.length > 1, 'BUTTONS_INTERLEAVED', 'buttons');
}

function lintCategory(buttons: readonly TemplateButton[], category: string | null): Finding[] {
  const types = new Set(buttons.map(({ type }) => type));
  if (category === 'authentication') {
    const hasOthers = types.size > (types.has('otp') ? 1 : 0);
    return [
      ...found(hasOthers, 'BUTTONS_OF_AUTHENTICATION', 'buttons'),
      ...found(types.size === 0, 'OTP_BUTTON_MISSING', 'buttons'),
    ];
  }
  const isCopyMisplaced = category !== 'marketing' && types.has('copy_code');
  return [
    ...found(types.has('otp'), 'OTP_BUTTON_NOT_ALLOWED', 'buttons'),
    ...found(isCopyMisplaced, 'COPY_CODE_IS_MARKETING', 'buttons'),
  ];
}

function lintButton(button: TemplateButton, path: string): Finding[] {
  const { text } = button;
  return [
    ...found(text.trim() === '', 'BUTTON_TEXT_EMPTY', `${path}.text`),
    ...charactersAtMost(BUTTON_TEXT_CHARACTERS_MAX, text, 'BUTTON_TEXT_TOO_LONG', `${path}.text`),
    ...lintTarget(button, path),
  ];
}

function lintTarget({ type, url = '', phoneNumber = '', code = '' }: TemplateButton, path: string) {
  switch (type) {
    case 'url':
      return lintUrl(url, `${path}.url`);
    case 'phone': {
      const at = `${path}.phone_number`;
      const isValid = /^\+?[0-9][0-9 ()-]*$/.test(phoneNumber);
      return [
        ...charactersAtMost(BUTTON_PHONE_CHARACTERS_MAX, phoneNumber, 'BUTTON_PHONE_TOO_LONG', at),
        ...found(!isValid, 'BUTTON_PHONE_INVALID', at),
      ];
    }
    case 'copy_code': {
      const at = `${path}.code`;
      return charactersAtMost(BUTTON_CODE_CHARACTERS_MAX, code, 'BUTTON_CODE_TOO_LONG', at);
    }
    case 'quick_reply':
    case 'otp':
      return [];
  }
}

function lintUrl(url: string, path: string): Finding[] {
  const tokens = tokensOf(url);
  const variables = tokens.filter(({ kind }) => kind === 'variable');
  const isInside = variables.length > 0 && tokens.at(-1)?.kind !== 'variable';
  return [
    ...found(!/^https?:\/\/[^\s{}]+/.test(url), 'BUTTON_URL_INVALID', path),
    ...charactersAtMost(BUTTON_URL_CHARACTERS_MAX, url, 'BUTTON_URL_TOO_LONG', path),
    ...atMost(BUTTON_URL_VARIABLES_MAX, variables.length, 'BUTTON_URL_VARIABLES', path, 'Values'),
    ...found(isInside, 'BUTTON_URL_VARIABLE_INSIDE', path),
  ];
}
