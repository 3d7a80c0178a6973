import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { takeRandomBytes } from './random.ts';
import { newToken } from './token.ts';

/** The id prefix of each object type, for people and for GraphQL's `node(id)`. */
export const idPrefixes = {
  charge: 'ch',
  refund: 're',
  session: 'ses',
  checkoutLink: 'lnk',
  plan: 'pl',
  subscriptionLink: 'slk',
  subscription: 'sub',
  invoice: 'in',
  customer: 'cus',
  transfer: 'tr',
  allocation: 'al',
  receivingAccount: 'acc',
  statement: 'st',
  upload: 'up',
  webhook: 'wh',
  event: 'ev',
  notification: 'nt',
  attempt: 'at',
  message: 'msg',
  certificate: 'cert',
  apiKey: 'key',
  merchant: 'mer',
  testClock: 'clk',
  user: 'usr',
  userSession: 'uss',
  userInvitation: 'inv',
  audit: 'aud',
  alert: 'alr',
  export: 'exp',
  payout: 'po',
} as const;

export type IdNoun = keyof typeof idPrefixes;

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
/**
 * Number of random characters (5 bits each): 80 bits, or 130 bits where the id alone gives access to a page.
 */
const randomLength = { normal: 16, opensPage: 26 };

/**
 * Returns prefix + 48-bit millisecond time + random bits, in Crockford base 32. As in ULIDs, ids sort by
 * creation time. `now` must be the row's `createdAt`.
 */
export function newId(noun: IdNoun, now: Date): string {
  const opensPage = noun === 'session' || noun === 'checkoutLink';
  return `${idPrefixes[noun]}_${encodeTime(now)}${createRandomPart(opensPage ? randomLength.opensPage : randomLength.normal)}`;
}

/** Like `newId`, with a random part from `deriveRandomPart`. */
export function newDerivedId(noun: IdNoun, now: Date, derivedPart: string): string {
  return `${idPrefixes[noun]}_${encodeTime(now)}${derivedPart}`;
}

/**
 * Derives a random part from a text that contains a secret. The same text always gives the same id part, so
 * that a repeated request finds the row that it created.
 */
export function deriveRandomPart(text: string): string {
  return encodeBytes(hash('sha256', text, 'buffer').subarray(0, randomLength.normal));
}

/**
 * Returns the lowest id of a row created at `time`; all rows created then or later have higher ids. Times
 * outside 1970 to 37648, the range of ids, are clamped to it.
 */
export function lowestIdAt(noun: IdNoun, time: Date): string {
  return `${idPrefixes[noun]}_${encodeTime(new Date(Math.min(Math.max(time.getTime(), 0), 32 ** 10 - 1)))}`;
}

/** The last random part of each recent millisecond. Concurrent changes may have different times. */
const lastRandoms = new LRUCache<string, string>({ max: 1_000 });

/**
 * Like `newId`, but ids also increase within one millisecond and process, so that the events of one change
 * keep their order.
 */
export function newEventId(now: Date): string {
  return newOrderedId('event', now);
}

/** Like `newEventId`, for any object type. */
export function newOrderedId(noun: IdNoun, now: Date): string {
  const time = encodeTime(now);
  const last = lastRandoms.get(time);
  const random = last === undefined ? createRandomPart(randomLength.normal) : increment(last);
  lastRandoms.set(time, random);
  return `${idPrefixes[noun]}_${time}${random}`;
}

/** Returns the next text of the same length in alphabet order. */
function increment(text: string): string {
  const last = alphabet.indexOf(text.slice(-1));
  if (last < alphabet.length - 1) return text.slice(0, -1) + alphabet[last + 1];
  return (text.length > 1 ? increment(text.slice(0, -1)) : '') + alphabet[0];
}

function encodeTime(now: Date): string {
  let remaining = now.getTime();
  let text = '';
  for (let i = 0; i < 10; i++) {
    text = alphabet[remaining % 32] + text;
    remaining = Math.floor(remaining / 32);
  }
  return text;
}

function createRandomPart(length: number): string {
  return encodeBytes(takeRandomBytes(length));
}

function encodeBytes(bytes: Buffer): string {
  let text = '';
  for (const byte of bytes) text += alphabet[byte & 31];
  return text;
}

const nounByPrefix = new Map<string, IdNoun>(
  Object.entries(idPrefixes).map(([noun, prefix]) => [prefix, noun as IdNoun]),
);

/** Returns undefined if the text does not start with a known prefix. */
export function getIdNoun(id: string): IdNoun | undefined {
  return nounByPrefix.get(id.slice(0, id.lastIndexOf('_')));
}

/** Returns a secret of 256 random bits with a readable prefix, such as `cs_live_…`. */
export function newSecret(prefix: string): string {
  return `${prefix}_${newToken()}`;
}
