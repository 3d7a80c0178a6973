import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSimilarReferences } from '../../src/method/find-similar-references.ts';
import {
  findPaymentReferences,
  foldReference,
  newPaymentReference,
} from '../../src/method/payment-reference.ts';
import { paymentReferenceWords } from '../../src/method/payment-reference-words.ts';
import { count } from '../setup/counts.ts';
import { anyNonce } from './any-nonce.ts';
import { anyText } from './any-text.ts';

const letter = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');

/** A nonce with one typing error. */
const mistyped = fc
  .tuple(anyNonce, fc.nat(8), letter, fc.constantFrom('changed', 'left out', 'added', 'swapped'))
  .map(([nonce, at, wrong, how]) => {
    const [before, after] = [nonce.slice(0, at), nonce.slice(at + 1)];
    const swapped = before + nonce.charAt(at + 1) + nonce.charAt(at) + nonce.slice(at + 2);
    const typed = {
      changed: before + wrong + after,
      'left out': before + after,
      added: before + wrong + nonce.slice(at),
      swapped,
    };
    return { nonce, typed: typed[how as keyof typeof typed] };
  });

describe('a new nonce', () => {
  const made = Array.from({ length: 20_000 }, () => newPaymentReference());

  test('is a word of the list and four digits of 2 to 9', () => {
    const words = new Set(paymentReferenceWords);
    for (const one of made) {
      expect(one).toMatch(/^[A-HJKMNP-Z]{5}[2-9]{4}$/);
      expect(words.has(one.slice(0, 5))).toBe(true);
    }
  });

  test('uses every word and every digit in every place, none much more than another', () => {
    const perWord = Map.groupBy(made, (one) => one.slice(0, 5));
    expect(perWord.size).toBe(paymentReferenceWords.length);
    for (let place = 5; place < 9; place++) {
      const perDigit = Map.groupBy(made, (one) => one[place]);
      expect([...perDigit.keys()].sort().join('')).toBe('23456789');
      for (const [, ones] of perDigit) expect(ones.length).toBeLessThan((made.length / 8) * 1.2);
    }
  });

  test('is seldom a repetition', () => {
    // 20,000 of 2.4 million: some 80 pairs are expected, and 200 will not come up by chance.
    expect(made.length - new Set(made).size).toBeLessThan(200);
  });
});

test('the words are at least 400, all different, without I, L and O', () => {
  expect(paymentReferenceWords.length).toBeGreaterThanOrEqual(400);
  expect(new Set(paymentReferenceWords).size).toBe(paymentReferenceWords.length);
  for (const word of paymentReferenceWords) expect(word).toMatch(/^[A-HJKMNP-Z]{5}$/);
});

describe('folding a remark', () => {
  test.each([
    ['bread 2345', 'BREAD2345'],
    ['  Br-ea/d.23\n45 ', 'BREAD2345'],
    ['ＢＲＥＡＤ２３４５', 'BREAD2345'],
    ['thanks! BREAD②③④⑤', 'THANKSBREAD2345'],
    ['Straße é', 'STRASSEÉ'],
    ['ข้อความ 12', 'ขอความ12'],
    ['付款 BREAD2345', '付款BREAD2345'],
    ['\u0000\u200bBREAD\u00a02345\ufeff', 'BREAD2345'],
    ['***---', ''],
    ['', ''],
  ])('%j becomes %j', (remark, folded) => {
    expect(foldReference(remark)).toBe(folded);
  });

  test('twice is the same as once', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const folded = foldReference(text);
        expect(foldReference(folded)).toBe(folded);
        expect(folded).toMatch(/^[\p{L}\p{N}]*$/u);
      }),
      { numRuns: count(2_000, 20_000) },
    );
  });
});

describe('finding nonces in a remark', () => {
  test.each([
    ['BREAD2345', ['BREAD2345']],
    ['PAYMENTBREAD2345THANKS', ['BREAD2345']],
    ['REF99BREAD234567', ['BREAD2345']],
    ['BREAD2345TRAIN', ['BREAD2345']],
    ['BREAD2345WATER6789', ['BREAD2345', 'WATER6789']],
    ['BREAD2345BREAD2345', ['BREAD2345']],
    ['BREAD234', []],
    ['BREAD2340', []],
    ['BREAD1345', []],
    ['BRXAD2345', []],
    ['BREAD 2345', []],
    ['bread2345', []],
    ['', []],
    // Banks cut a remark in two and write a space between; folding has taken it out, not a letter.
    ['XBREADX2345', []],
  ])('%j has %j', (folded, nonces) => {
    expect(findPaymentReferences(folded)).toEqual(nonces);
  });

  test('whatever a customer writes around it, and however it is cut, the nonce is found', () => {
    const around = anyText(40);
    const gap = fc.constantFrom('', ' ', '-', ' / ', '\n', '.', '\u00a0');
    fc.assert(
      fc.property(
        anyNonce,
        around,
        around,
        fc.array(gap, { minLength: 9, maxLength: 9 }),
        fc.boolean(),
        (one, before, after, gaps, lower) => {
          const written = [...one].map((character, i) => character + gaps[i]).join('');
          // A mark right after a letter would change the letter itself; no bank writes one.
          const remark = `${before} ${lower ? written.toLowerCase() : written} ${after}`;
          expect(findPaymentReferences(foldReference(remark))).toContain(one);
        },
      ),
      { numRuns: count(1_000, 10_000) },
    );
  });

  test('two nonces are both found, in order', () => {
    fc.assert(
      fc.property(
        anyNonce,
        anyNonce,
        fc.constantFrom('', 'A', '7', 'ABC', '22'),
        (first, second, between) => {
          const found = findPaymentReferences(first + between + second);
          expect(found).toContain(first);
          expect(found.at(-1)).toBe(second);
        },
      ),
      { numRuns: count(500, 5_000) },
    );
  });
});

describe('nearNonces', () => {
  test('finds the nonce behind every single typing error, wherever it stands', () => {
    fc.assert(
      fc.property(mistyped, fc.string({ maxLength: 20 }), ({ nonce, typed }, around) => {
        const folded = foldReference(`${around} ${typed} ${around}`);
        const found = [...findPaymentReferences(folded), ...findSimilarReferences(folded)];
        expect(found).toContain(nonce);
      }),
      { numRuns: count(500, 5_000) },
    );
  });

  test('finds nothing in ordinary remarks', () => {
    for (const text of ['', 'rent for June', 'INV 2026-11-20', '1234567890', 'HKD 128.50'])
      expect(findSimilarReferences(foldReference(text))).toEqual([]);
  });

  test('gives a bounded number of nonces for the longest and worst reference', () => {
    const worst = foldReference('ZEBRA2345'.repeat(200));
    expect(findSimilarReferences(worst).length).toBeLessThan(2_000);
  });
});
