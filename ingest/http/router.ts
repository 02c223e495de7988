// Matches paths to endpoints. Paths are exact, except for at most one parameter segment, written
// `{name}`: `/v1/in-app/widgets/{step_execution_id}/ack`.

import type { Endpoint } from './server.ts';

export type Route = {
  /** The path as registered, so that metrics have one series per endpoint and not per ID. */
  readonly path: string;
  readonly endpoint: Endpoint;
  /** The decoded value of the parameter; empty if the path has none. */
  readonly parameter: string;
};

type Pattern = { readonly path: string; readonly before: string; readonly after: string };

export class Router {
  private readonly endpoints: ReadonlyMap<string, Endpoint>;
  private readonly exact = new Map<string, Route>();
  private readonly patterns: Pattern[] = [];

  constructor(endpoints: ReadonlyMap<string, Endpoint>) {
    this.endpoints = endpoints;
    for (const [path, endpoint] of endpoints) {
      const parameter = /\{\w+\}/.exec(path);
      if (parameter === null) this.exact.set(path, { path, endpoint, parameter: '' });
      else {
        const before = path.slice(0, parameter.index);
        const after = path.slice(parameter.index + parameter[0].length);
        this.patterns.push({ path, before, after });
      }
    }
  }

  find(path: string): Route | undefined {
    return this.exact.get(path) ?? this.match(path);
  }

  private match(requested: string): Route | undefined {
    for (const { path, before, after } of this.patterns) {
      if (!requested.startsWith(before) || !requested.endsWith(after)) continue;
      const parameter = requested.slice(before.length, requested.length - after.length);
      if (parameter === '' || parameter.includes('/')) continue;
      return { path, endpoint: this.endpoints.get(path)!, parameter: decoded(parameter) };
    }
    return undefined;
  }
}

/** Invalid percent-encoding stays as it is, because no valid ID has any. */
function decoded(parameter: string): string {
  try {
    return decodeURIComponent(parameter);
  } catch {
    return parameter;
  }
}
