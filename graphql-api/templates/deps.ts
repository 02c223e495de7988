import type { ApprovalConfig } from './approval/approval-config.ts';

declare module '../platform/config.ts' {
  interface Config {
    readonly approval: ApprovalConfig;
  }
}
