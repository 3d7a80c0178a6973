import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** Longer documents, which common clients do not send, are not cached. */
const documentLengthMax = 10_000;
/**
 * The maximum total length of the cached documents, in characters. A parsed document takes up to 150 bytes per
 * character, so the cache takes at most 75 MB.
 */
const cacheLengthMax = 500_000;

/** Parsed documents by text. Yoga's default cache stores a thousand texts of any length. */
export const documentCache = new LRUCache<string, DocumentNode>({
  max: 500,
  maxSize: cacheLengthMax,
  maxEntrySize: documentLengthMax,
  sizeCalculation: (_document, text) => Math.max(1, text.length),
});
