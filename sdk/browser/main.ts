// The entry of the package for pages.

import { type LoadParts, PageClient } from './client.ts';
import type { Client, ClientOptions } from './types.ts';

export type { ClientHost, Identity, ReportPath } from '../core/client-host.ts';
export type { Device, DeviceReason } from '../core/device.ts';
export type { Properties } from '../core/event.ts';
export type { ClientProblem, OnProblem } from '../core/problem.ts';
export type * from '../in-app/main.ts';
export type * from '../push/main.ts';
export type { Client, ClientOptions, Consent } from './types.ts';

/** Set by sdk/build.ts, as literals, so that bundlers find the files. */
declare const IN_APP_FILE: string;
declare const PUSH_FILE: string;

export function createClient(options: ClientOptions): Client {
  return new PageClient(options, PARTS);
}

const PARTS: LoadParts = { inApp: () => import(IN_APP_FILE), push: () => import(PUSH_FILE) };
