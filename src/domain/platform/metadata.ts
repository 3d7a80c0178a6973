import { invalidInputError } from '../../kit/errors.ts';
import { checkText } from '../../kit/text.ts';

/**
 * One key of the merchant's own data. An object stores a list of entries, so that an index finds it by a value alone
 * too.
 */
export type MetadataEntry = { key: string; value: string };

export type MetadataInput = Record<string, string> | readonly MetadataEntry[] | null | undefined;

const entriesMax = 20;
const keyPattern = /^[A-Za-z0-9_.-]{1,40}$/;
const valueLengthMax = 500;

/**
 * Parses metadata, sorted by key, so that equal metadata is stored equally. Returns null if there is none. Throws
 * `invalid_request`.
 */
export function parseMetadata(input: MetadataInput): MetadataEntry[] | null {
  const entries = isList(input)
    ? input.map(({ key, value }) => ({ key, value }))
    : Object.entries(input ?? {}).map(([key, value]) => ({ key, value }));
  if (entries.length > entriesMax)
    throw invalidInputError('/metadata', `must have at most ${entriesMax} keys`);
  if (new Set(entries.map(({ key }) => key)).size < entries.length)
    throw invalidInputError('/metadata', 'must not contain a key twice');
  for (const entry of entries) checkEntry(entry, '/metadata');
  return entries.length === 0 ? null : entries.sort((a, b) => (a.key < b.key ? -1 : 1));
}

function isList(input: MetadataInput): input is readonly MetadataEntry[] {
  return Array.isArray(input);
}

function checkEntry({ key, value }: MetadataEntry, path: string): void {
  if (!keyPattern.test(key))
    throw invalidInputError(path, 'must have keys of 1 to 40 letters, digits, dots, hyphens and underscores');
  checkText(value, `${path}/${key}`, valueLengthMax);
}

/** Returns the property `metadata` of the REST API, or no property if there is no metadata. */
export function toMetadataMember(metadata: unknown): { metadata?: Record<string, string> } {
  if (metadata === null || metadata === undefined) return {};
  const entries = metadata as MetadataEntry[];
  return { metadata: Object.fromEntries(entries.map(({ key, value }) => [key, value])) };
}

/** List filters for `notifyPayload` and `metadata`. */
export type MetadataFilter = {
  notifyPayload?: string | undefined;
  metadata?: MetadataEntry | undefined;
};

/** Parses `key:value`. Throws `invalid_request`. */
export function parseMetadataQuery(text: string | undefined, path: string): MetadataEntry | undefined {
  if (text === undefined) return undefined;
  const colon = text.indexOf(':');
  if (colon < 0) throw invalidInputError(path, 'must have the form key:value');
  return checkMetadataFilter({ key: text.slice(0, colon), value: text.slice(colon + 1) }, path);
}

/** Returns the entry. Throws `invalid_request` for an entry that no object can have. */
export function checkMetadataFilter(entry: MetadataEntry, path: string): MetadataEntry {
  checkEntry(entry, path);
  return { key: entry.key, value: entry.value };
}

/** Returns the condition for objects with this entry, as Prisma expects it. */
export function buildMetadataFilter(entry: MetadataEntry | undefined) {
  return entry && { metadata: { array_contains: [entry] } };
}
