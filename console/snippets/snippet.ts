// What a platform needs to send here. The console shows it with the key of the viewer, the documentation with the
// placeholders, and tests run it.

export type Snippet = {
  /** The platform, unique in the list. */
  readonly name: string;
  /** Whose client it is. */
  readonly vendor: string;
  /** What a key must accept for this client; the same values as in GraphQL. */
  readonly accepts: 'CONTRACT' | 'COMPATIBLE';
  /** What runs the code: `page` is HTML, `browser` a module script. */
  readonly runsIn: 'page' | 'browser' | 'shell' | 'node' | 'python' | 'go';
  /** Where the code belongs, and what to know about it. */
  readonly about: string;
  /** The command that installs the client; undefined if there is nothing to install. */
  readonly install: string | undefined;
  /** Sends one event. `HOST` and `KEY` stand for the address of the service and the write key. */
  readonly code: string;
};

export type Sender = {
  /** Such as `https://events.example.com`. */
  readonly host: string;
  readonly writeKey: string;
};

/** The code, ready to run. */
export function filledIn({ code }: Snippet, { host, writeKey }: Sender): string {
  return code.replaceAll(PLACEHOLDER, found => (found === 'HOST' ? host : writeKey));
}

const PLACEHOLDER = /\b(?:HOST|KEY)\b/g;
