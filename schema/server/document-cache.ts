import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** No program sends a longer document. */
const documentLengthMax = 10_000;
/** Characters of all documents together: a parsed document takes up to 150 bytes for each. */
const cacheLengthMax = 500_000;

/** Parsed documents by their texts. Yoga's own cache would keep a thousand texts of any length. */
export const documentCache = new LRUCache<string, DocumentNode>({
  max: 500,
  maxSize: cacheLengthMax,
  maxEntrySize: documentLengthMax,
  sizeCalculation: (_document, text) => Math.max(1, text.length),
});
