import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { readRandomBytes } from './random.ts';
import { newToken } from './token.ts';

/** The prefix of IDs of each type, by which people and GraphQL's `node(id)` recognize the type. */
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
  bankFeed: 'feed',
  feedDelivery: 'fdl',
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

export type IdType = keyof typeof idPrefixes;

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
/**
 * The number of random characters, 5 bits each: 80 bits, or 130 bits if the ID alone gives access to a page
 * or feed.
 */
const randomLength = { normal: 16, opensPage: 26 };

/**
 * Returns an ID: the prefix, the time in milliseconds (50 bits) and random bits, in Crockford's base 32. As in ULIDs,
 * IDs sort by creation time. `now` must be the row's `createdAt`.
 */
export function newId(type: IdType, now: Date): string {
  const opensPage = type === 'session' || type === 'checkoutLink' || type === 'bankFeed';
  return `${idPrefixes[type]}_${encodeTime(now)}${createRandomPart(opensPage ? randomLength.opensPage : randomLength.normal)}`;
}

/** Like `newId`, with a random part from `deriveRandomPart`. */
export function newDerivedId(type: IdType, now: Date, derivedPart: string): string {
  return `${idPrefixes[type]}_${encodeTime(now)}${derivedPart}`;
}

/**
 * Derives a random part from a text that contains a secret. The same text always gives the same part, so that a
 * repeated request finds the row that the first one created.
 */
export function deriveRandomPart(text: string): string {
  return encodeBytes(hash('sha256', text, 'buffer').subarray(0, randomLength.normal));
}

/**
 * Returns a lower bound of the IDs of rows that are created at `time` or later. IDs can represent times from 1970 to
 * 37648; other times are clamped to this range.
 */
export function getLowestId(type: IdType, time: Date): string {
  return `${idPrefixes[type]}_${encodeTime(new Date(Math.min(Math.max(time.getTime(), 0), 32 ** 10 - 1)))}`;
}

/** The last random part by time, for several recent times, because concurrent changes may have different times. */
const lastRandoms = new LRUCache<string, string>({ max: 1_000 });

/**
 * Like `newId`, but the IDs also increase within one millisecond and process, so that the events of one change keep
 * their order.
 */
export function newEventId(now: Date): string {
  return newOrderedId('event', now);
}

/** Like `newEventId`, for any object type. */
export function newOrderedId(type: IdType, now: Date): string {
  const time = encodeTime(now);
  const last = lastRandoms.get(time);
  const random = last === undefined ? createRandomPart(randomLength.normal) : increment(last);
  lastRandoms.set(time, random);
  return `${idPrefixes[type]}_${time}${random}`;
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
  return encodeBytes(readRandomBytes(length));
}

function encodeBytes(bytes: Buffer): string {
  let text = '';
  for (const byte of bytes) text += alphabet[byte & 31];
  return text;
}

const typeByPrefix = new Map<string, IdType>(
  Object.entries(idPrefixes).map(([type, prefix]) => [prefix, type as IdType]),
);

/** Returns the type of an ID, or undefined if its prefix is unknown. */
export function getIdType(id: string): IdType | undefined {
  return typeByPrefix.get(id.slice(0, id.lastIndexOf('_')));
}

/** Returns a secret of 256 random bits with a readable prefix, such as `cs_live_…`. */
export function newSecret(prefix: string): string {
  return `${prefix}_${newToken()}`;
}
