import type { TemplateButton, TemplateHeader } from '../content.ts';
import { tokensOf } from '../placeholders.ts';
import type { Submittable } from './approver.ts';

type Samples = Readonly<Record<string, string>>;
type Component = Readonly<Record<string, unknown>>;

/** Converts a template to the platform's component format. Each variable has a sample. */
export function componentsOf(template: Submittable): Component {
  const samples = Object.fromEntries(template.variables.map(({ name, sample }) => [name, sample]));
  const isNamed = template.variables.some(({ name }) => !/^\d+$/.test(name));
  const components = [
    ...headerOf(template.header, samples, isNamed),
    {
      type: 'BODY',
      text: plainText(template.body),
      ...examples('body_text', template.body, samples, isNamed),
    },
    ...(template.footer === null ? [] : [{ type: 'FOOTER', text: template.footer }]),
    ...(template.buttons.length === 0
      ? []
      : [{ type: 'BUTTONS', buttons: template.buttons.map(button => buttonOf(button, samples)) }]),
  ];
  return { parameter_format: isNamed ? 'NAMED' : 'POSITIONAL', components };
}

function headerOf(header: TemplateHeader | null, samples: Samples, isNamed: boolean): Component[] {
  if (header === null) return [];
  if (header.type !== 'text') {
    const example = { header_handle: [header.url] };
    return [{ type: 'HEADER', format: header.type.toUpperCase(), example }];
  }
  const text = plainText(header.text);
  const example = examples('header_text', header.text, samples, isNamed);
  return [{ type: 'HEADER', format: 'TEXT', text, ...example }];
}

/** Removes our default values, which the platform does not support. */
function plainText(text: string): string {
  return tokensOf(text)
    .map(token => (token.kind === 'variable' ? `{{${token.name}}}` : token.text))
    .join('');
}

function examples(
  field: 'header_text' | 'body_text',
  text: string,
  samples: Samples,
  isNamed: boolean,
): Component {
  const names = namesIn(text);
  if (names.length === 0) return {};
  if (isNamed) {
    const named = names.map(name => ({ param_name: name, example: samples[name] ?? name }));
    return { example: { [`${field}_named_params`]: named } };
  }
  const values = names.map(name => samples[name] ?? name);
  // The platform expects one list of values for a header, but a list of lists for a body.
  return { example: { [field]: field === 'body_text' ? [values] : values } };
}

function namesIn(text: string): string[] {
  const names = tokensOf(text).flatMap(token => (token.kind === 'variable' ? [token.name] : []));
  return [...new Set(names)];
}

function buttonOf(button: TemplateButton, samples: Samples): Component {
  const { type, text, url = '', phoneNumber, code } = button;
  switch (type) {
    case 'quick_reply':
      return { type: 'QUICK_REPLY', text };
    case 'phone':
      return { type: 'PHONE_NUMBER', text, phone_number: phoneNumber };
    case 'copy_code':
      return { type: 'COPY_CODE', example: code };
    case 'otp':
      return { type: 'OTP', otp_type: 'COPY_CODE', text };
    case 'url':
      return { type: 'URL', text, ...urlOf(url, samples) };
  }
}

/** A URL has one positional variable at its end, even if the body uses named ones. The example is a
 * complete URL. */
function urlOf(url: string, samples: Samples): Component {
  const [name] = namesIn(url);
  if (name === undefined) return { url };
  const asked = (value: string) =>
    tokensOf(url)
      .map(token => (token.kind === 'variable' ? value : token.text))
      .join('');
  const example = asked(encodeURIComponent(samples[name] ?? name));
  return { url: asked('{{1}}'), example: [example] };
}
