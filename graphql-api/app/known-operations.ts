// Documents that went the whole way once: parsed, validated, found within every limit. None of that
// depends on who asks or with which variables, so it isn't done again for the same text.

import { type DocumentNode, getOperationAST, type OperationDefinitionNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Config } from '../platform/config.ts';
import { type Manifest, readManifest } from '../platform/graph/persisted-operations.ts';
import { TextCache } from './text-cache.ts';

export type KnownOperation = {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
};

/** What a client sends to say which operation it wants. */
export type OperationParams = {
  readonly query?: unknown;
  readonly operationName?: unknown;
  readonly extensions?: unknown;
};

export function createKnownOperations({
  persistedOperationsFile: file,
}: Pick<Config, 'persistedOperationsFile'>): KnownOperations {
  return new KnownOperations(file === undefined ? undefined : readManifest(file));
}

export class KnownOperations {
  readonly #documents = new TextCache<DocumentNode>();
  /** With one, operations are known by their hash alone. */
  readonly manifest: Manifest | undefined;

  constructor(manifest: Manifest | undefined) {
    this.manifest = manifest;
  }

  /** The last of the plugins: nothing refuses a document after it. */
  readonly plugin: Plugin = {
    onExecute: ({ args }) => this.#learn(args.document as DocumentNode),
  };

  find(params: OperationParams): KnownOperation | undefined {
    const text = this.manifest === undefined ? params.query : this.#persisted(params);
    const document = typeof text === 'string' ? this.#documents.get(text) : undefined;
    const name = params.operationName ?? undefined;
    if (document === undefined || (name !== undefined && typeof name !== 'string'))
      return undefined;
    const operation = getOperationAST(document, name);
    return operation ? { document, operation } : undefined;
  }

  #persisted({ query, extensions }: OperationParams): string | undefined {
    if (query !== undefined && query !== null) return undefined;
    const { version, sha256Hash } =
      (extensions as { persistedQuery?: { version?: unknown; sha256Hash?: unknown } } | null)
        ?.persistedQuery ?? {};
    if (version !== 1 || typeof sha256Hash !== 'string') return undefined;
    return this.manifest?.get(sha256Hash);
  }

  #learn(document: DocumentNode): void {
    const text = document.loc?.source.body;
    if (text !== undefined) this.#documents.set(text, document);
  }
}
