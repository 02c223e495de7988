// The messages to and from the benchmark's own servers, which are separate processes.

export type ServerSettings = {
  readonly port: number;
  readonly clickhouseUrl: string;
  readonly writeKey: string;
  readonly workspaceId: string;
};

const VARIABLE = 'BENCH_SERVER';

export function settingsVariable(settings: ServerSettings): Record<string, string> {
  return { [VARIABLE]: JSON.stringify(settings) };
}

/** Called first in the server's process, which from then on exits with the benchmark. */
export function serverSettings(): ServerSettings {
  process.on('disconnect', () => process.exit(0));
  return JSON.parse(process.env[VARIABLE] ?? '{}') as ServerSettings;
}

export function tellListening(): void {
  process.send?.('listening');
}
