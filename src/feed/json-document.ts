import { FeedInputError } from './feed-input-error.ts';

/** A JSON value whose numbers are their source texts, because a float cannot hold every amount. */
export type JsonNode = string | boolean | null | JsonNode[] | { [name: string]: JsonNode };

/** A value in a document, with the values that contain it: the document first, its own container last. */
export type JsonPlace = { node: JsonNode; ancestors: readonly JsonNode[] };

/** How much of a document is read at a pointer: `max` values at each step, and the start of long texts. */
export type ReadLimits = { max?: number; textLengthMax?: number };

type SourceReviver = (name: string, value: unknown, context: { source?: string }) => unknown;

export function parseJsonDocument(body: Uint8Array): JsonNode {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new FeedInputError('the body is not valid UTF-8');
  }
  const revive: SourceReviver = (_name, value, { source }) => (typeof value === 'number' ? source : value);
  try {
    return JSON.parse(text, revive as (name: string, value: unknown) => unknown);
  } catch {
    throw new FeedInputError('the body is not valid JSON');
  }
}

/** Returns whether a text is a JSON pointer, optionally with the number of levels to go up first. */
export function isJsonPointer(pointer: string): boolean {
  return /^\d{0,2}(?:\/(?:[^/~]|~[01])*)*$/.test(pointer);
}

/**
 * Returns the places that a JSON pointer (RFC 6901) selects. `*` selects all elements of an array. A number
 * before the pointer goes up that many levels first, as in relative JSON pointers.
 */
export function findPlaces(
  place: JsonPlace,
  pointer: string,
  { max = Infinity }: ReadLimits = {},
): JsonPlace[] {
  const [, levels = '', path = ''] = /^(\d*)(.*)$/s.exec(pointer) ?? [];
  let places = [goUp(place, Number(levels))].filter((candidate) => candidate !== undefined);
  for (const segment of path.split('/').slice(1))
    places = places
      .values()
      .flatMap((candidate) => step(candidate, segment))
      .take(max)
      .toArray();
  return places;
}

function goUp({ node, ancestors }: JsonPlace, levels: number): JsonPlace | undefined {
  if (levels === 0) return { node, ancestors };
  const ancestor = ancestors.at(-levels);
  return ancestor === undefined ? undefined : { node: ancestor, ancestors: ancestors.slice(0, -levels) };
}

/** Lazy, so that a limit also bounds the search. */
function* step({ node, ancestors }: JsonPlace, segment: string): Generator<JsonPlace> {
  if (typeof node !== 'object' || node === null) return;
  const inner = [...ancestors, node];
  if (segment === '*' && Array.isArray(node)) {
    for (const child of node) yield { node: child, ancestors: inner };
    return;
  }
  const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
  if (Object.hasOwn(node, name)) yield { node: (node as Record<string, JsonNode>)[name]!, ancestors: inner };
}

/** Returns the texts at a pointer that are not blank. Arrays contribute the texts of their elements. */
export function readTexts(place: JsonPlace, pointer: string, limits: ReadLimits = {}): string[] {
  const { max = Infinity, textLengthMax } = limits;
  return findPlaces(place, pointer, limits)
    .values()
    .flatMap(({ node }) => (Array.isArray(node) ? node : [node]))
    .take(max)
    .filter((node) => typeof node === 'string' || typeof node === 'boolean')
    .map((node) => String(node).slice(0, textLengthMax))
    .filter((text) => text.trim() !== '')
    .toArray();
}
