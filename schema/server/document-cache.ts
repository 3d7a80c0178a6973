import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** The maximum length of a cached document, which exceeds that of any known client's documents. */
const documentLengthMax = 10_000;
/** The total length of all cached documents; a parsed document takes up to 150 bytes per character. */
const cacheLengthMax = 500_000;

/** Parsed documents by text. Yoga's default cache stores a thousand texts of any length. */
export const documentCache = new LRUCache<string, DocumentNode>({
  max: 500,
  maxSize: cacheLengthMax,
  maxEntrySize: documentLengthMax,
  sizeCalculation: (_document, text) => Math.max(1, text.length),
});
