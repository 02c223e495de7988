// The user and password of a request, in the three places where ClickHouse's clients put them.

import type { IncomingMessage } from 'node:http';

export type Credentials = { readonly user: string; readonly password: string };

export function credentialsOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  parameters: ReadonlyMap<string, string>,
): Credentials {
  const user = headers['x-clickhouse-user'];
  if (typeof user === 'string') {
    const key = headers['x-clickhouse-key'];
    return { user, password: typeof key === 'string' ? key : '' };
  }
  const basic = /^Basic\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
  if (basic !== undefined) {
    const [name = '', ...rest] = Buffer.from(basic, 'base64').toString('utf8').split(':');
    return { user: name, password: rest.join(':') };
  }
  return { user: parameters.get('user') ?? '', password: parameters.get('password') ?? '' };
}
