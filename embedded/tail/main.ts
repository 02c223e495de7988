// npm run -s tail -- --workspace ID: prints the live view of a workspace.

import { parseArgs } from 'node:util';
import { follow } from './follow.ts';
import { inDigits, tailLine } from './line.ts';
import { LIVE_KINDS, type TailItem } from './live-document.ts';
import { whoseOf } from './whose.ts';

const USAGE = `Usage: npm run -s tail -- [options]

  --workspace ID  the workspace (default: the demo's)
  --kind KIND     only this kind: ${LIVE_KINDS.join(', ').toLowerCase()}; repeatable
  --name NAME     only events with this name; a trailing * matches any suffix
  --type TYPE     only this type, such as track or payment.*
  --user ID       only this user ID or anonymous ID
  --code CODE     only this error code, state, outcome or HTTP status
  --json          prints one JSON object per line, as it does in a pipe
  --url URL       the base address of the service (default: the service that runs in DATA_DIR)
  --token TOKEN   a bearer token (default: creates one, as npm run token does)

Shows accepted events (+), rejected events (!), gateway events (<) and attempts to deliver
webhooks (>). If too many items arrive at once, it shows a sample and the number of
items that are not shown. Press Ctrl-C to stop.
`;

async function main(): Promise<void> {
  const { stdout, stderr, env } = process;
  const { values } = parseArgs({
    options: {
      workspace: { type: 'string' },
      kind: { type: 'string', multiple: true },
      name: { type: 'string' },
      type: { type: 'string' },
      user: { type: 'string' },
      code: { type: 'string' },
      json: { type: 'boolean' },
      url: { type: 'string' },
      token: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    stdout.write(USAGE);
    return;
  }
  const { name, type, user, code } = values;
  const kinds = kindsOf(values.kind);
  const whose = await whoseOf(values, env);
  const note = (text: string) => stderr.write(`tail: ${text}\n`);
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort());
  // The reader has closed the pipe, as `head` does.
  stdout.on('error', () => ending.abort());
  const isTerminal = stdout.isTTY && values.json !== true;
  const sums = new Sums();
  note(
    `${whose.workspaceId ?? 'the workspace of the token'} at ${whose.url}; press Ctrl-C to stop`,
  );
  await follow({
    ...whose,
    variables: { kinds, name, type, user, code },
    signal: ending.signal,
    onNote: note,
    onItem: item => {
      sums.add(item);
      const line = isTerminal
        ? tailLine(item, { width: stdout.columns, isColoured: stdout.hasColors() })
        : JSON.stringify(item);
      if (line !== undefined) stdout.write(`${line}\n`);
    },
  });
  note(sums.text());
}

/** Counts are always included, because they show how many items were omitted. */
function kindsOf(names: readonly string[] | undefined): readonly string[] | undefined {
  if (names === undefined) return undefined;
  const kinds = names
    .flatMap(name => name.split(','))
    .map(name => name.trim().toUpperCase().replaceAll('-', '_'));
  const unknown = kinds.find(kind => !(LIVE_KINDS as readonly string[]).includes(kind));
  if (unknown !== undefined)
    throw new Error(`--kind must be one of ${LIVE_KINDS.join(', ').toLowerCase()}`);
  return [...new Set([...kinds, 'COUNTS'])];
}

class Sums {
  #shown = 0;
  #accepted = 0;
  #rejected = 0;
  #deliveries = 0;
  #gatewayEvents = 0;

  add(item: TailItem): void {
    if (item.__typename === 'LiveGatewayEvent') this.#gatewayEvents++;
    if (item.__typename !== 'LiveCounts') {
      this.#shown++;
      return;
    }
    this.#accepted += item.accepted;
    this.#rejected += item.rejected;
    this.#deliveries += item.deliveries;
  }

  text(): string {
    const parts = [
      `${inDigits(this.#accepted)} accepted`,
      `${inDigits(this.#rejected)} rejected`,
      `${inDigits(this.#gatewayEvents)} gateway events`,
      `${inDigits(this.#deliveries)} webhook attempts`,
    ];
    return `${parts.join(', ')}; ${inDigits(this.#shown)} shown`;
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`tail: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
