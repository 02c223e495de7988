import type { Config } from '../../platform/config.ts';
import type { TemplateChannel } from '../content.ts';
import type { Approver } from './approver.ts';
import { messagingAppApprover } from './messaging-app.ts';
import { smsApprover } from './sms.ts';

export type Approvers = ReadonlyMap<TemplateChannel, Approver>;

const byConfig = new WeakMap<Config, Approvers>();

/** The configured approvers. Email has none, because people review it. */
export function approversOf({ config }: { readonly config: Config }): Approvers {
  let approvers = byConfig.get(config);
  if (approvers === undefined) {
    const { messagingApp, smsRegistrar } = config.approval;
    const known = [
      ...(messagingApp === undefined ? [] : [messagingAppApprover(messagingApp)]),
      ...(smsRegistrar === undefined ? [] : [smsApprover(smsRegistrar)]),
    ];
    approvers = new Map(known.map(approver => [approver.channel, approver]));
    byConfig.set(config, approvers);
  }
  return approvers;
}
