// Client for an SMS registrar over a plain HTTPS API. The operators' portals have no common API, so
// a bridge to one of them implements this contract, which README.md describes.

import { type ExactJson, field, textField } from '../../../schema/values/exact-json.ts';
import { samplesOf } from '../variables.ts';
import type { SmsRegistrarConfig } from './approval-config.ts';
import type {
  ApprovalAnswer,
  Approver,
  Submittable,
  UpstreamPage,
  UpstreamTemplate,
} from './approver.ts';
import { callUpstream, faultOf, findNamed, NO_LIST, upstreamText } from './upstream-call.ts';

export function smsApprover(config: SmsRegistrarConfig): Approver {
  const { baseUrl, accessToken, pageSize } = config;
  const templates = `${baseUrl}/templates`;
  const list = async (query: Readonly<Record<string, string>>) => {
    const url = `${templates}?${new URLSearchParams({ limit: String(pageSize), ...query })}`;
    const answer = await callUpstream({ method: 'GET', accessToken, url });
    return answer.isOk ? pageOf(answer.value) : answer;
  };
  return {
    channel: 'sms',
    async submit(template) {
      const body = bodyOf(template);
      const answer = await callUpstream({ method: 'POST', accessToken, url: templates, body });
      if (!answer.isOk) return answer;
      const [registered] = itemOf(answer.value);
      if (registered === undefined)
        return faultOf('UNKNOWN', 'no_template', 'The response is not a template.');
      return { isOk: true, value: registered };
    },
    find: async name => findNamed(await list({ reference: name }), name),
    list: after => list(after === undefined ? {} : { cursor: after }),
    async withdraw(name) {
      const url = `${templates}/${encodeURIComponent(name)}`;
      const answer = await callUpstream({ method: 'DELETE', accessToken, url });
      if (!answer.isOk && answer.fault.code !== 'NOT_FOUND') return answer;
      return { isOk: true, value: undefined };
    },
  };
}

function bodyOf(template: Submittable) {
  const { name, language, category, body, header, extras } = template;
  return {
    reference: name,
    language,
    category,
    sender: header?.type === 'text' ? header.text : null,
    entity_id: extras.dltEntityId ?? null,
    text: body,
    samples: samplesOf(template.variables),
  };
}

function pageOf(answer: ExactJson): ApprovalAnswer<UpstreamPage> {
  const items = field(answer, 'items');
  if (!Array.isArray(items)) return NO_LIST;
  const next = textField(answer, 'next_cursor');
  return { isOk: true, value: { items: items.flatMap(itemOf), next } };
}

function itemOf(item: ExactJson): UpstreamTemplate[] {
  const upstreamId = upstreamText(item, 'template_id');
  const name = upstreamText(item, 'reference');
  const status = upstreamText(item, 'status');
  if (upstreamId === undefined || name === undefined || status === undefined) return [];
  return [{ upstreamId, name, status, reason: upstreamText(item, 'reason') ?? null }];
}
