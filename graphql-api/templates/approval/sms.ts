// Client for an SMS registrar over a plain HTTPS API. The operators' portals have no common API, so
// a bridge to one of them implements this contract, which README.md describes.

import { type ExactJson, field, textField } from '../../../schema/values/exact-json.ts';
import type { SmsRegistrarConfig } from './approval-config.ts';
import type { Approver, Submittable, UpstreamTemplate } from './approver.ts';
import { callUpstream, faultOf, NO_LIST } from './upstream-call.ts';
import { upstreamText } from './upstream-text.ts';

const PAGE_SIZE = 100;

export function smsApprover(config: SmsRegistrarConfig): Approver {
  const { baseUrl, accessToken, pageSize = PAGE_SIZE } = config;
  const templates = `${baseUrl}/templates`;
  const list = (query: Readonly<Record<string, string>>) =>
    callUpstream({
      method: 'GET',
      accessToken,
      url: `${templates}?${new URLSearchParams({ limit: String(pageSize), ...query })}`,
    });
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
    async find(name) {
      const answer = await list({ reference: name });
      if (!answer.isOk) return answer;
      const items = itemsOf(answer.value);
      return items === undefined
        ? NO_LIST
        : { isOk: true, value: items.find(item => item.name === name) };
    },
    async list(after) {
      const answer = await list(after === undefined ? {} : { cursor: after });
      if (!answer.isOk) return answer;
      const items = itemsOf(answer.value);
      const next = textField(answer.value, 'next_cursor');
      return items === undefined ? NO_LIST : { isOk: true, value: { items, next } };
    },
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
    samples: Object.fromEntries(template.variables.map(({ name: of, sample }) => [of, sample])),
  };
}

function itemsOf(answer: ExactJson): readonly UpstreamTemplate[] | undefined {
  const items = field(answer, 'items');
  return Array.isArray(items) ? items.flatMap(itemOf) : undefined;
}

function itemOf(item: ExactJson): UpstreamTemplate[] {
  const upstreamId = upstreamText(item, 'template_id');
  const name = upstreamText(item, 'reference');
  const status = upstreamText(item, 'status');
  if (upstreamId === undefined || name === undefined || status === undefined) return [];
  return [{ upstreamId, name, status, reason: upstreamText(item, 'reason') ?? null }];
}
