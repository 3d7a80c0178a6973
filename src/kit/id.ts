import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { takeRandomBytes } from './random.ts';
import { newToken } from './token.ts';

/** Every id prefix of the service. The prefix names the type, for people and for GraphQL's `node(id)`. */
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
/** Random characters (5 bits each): 80 bits, or 130 where the id itself opens a page. */
const randomLength = { normal: 16, opensPage: 26 };

/**
 * prefix + 48-bit millisecond time + random bits, in Crockford base 32 (the layout of ULID, so the id of an older row
 * sorts before that of a younger one). `now` must be the row's `createdAt`.
 */
export function newId(noun: IdNoun, now: Date): string {
  const opensPage = noun === 'session' || noun === 'checkoutLink';
  return `${idPrefixes[noun]}_${encodeTime(now)}${createRandomPart(opensPage ? randomLength.opensPage : randomLength.normal)}`;
}

/** As newId, with a random part of drawnPart. */
export function newDerivedId(noun: IdNoun, now: Date, derivedPart: string): string {
  return `${idPrefixes[noun]}_${encodeTime(now)}${derivedPart}`;
}

/** A random part drawn from a text that holds a secret: who knows the text finds by it what was made with it. */
export function deriveRandomPart(text: string): string {
  return encodeBytes(hash('sha256', text, 'buffer').subarray(0, randomLength.normal));
}

/**
 * The least id of a noun made at this time: ids from here on are of rows made then or later. Of a time before 1970, or
 * after all that an id can tell (in 37648), that of the first or last one.
 */
export function lowestIdAt(noun: IdNoun, time: Date): string {
  return `${idPrefixes[noun]}_${encodeTime(new Date(Math.min(Math.max(time.getTime(), 0), 32 ** 10 - 1)))}`;
}

/** The last random part given for each of the latest milliseconds: changes of different times may run side by side. */
const lastRandoms = new LRUCache<string, string>({ max: 1_000 });

/** As newId, and also in the order of calls within one millisecond and process: events of one change keep their order. */
export function newEventId(now: Date): string {
  return newOrderedId('event', now);
}

/** As newEventId, of another noun. */
export function newOrderedId(noun: IdNoun, now: Date): string {
  const time = encodeTime(now);
  const last = lastRandoms.get(time);
  const random = last === undefined ? createRandomPart(randomLength.normal) : increment(last);
  lastRandoms.set(time, random);
  return `${idPrefixes[noun]}_${time}${random}`;
}

/** The next text of the same length in the alphabet's order. */
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

/** The noun an id speaks of; undefined when it is no id of ours. */
export function getIdNoun(id: string): IdNoun | undefined {
  return nounByPrefix.get(id.slice(0, id.lastIndexOf('_')));
}

/** A secret of 256 random bits with a readable prefix, such as `cs_live_…`. */
export function newSecret(prefix: string): string {
  return `${prefix}_${newToken()}`;
}
