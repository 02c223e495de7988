import { parseArgs } from 'node:util';
import { isUuid } from '../../schema/values/uuid.ts';
import { correctionContract } from '../events/replay/correct-event.ts';
import type { Replay } from '../events/replay/replay-rejected.ts';

export const USAGE = `Usage: npm run replay -- --workspace ID --code CODE --since TIME [options]

Corrects rejected events and sends them to ingest again. Shows the expected result first.

  --workspace ID     the workspace
  --code CODE        events rejected with this error code, such as INVALID_TIMESTAMP; repeatable
  --since TIME       events received at or after TIME: 2026-05-01, 2026-05-01T12:00Z, 24h or 7d (ago)
  --until TIME       events received before TIME (default: now)
  --limit N          at most N events, oldest first (default: all)

Corrections (repeatable; they are applied in this order). A can be a path such as properties.total.

  --rename A=B       renames the field A to B
  --drop A           removes A
  --set A=VALUE      sets A to VALUE
  --fill A=VALUE     sets A to VALUE if it is missing or null. VALUE is read as JSON or, if it is
                     not valid JSON, as text. It can also be @received_at (when the event arrived),
                     @sent_at (sentAt of its batch) or @derived (an ID derived from the event);
                     @@x is the text @x.

  --rate N           events per second (default: 1000)
  --dry-run          shows the expected result without replaying the events
  --yes              does not ask for confirmation
  -h, --help         prints this text

A replay can be repeated: events are deduplicated by messageId. Events that are rejected again stay
in rejected_events.

  DATABASE_URL (or DATABASE_APP_URL and DATABASE_SYSTEM_URL), CLICKHOUSE_URL, INGEST_URL and
  INTERNAL_TOKEN default to those of the service that runs in DATA_DIR.
`;

export type ReplayArguments = Omit<Replay, 'organizationId' | 'isDryRun'> & {
  readonly isDryRun: boolean;
  readonly isConfirmed: boolean;
};

const RATE_DEFAULT = 1_000;
const RATE_MAX = 20_000;
const CODE = /^[A-Z][A-Z_]{0,63}$/;

/** Undefined if help is requested. Throws one error that names all invalid arguments. */
export function readArguments(argv: readonly string[], nowMs: number): ReplayArguments | undefined {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      workspace: { type: 'string' },
      code: { type: 'string', multiple: true, default: [] },
      since: { type: 'string' },
      until: { type: 'string' },
      limit: { type: 'string' },
      rename: { type: 'string', multiple: true, default: [] },
      drop: { type: 'string', multiple: true, default: [] },
      set: { type: 'string', multiple: true, default: [] },
      fill: { type: 'string', multiple: true, default: [] },
      rate: { type: 'string', default: String(RATE_DEFAULT) },
      'dry-run': { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  const { workspace = '', code: codes, since = '', until } = values;
  const sinceMs = instantMs(since, nowMs);
  const untilMs = until === undefined ? nowMs : instantMs(until, nowMs);
  const limit = values.limit === undefined ? Number.MAX_SAFE_INTEGER : Number(values.limit);
  const rate = Number(values.rate);
  const correction = correctionContract.safeParse({
    rename: Object.fromEntries(values.rename.map(pair)),
    drop: values.drop,
    set: valuesByPath(values.set),
    fill: valuesByPath(values.fill),
  });
  const faults = [
    !isUuid(workspace) && '--workspace must be the ID of a workspace',
    !(codes.length > 0 && codes.every(code => CODE.test(code))) &&
      '--code must be an error code, such as INVALID_TIMESTAMP',
    sinceMs === undefined && '--since must be a time, such as 2026-05-01, or an age, such as 24h',
    untilMs === undefined && '--until must be a time, such as 2026-05-01, or an age, such as 24h',
    !(Number.isInteger(limit) && limit >= 1) && '--limit must be a whole number greater than 0',
    !(rate >= 1 && rate <= RATE_MAX) && `--rate must be from 1 to ${RATE_MAX}`,
    ...(correction.error?.issues ?? []).map(
      ({ path, message }) => `--${path.join(' ')}: ${message}`,
    ),
  ].filter(fault => fault !== false);
  if (faults.length > 0) throw new Error(`${faults.join('\n')}\n\n${USAGE}`);
  return {
    workspaceId: workspace.toLowerCase(),
    codes,
    sinceMs: sinceMs!,
    untilMs: untilMs!,
    limit,
    correction: correction.data!,
    eventsPerSecond: rate,
    isDryRun: values['dry-run'],
    isConfirmed: values.yes,
  };
}

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function instantMs(text: string, nowMs: number): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (amount !== undefined) return nowMs - Number(amount) * UNITS_MS[unit!]!;
  const ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** Splits the text at the first equals sign. */
function pair(text: string): [string, string] {
  const at = text.indexOf('=');
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function valuesByPath(given: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    given.map(pair).map(([path, text]) => {
      try {
        return [path, JSON.parse(text) as unknown];
      } catch {
        // Text without quotation marks is allowed.
        return [path, text];
      }
    }),
  );
}
