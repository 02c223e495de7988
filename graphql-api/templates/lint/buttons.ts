import type { TemplateButton } from '../content.ts';
import { tokensOf } from '../placeholders.ts';
import { atMost, block, charactersOf, type Finding, warn } from './finding.ts';
import type { Linted } from './lint-template.ts';

export const BUTTONS_MAX = 10;
/** The template limit. The limit of 20 in some documents is for replies within a conversation. */
export const BUTTON_TEXT_CHARACTERS_MAX = 25;
export const BUTTON_URL_CHARACTERS_MAX = 2000;
export const BUTTON_PHONE_CHARACTERS_MAX = 20;
export const BUTTON_CODE_CHARACTERS_MAX = 15;
const BUTTON_URL_VARIABLES_MAX = 1;

export const BUTTONS_MAX_BY_TYPE: Readonly<Record<TemplateButton['type'], number>> = {
  url: 2,
  phone: 1,
  quick_reply: 10,
  copy_code: 1,
  otp: 1,
};

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
  const changes = isReply.filter(
    (reply, index) => index > 0 && reply !== isReply[index - 1],
  ).length;
  return changes > 1
    ? [
        block(
          'BUTTONS_INTERLEAVED',
          'buttons',
          'Place all quick replies together, before or after the other buttons.',
        ),
      ]
    : [];
}

function lintCategory(buttons: readonly TemplateButton[], category: string | null): Finding[] {
  const hasOtp = buttons.some(({ type }) => type === 'otp');
  if (category === 'authentication') {
    if (buttons.some(({ type }) => type !== 'otp'))
      return [
        block(
          'BUTTONS_OF_AUTHENTICATION',
          'buttons',
          'An authentication message can only have one button of type otp.',
        ),
      ];
    return hasOtp
      ? []
      : [
          warn(
            'OTP_BUTTON_MISSING',
            'buttons',
            'An authentication message should have a button of type otp.',
          ),
        ];
  }
  const findings: Finding[] = [];
  if (hasOtp)
    findings.push(
      block(
        'OTP_BUTTON_NOT_ALLOWED',
        'buttons',
        'A button of type otp requires the authentication category.',
      ),
    );
  if (category !== 'marketing' && buttons.some(({ type }) => type === 'copy_code'))
    findings.push(
      warn(
        'COPY_CODE_IS_MARKETING',
        'buttons',
        'A button of type copy_code should be used in marketing messages only.',
      ),
    );
  return findings;
}

function lintButton(button: TemplateButton, path: string): Finding[] {
  const length = charactersOf(button.text);
  const text = `${path}.text`;
  return [
    ...(button.text.trim() === ''
      ? [block('BUTTON_TEXT_EMPTY', text, 'A button must have a label.')]
      : []),
    ...atMost(BUTTON_TEXT_CHARACTERS_MAX, length, 'BUTTON_TEXT_TOO_LONG', text, 'Characters'),
    ...lintTarget(button, path),
  ];
}

function lintTarget({ type, url = '', phoneNumber = '', code = '' }: TemplateButton, path: string) {
  switch (type) {
    case 'url':
      return lintUrl(url, `${path}.url`);
    case 'phone': {
      const at = `${path}.phone_number`;
      const length = charactersOf(phoneNumber);
      return [
        ...atMost(BUTTON_PHONE_CHARACTERS_MAX, length, 'BUTTON_PHONE_TOO_LONG', at, 'Characters'),
        ...(/^\+?[0-9][0-9 ()-]*$/.test(phoneNumber)
          ? []
          : [block('BUTTON_PHONE_INVALID', at, 'The phone number is not valid.')]),
      ];
    }
    case 'copy_code': {
      const at = `${path}.code`;
      return atMost(
        BUTTON_CODE_CHARACTERS_MAX,
        charactersOf(code),
        'BUTTON_CODE_TOO_LONG',
        at,
        'Characters',
      );
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
    ...(/^https?:\/\/[^\s{}]+/.test(url)
      ? []
      : [block('BUTTON_URL_INVALID', path, 'The URL must be absolute and begin with https.')]),
    ...atMost(
      BUTTON_URL_CHARACTERS_MAX,
      charactersOf(url),
      'BUTTON_URL_TOO_LONG',
      path,
      'Characters',
    ),
    ...atMost(BUTTON_URL_VARIABLES_MAX, variables.length, 'BUTTON_URL_VARIABLES', path, 'Values'),
    ...(isInside
      ? [
          block(
            'BUTTON_URL_VARIABLE_INSIDE',
            path,
            'A placeholder is only allowed at the end of a URL.',
          ),
        ]
      : []),
  ];
}
