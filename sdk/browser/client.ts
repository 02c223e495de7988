// The client of a page.

import type { ClientHost, Identity, ReportPath } from '../core/client-host.ts';
import { type Device, type DeviceReason, deactivateBody, registerBody } from '../core/device.ts';
import type { Entry } from '../core/entry.ts';
import type { Call, Properties } from '../core/event.ts';
import { createIds } from '../core/ids.ts';
import { HELD_ENTRIES_MAX } from '../core/limits.ts';
import { reportFull } from '../core/memory-queue.ts';
import type { OnProblem } from '../core/problem.ts';
import { Problems } from '../core/problems.ts';
import { type Visitor, visitorAt } from '../core/visitor.ts';
import type { InApp, InAppOptions } from '../in-app/main.ts';
import type { Push, PushOptions } from '../push/main.ts';
import { fetchJson } from './fetch-json.ts';
import { LocalStore } from './local-store.ts';
import { pageContext, pageProperties } from './page-context.ts';
import { PagePipeline } from './page-pipeline.ts';
import type { Client, ClientOptions, Consent } from './types.ts';

/** A part of the client that is loaded when it is used. */
export type LoadParts = {
  readonly inApp: () => Promise<typeof import('../in-app/main.ts')>;
  readonly push: () => Promise<typeof import('../push/main.ts')>;
};

const VISITOR = 'visitor';
const CONSENT = 'consent';

export class PageClient implements Client {
  private readonly options: ClientOptions;
  private readonly loadParts: LoadParts;
  private readonly problems = new Problems();
  private readonly ids = createIds();
  private readonly store: LocalStore;
  private readonly lanes: PagePipeline;
  private readonly parts = new Map<keyof LoadParts, Promise<unknown>>();
  /** Events from before the person's consent. */
  private held: Entry[] = [];
  /** The visitor while the person has not consented to storing one. */
  private visitor: Visitor | undefined;

  constructor(options: ClientOptions, loadParts: LoadParts) {
    this.options = { ...options, host: options.host.replace(/\/+$/, '') };
    this.loadParts = loadParts;
    this.store = new LocalStore(`engagement:${options.writeKey}:`);
    const { ids, store } = this;
    const onProblem = this.problems.report;
    const hasConsent = () => this.consent === 'granted';
    this.lanes = new PagePipeline({ ...this.options, ids, store, onProblem, hasConsent });
    if (this.consent === 'granted') this.lanes.start();
  }

  track(event: string, properties?: Properties): void {
    this.send({ type: 'track', event, properties });
  }

  identify(userId: string, traits?: Properties): void {
    this.keep({ ...this.touch(), userId });
    this.send({ type: 'identify', traits });
  }

  page(name?: string, properties?: Properties): void {
    this.send({ type: 'page', name, properties: { ...pageProperties(), ...properties } });
  }

  screen(name?: string, properties?: Properties): void {
    this.send({ type: 'screen', name, properties });
  }

  group(groupId: string, traits?: Properties): void {
    this.send({ type: 'group', groupId, traits });
  }

  alias(userId: string, previousId?: string): void {
    const visitor = this.touch();
    const previous = previousId ?? visitor.userId ?? visitor.anonymousId;
    this.keep({ ...visitor, userId });
    this.send({ type: 'alias', previousId: previous });
  }

  registerDevice(device: Device): void {
    const { anonymousId, userId } = this.touch();
    this.report('/v1/devices/register', registerBody(device, anonymousId, userId));
  }

  deactivateDevice(device: Device & DeviceReason): void {
    this.report('/v1/devices/deactivate', deactivateBody(device));
  }

  get consent(): Consent {
    const stored = this.store.get<{ readonly isGranted: boolean }>(CONSENT);
    if (stored !== undefined) return stored.isGranted ? 'granted' : 'denied';
    return this.options.consentRequired === true ? 'pending' : 'granted';
  }

  setConsent(isGranted: boolean): void {
    this.store.set(CONSENT, { isGranted });
    const held = this.held.splice(0);
    if (isGranted) {
      if (this.visitor !== undefined) this.keep(this.visitor);
      for (const entry of held) this.lanes.pipeline.add(entry);
      this.lanes.start();
    } else {
      this.reset();
      this.lanes.clear();
    }
  }

  reset(): void {
    this.visitor = undefined;
    this.store.remove(VISITOR);
  }

  identity(): Identity {
    const { anonymousId, userId, sessionId } = this.touch();
    return { anonymousId, ...(userId === undefined ? {} : { userId }), sessionId };
  }

  flush(): Promise<void> {
    return this.consent === 'granted' ? this.lanes.pipeline.flush() : Promise.resolve();
  }

  onProblem(listener: OnProblem): void {
    this.problems.listen(listener);
  }

  inApp(options?: InAppOptions): Promise<InApp> {
    return this.start('inApp', async () =>
      (await this.loadParts.inApp()).startInApp(this.host(), options),
    );
  }

  push(options: Omit<PushOptions, 'host' | 'writeKey'>): Promise<Push> {
    const { host, writeKey } = this.options;
    return this.start('push', async () =>
      (await this.loadParts.push()).startPush(this.host(), { host, writeKey, ...options }),
    );
  }

  private send(call: Call): void {
    const { consent } = this;
    if (consent === 'denied') return;
    const entry = this.lanes.pipeline.event(call, this.identity(), pageContext());
    if (consent === 'granted') this.enqueue(entry);
    else if (entry !== undefined) this.hold(entry);
  }

  private enqueue(entry: Entry | undefined): void {
    if (entry !== undefined) this.lanes.pipeline.add(entry);
  }

  private report(path: ReportPath, body: Properties): void {
    if (this.consent === 'granted') this.enqueue(this.lanes.pipeline.report(path, body));
  }

  private hold(entry: Entry): void {
    if (this.held.length < HELD_ENTRIES_MAX) this.held.push(entry);
    else reportFull(this.problems.report, [entry]);
  }

  /** The visitor at a call, which also continues the session. Other tabs may have changed it since the last call. */
  private touch(): Visitor {
    const known = this.store.get<Visitor>(VISITOR) ?? this.visitor;
    const visitor = visitorAt(known, this.ids.nowMs(), this.ids.newId);
    this.keep(visitor);
    return visitor;
  }

  private keep(visitor: Visitor): void {
    if (this.consent === 'granted') this.store.set(VISITOR, visitor);
    else this.visitor = visitor;
  }

  /** The options of the first call apply. If the part could not be loaded, the next call tries again. */
  private start<Part>(name: keyof LoadParts, load: () => Promise<Part>): Promise<Part> {
    const started = (this.parts.get(name) as Promise<Part> | undefined) ?? load();
    this.parts.set(name, started);
    started.catch(() => this.parts.delete(name));
    return started;
  }

  private host(): ClientHost {
    const { host, writeKey } = this.options;
    return {
      identity: () => this.identity(),
      fetchJson: path => fetchJson(host + path, writeKey, this.identity()),
      report: (path, body) => this.report(path, body),
      hasConsent: () => this.consent === 'granted',
    };
  }
}
