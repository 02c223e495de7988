// With a manifest, only the operations in it are executed. Clients send a hash instead of a document.

import { readFileSync } from 'node:fs';
import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import type { Plugin } from 'graphql-yoga';
import { z } from 'zod';

const manifestContract = z.record(z.string().min(1), z.string().min(1));

/** Documents by their hash. */
type Manifest = ReadonlyMap<string, string>;

export function persistedOperations(documents: Manifest): Plugin {
  return usePersistedOperations({
    getPersistedOperation: hash => documents.get(hash) ?? null,
    customErrors: {
      notFound: refusal('No operation exists with this hash.'),
      keyNotFound: refusal('Send extensions.persistedQuery with version 1 and sha256Hash.'),
      persistedQueryOnly: refusal(
        'Only persisted operations are allowed. Send a hash instead of a document.',
      ),
    },
  }) as Plugin;
}

/** Reads `{"<hash>": "<document>"}` from the file, once when the process starts. */
export function readManifest(file: string): Manifest {
  try {
    return new Map(Object.entries(manifestContract.parse(JSON.parse(readFileSync(file, 'utf8')))));
  } catch (error) {
    throw new Error(`PERSISTED_OPERATIONS_FILE: ${file} is not a JSON file of {hash: document}`, {
      cause: error,
    });
  }
}

function refusal(message: string) {
  return { message, extensions: { code: 'BAD_USER_INPUT' } };
}
