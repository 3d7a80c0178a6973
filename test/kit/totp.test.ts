import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findTotpStep,
  fromBase32,
  getTotpStep,
  newTotpSecret,
  toBase32,
  totpCode,
  totpUri,
} from '../../src/kit/totp.ts';
import { count } from '../setup/counts.ts';

/** The secret of both RFCs' test vectors. */
const secret = toBase32(Buffer.from('12345678901234567890'));
const otherSecret = toBase32(Buffer.from('09876543210987654321'));

describe('codes', () => {
  // RFC 4226, appendix D.
  test('are those that the RFC for counters gives', () => {
    expect(Array.from({ length: 10 }, (_, step) => totpCode(secret, step))).toEqual([
      '755224',
      '287082',
      '359152',
      '969429',
      '338314',
      '254676',
      '287922',
      '162583',
      '399871',
      '520489',
    ]);
  });

  // RFC 6238, appendix B, of whose 8 digits ours are the last 6.
  test.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('at %i seconds that of the RFC for times', (seconds, code) => {
    const step = getTotpStep(new Date(seconds * 1_000));
    expect(totpCode(secret, step)).toBe(code.slice(2));
  });
});

describe('the step of a code', () => {
  const now = new Date('2026-11-17T12:00:10Z');
  const present = getTotpStep(now);

  test.each([-2, -1, 0, 1, 2])('%i steps off', (off) => {
    const found = findTotpStep(secret, totpCode(secret, present + off), now);
    expect(found).toBe(Math.abs(off) <= 1 ? present + off : undefined);
  });

  test('of another secret: none', () => {
    expect(findTotpStep(otherSecret, totpCode(secret, present), now)).toBeUndefined();
  });
});

describe('secrets', () => {
  test('are 160 random bits in base 32', () => {
    expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret()).not.toBe(newTotpSecret());
  });

  // RFC 4648, section 10, without the padding.
  test.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('base 32 of %j is %j', (text, encoded) => {
    expect(toBase32(Buffer.from(text))).toBe(encoded);
    expect(fromBase32(encoded).toString()).toBe(text);
  });

  test('come back from base 32 as they were', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect([...fromBase32(toBase32(bytes))]).toEqual([...bytes]);
      }),
      { numRuns: count(200, 10_000) },
    );
  });

  test('go to the app in an address that names service and account', () => {
    const uri = new URL(totpUri({ secret, issuer: 'Causeway', account: 'mei+1@example.com' }));
    expect(uri.href).toBe(
      `otpauth://totp/Causeway:mei%2B1%40example.com?secret=${secret}&issuer=Causeway&algorithm=SHA1&digits=6&period=30`,
    );
  });
});
