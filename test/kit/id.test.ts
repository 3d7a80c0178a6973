import { describe, expect, test } from 'vitest';
import {
  deriveRandomPart,
  getIdNoun,
  idPrefixes,
  lowestIdAt,
  newDerivedId,
  newEventId,
  newId,
} from '../../src/kit/id.ts';

const now = new Date('2026-11-17T12:00:00.000Z');

describe('an id', () => {
  test('sorts by time', () => {
    const ids = Array.from({ length: 500 }, (_, i) => newId('charge', new Date(now.getTime() + i * 977)));
    expect([...ids].sort()).toEqual(ids);
  });

  test('comes after the bound of every time before it, and before that of every later one', () => {
    const id = newId('charge', now);
    for (const before of ['0001-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z', '2026-11-17T12:00:00.000Z'])
      expect(lowestIdAt('charge', new Date(before)) <= id, before).toBe(true);
    for (const later of ['2026-11-17T12:00:00.001Z', '9999-12-31T23:59:59.999Z', '+275760-09-13T00:00:00Z'])
      expect(lowestIdAt('charge', new Date(later)) > id, later).toBe(true);
  });

  test('has 80 random bits, 130 where it opens a page', () => {
    expect(newId('charge', now)).toMatch(/^ch_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(newId('session', now)).toMatch(/^ses_[0-9a-hjkmnp-tv-z]{36}$/);
    expect(newId('checkoutLink', now)).toMatch(/^lnk_[0-9a-hjkmnp-tv-z]{36}$/);
  });

  test('is never given twice in a millisecond', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => newId('charge', now))).size).toBe(10_000);
  });

  test('of what a secret text made is found by the part drawn from it', () => {
    const drawn = deriveRandomPart('a form’s token');
    expect(newDerivedId('subscription', now, drawn)).toMatch(new RegExp(`^sub_[0-9a-z]{10}${drawn}$`));
    expect(drawn).toMatch(/^[0-9a-hjkmnp-tv-z]{16}$/);
    expect(deriveRandomPart('a form’s token')).toBe(drawn);
    expect(deriveRandomPart('another one’s')).not.toBe(drawn);
  });

  test('of an event keeps the order of one change', () => {
    const ids = Array.from({ length: 3_000 }, () => newEventId(now));
    expect([...ids].sort()).toEqual(ids);
  });

  test('begins with the prefix of its noun, which is a promise', () => {
    expect(idPrefixes).toMatchObject({
      ...{ charge: 'ch', refund: 're', session: 'ses', checkoutLink: 'lnk', plan: 'pl', subscription: 'sub' },
      ...{ invoice: 'in', customer: 'cus', transfer: 'tr', allocation: 'al', receivingAccount: 'acc' },
      ...{ statement: 'st', webhook: 'wh', event: 'ev', notification: 'nt', attempt: 'at' },
      ...{ certificate: 'cert', apiKey: 'key', merchant: 'mer', user: 'usr', audit: 'aud' },
    });
  });

  test('names its noun by the prefix', () => {
    for (const noun of Object.keys(idPrefixes) as (keyof typeof idPrefixes)[]) {
      expect(getIdNoun(newId(noun, now))).toBe(noun);
    }
    expect(getIdNoun('zz_123')).toBeUndefined();
    expect(getIdNoun('')).toBeUndefined();
  });
});
