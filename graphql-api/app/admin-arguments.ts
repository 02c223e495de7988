import { parseArgs } from 'node:util';
import { ERASE_AFTER_DAYS } from '../tenancy/organization.close.ts';

export const USAGE = `Usage: npm run -s admin -- COMMAND [options]

Works directly on Postgres (DATABASE_SYSTEM_URL or DATABASE_URL; otherwise the service that runs in
DATA_DIR), so it needs neither a running API nor an identity provider. Changes are recorded in the
audit log.

  org create --name NAME [--workspace NAME [--region REGION]]
                    creates an organization. With --workspace, it also creates the organization’s
                    first workspace with a property and an SDK key, and prints the write key
  org list [--search TEXT]
                    lists organizations
  org export --org ID --out DIR
                    writes the organization’s rows to DIR, which must not exist yet: one file
                    TABLE.ndjson for each Postgres table, and manifest.json with the row counts.
                    Export events with the mutation eventExportRequest before the organization is
                    closed
  org close --org ID [--confirm NAME]
                    shows the consequences of closing the organization. With --confirm and the exact
                    name, it closes the organization: its tokens and SDK keys are refused within
                    seconds, and the personal data of its people is erased ${ERASE_AFTER_DAYS} days later. Payments,
                    the ledger and the audit log are kept
  cell add --slug SLUG --region REGION
                    registers a cell, and prints the variables that ingest and the API need
  cell list         lists cells
  cell move start --workspace ID|--org ID --to SLUG
                    moves the workspace, or each workspace of the organization, to another cell:
                    the API copies its rows, switches the workspace, and compares both cells.
                    No request is refused during the move
  cell move status [--workspace ID|--org ID]
                    shows the state, the progress and the last comparison of moves
  cell move take-back --workspace ID|--org ID
                    returns the workspace to its former cell immediately, before or after the
                    switch, and copies back the rows that have arrived in the other cell
  cell move finish --workspace ID|--org ID
                    ends a move that has been verified or taken back: deletes the workspace’s rows
                    from the cell that the workspace does not use. This cannot be undone
  subject revoke --user ID [--org ID]
                    refuses the tokens of a user (ID is the sub claim of the tokens) within seconds,
                    in one organization or in all organizations
  subject restore --user ID [--org ID]
                    accepts the tokens of a revoked user again
  subject list [--org ID]
                    lists revoked users
  help              prints this text

  --json            prints JSON

Exit codes: 0 on success, 1 if the command was refused or failed, 2 if the options or the
configuration are invalid.
`;

/** A mistake in the command line or the environment. */
export class UsageError extends Error {}

const COMMANDS = {
  'org create': { required: ['name'], optional: ['workspace', 'region'] },
  'org list': { required: [], optional: ['search'] },
  'org export': { required: ['org', 'out'], optional: [] },
  'org close': { required: ['org'], optional: ['confirm'] },
  'cell add': { required: ['slug', 'region'], optional: [] },
  'cell list': { required: [], optional: [] },
  'cell move start': { required: ['to'], optional: ['workspace', 'org'] },
  'cell move status': { required: [], optional: ['workspace', 'org'] },
  'cell move take-back': { required: [], optional: ['workspace', 'org'] },
  'cell move finish': { required: [], optional: ['workspace', 'org'] },
  'subject revoke': { required: ['user'], optional: ['org'] },
  'subject restore': { required: ['user'], optional: ['org'] },
  'subject list': { required: [], optional: ['org'] },
} as const satisfies Record<string, Form>;

type Form = { readonly required: readonly string[]; readonly optional: readonly string[] };
export type CommandName = keyof typeof COMMANDS;

export type AdminArguments = {
  readonly command: CommandName;
  readonly isJson: boolean;
  /** A required option of the command is never undefined. */
  readonly options: Readonly<Record<string, string>>;
};

/** Undefined if help was requested. */
export function readArguments(argv: readonly string[]): AdminArguments | undefined {
  const names = new Set(
    Object.values<Form>(COMMANDS).flatMap(({ required, optional }) => [...required, ...optional]),
  );
  const { values, positionals } = parsed(argv, names);
  if (values.help === true || positionals[0] === 'help' || argv.length === 0) return undefined;
  const command = positionals.join(' ');
  if (!isCommand(command))
    throw new UsageError(`Unknown command "${command}". Run "help" to list the commands.`);
  const { required, optional }: Form = COMMANDS[command];
  const options: Record<string, string> = {};
  for (const name of names) {
    const value = values[name];
    if (typeof value !== 'string') continue;
    if (![...required, ...optional].includes(name))
      throw new UsageError(`${command} has no option --${name}. Run "help" to list the options.`);
    options[name] = value;
  }
  const missing = required.filter(name => !options[name]?.trim());
  if (missing.length > 0)
    throw new UsageError(`${command} requires ${missing.map(name => `--${name}`).join(' and ')}.`);
  return { command, isJson: values.json === true, options };
}

function parsed(argv: readonly string[], names: ReadonlySet<string>) {
  const texts = Object.fromEntries([...names].map(name => [name, { type: 'string' as const }]));
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        ...texts,
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }) as { values: Record<string, string | boolean | undefined>; positionals: string[] };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function isCommand(text: string): text is CommandName {
  return Object.hasOwn(COMMANDS, text);
}
