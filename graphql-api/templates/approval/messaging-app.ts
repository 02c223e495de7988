// Client for the messaging app's public API: the templates of one business account. README.md lists
// the assumptions about it.

import { type ExactJson, field, textField } from '../../../schema/values/exact-json.ts';
import type { TemplateButton, TemplateHeader } from '../content.ts';
import { tokensOf } from '../placeholders.ts';
import { samplesOf } from '../variables.ts';
import type { MessagingAppConfig } from './approval-config.ts';
import type {
  ApprovalAnswer,
  Approver,
  Submittable,
  UpstreamPage,
  UpstreamTemplate,
} from './approver.ts';
import { callUpstream, faultOf, findNamed, NO_LIST, upstreamText } from './upstream-call.ts';

const FIELDS = 'id,name,language,status,rejected_reason';
/** "Object does not exist": the template is already deleted. */
const NOT_THERE: ReadonlySet<string> = new Set(['100', '2593002']);

export function messagingAppApprover(config: MessagingAppConfig): Approver {
  const { baseUrl, accountId, accessToken, pageSize } = config;
  const templates = `${baseUrl}/${encodeURIComponent(accountId)}/message_templates`;
  const ask = (method: 'GET' | 'DELETE', query: Readonly<Record<string, string>>) =>
    callUpstream({ method, accessToken, url: `${templates}?${new URLSearchParams(query)}` });
  const list = async (query: Readonly<Record<string, string>>) => {
    const answer = await ask('GET', { fields: FIELDS, limit: String(pageSize), ...query });
    return answer.isOk ? pageOf(answer.value) : answer;
  };
  return {
    channel: 'messaging_app',
    async submit(template) {
      const body = bodyOf(template);
      const answer = await callUpstream({ method: 'POST', accessToken, url: templates, body });
      if (!answer.isOk) return answer;
      const upstreamId = textField(answer.value, 'id');
      if (upstreamId === undefined) return faultOf('UNKNOWN', 'no_id', 'The response has no id.');
      const status = textField(answer.value, 'status') ?? 'PENDING';
      return { isOk: true, value: { upstreamId, name: template.name, status, reason: null } };
    },
    // The platform matches any name that contains this one.
    find: async name => findNamed(await list({ name }), name),
    list: after => list(after === undefined ? {} : { after }),
    async withdraw(name, upstreamId) {
      const answer = await ask('DELETE', { name, ...(upstreamId && { hsm_id: upstreamId }) });
      if (!answer.isOk && !isGone(answer)) return answer;
      return { isOk: true, value: undefined };
    },
  };
}

function bodyOf(template: Submittable) {
  return {
    name: template.name,
    language: template.language,
    category: (template.category ?? 'marketing').toUpperCase(),
    // The approved category must be the submitted one.
    allow_category_change: false,
    ...componentsOf(template),
  };
}

function isGone(answer: ApprovalAnswer<ExactJson>): boolean {
  return !answer.isOk && answer.fault.kind === 'REFUSED' && NOT_THERE.has(answer.fault.code);
}

function pageOf(answer: ExactJson): ApprovalAnswer<UpstreamPage> {
  const data = field(answer, 'data');
  if (!Array.isArray(data)) return NO_LIST;
  const paging = field(answer, 'paging');
  const after = textField(field(paging, 'cursors'), 'after');
  // The last page has a cursor too; only `next` proves that another page follows.
  const next = textField(paging, 'next') === undefined ? undefined : after;
  return { isOk: true, value: { items: data.flatMap(itemOf), next } };
}

function itemOf(item: ExactJson): UpstreamTemplate[] {
  const [upstreamId, name, status] = ['id', 'name', 'status'].map(key => upstreamText(item, key));
  if (upstreamId === undefined || name === undefined || status === undefined) return [];
  const reason = upstreamText(item, 'rejected_reason') ?? null;
  return [{ upstreamId, name, status, reason: reason === 'NONE' ? null : reason }];
}

type Samples = Readonly<Record<string, string>>;
type Component = Readonly<Record<string, unknown>>;

/** Converts a template to the platform's component format. Each variable has a sample. */
function componentsOf(template: Submittable): Component {
  const samples = samplesOf(template.variables);
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
