// Client for the messaging app's public API: the templates of one business account. README.md lists
// the assumptions about it.

import { type ExactJson, field, textField } from '../../../schema/values/exact-json.ts';
import type { MessagingAppConfig } from './approval-config.ts';
import type {
  ApprovalAnswer,
  Approver,
  Submittable,
  UpstreamPage,
  UpstreamTemplate,
} from './approver.ts';
import { componentsOf } from './messaging-app-components.ts';
import { callUpstream, faultOf, NO_LIST } from './upstream-call.ts';
import { upstreamText } from './upstream-text.ts';

/** The maximum page size. */
const PAGE_SIZE = 100;
const FIELDS = 'id,name,language,status,rejected_reason';
/** "Object does not exist": the template is already deleted. */
const NOT_THERE: ReadonlySet<string> = new Set(['100', '2593002']);

export function messagingAppApprover(config: MessagingAppConfig): Approver {
  const { baseUrl, accountId, accessToken, pageSize = PAGE_SIZE } = config;
  const templates = `${baseUrl}/${encodeURIComponent(accountId)}/message_templates`;
  const ask = (method: 'GET' | 'DELETE', query: Readonly<Record<string, string>>) =>
    callUpstream({ method, accessToken, url: `${templates}?${new URLSearchParams(query)}` });
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
    async find(name) {
      // The platform matches any name that contains this one.
      const answer = await ask('GET', { fields: FIELDS, limit: String(pageSize), name });
      if (!answer.isOk) return answer;
      const items = itemsOf(answer.value);
      return items === undefined
        ? NO_LIST
        : { isOk: true, value: items.find(item => item.name === name) };
    },
    async list(after) {
      const limit = String(pageSize);
      const answer = await ask('GET', { fields: FIELDS, limit, ...(after && { after }) });
      return answer.isOk ? pageOf(answer.value) : answer;
    },
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
  const items = itemsOf(answer);
  if (items === undefined) return NO_LIST;
  const paging = field(answer, 'paging');
  const after = textField(field(paging, 'cursors'), 'after');
  // The last page has a cursor too; only `next` proves that another page follows.
  const next = textField(paging, 'next') === undefined ? undefined : after;
  return { isOk: true, value: { items, next } };
}

function itemsOf(answer: ExactJson): readonly UpstreamTemplate[] | undefined {
  const data = field(answer, 'data');
  return Array.isArray(data) ? data.flatMap(itemOf) : undefined;
}

function itemOf(item: ExactJson): UpstreamTemplate[] {
  const [upstreamId, name, status] = ['id', 'name', 'status'].map(key => upstreamText(item, key));
  if (upstreamId === undefined || name === undefined || status === undefined) return [];
  const reason = upstreamText(item, 'rejected_reason') ?? null;
  return [{ upstreamId, name, status, reason: reason === 'NONE' ? null : reason }];
}
