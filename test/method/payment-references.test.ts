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
import { anyReference } from './any-reference.ts';
import { anyText } from './any-text.ts';

const letter = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');

/** A payment reference with one typing error. */
const mistyped = fc
  .tuple(anyReference, fc.nat(8), letter, fc.constantFrom('changed', 'removed', 'added', 'swapped'))
  .map(([reference, position, wrongCharacter, kind]) => {
    const [before, after] = [reference.slice(0, position), reference.slice(position + 1)];
    const swapped =
      before + reference.charAt(position + 1) + reference.charAt(position) + reference.slice(position + 2);
    const typed = {
      changed: before + wrongCharacter + after,
      removed: before + after,
      added: before + wrongCharacter + reference.slice(position),
      swapped,
    };
    return { reference, typed: typed[kind as keyof typeof typed] };
  });

describe('a new payment reference', () => {
  const references = Array.from({ length: 20_000 }, () => newPaymentReference());

  test('consists of five letters from the list and four digits from 2 to 9', () => {
    const words = new Set(paymentReferenceWords);
    for (const reference of references) {
      expect(reference).toMatch(/^[A-HJKMNP-Z]{5}[2-9]{4}$/);
      expect(words.has(reference.slice(0, 5))).toBe(true);
    }
  });

  test('uses all words and all digits about equally', () => {
    const perWord = Map.groupBy(references, (reference) => reference.slice(0, 5));
    expect(perWord.size).toBe(paymentReferenceWords.length);
    for (let position = 5; position < 9; position++) {
      const perDigit = Map.groupBy(references, (reference) => reference[position]);
      expect([...perDigit.keys()].sort().join('')).toBe('23456789');
      for (const [, withDigit] of perDigit)
        expect(withDigit.length).toBeLessThan((references.length / 8) * 1.2);
    }
  });

  test('is rarely repeated', () => {
    // Of 20,000 references among 2.4 million, about 80 are expected to be repeated; 200 are not possible by chance.
    expect(references.length - new Set(references).size).toBeLessThan(200);
  });
});

test('there are at least 400 different words, without the letters I, L and O', () => {
  expect(paymentReferenceWords.length).toBeGreaterThanOrEqual(400);
  expect(new Set(paymentReferenceWords).size).toBe(paymentReferenceWords.length);
  for (const word of paymentReferenceWords) expect(word).toMatch(/^[A-HJKMNP-Z]{5}$/);
});

describe('foldReference', () => {
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
  ])('converts %j to %j', (text, folded) => {
    expect(foldReference(text)).toBe(folded);
  });

  test('is idempotent', () => {
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

describe('findPaymentReferences', () => {
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
    // Folding removes spaces that a bank has inserted, but not letters.
    ['XBREADX2345', []],
  ])('finds in %j the references %j', (folded, references) => {
    expect(findPaymentReferences(folded)).toEqual(references);
  });

  test('finds a reference with any text around it and separators within it', () => {
    const around = anyText(40);
    const gap = fc.constantFrom('', ' ', '-', ' / ', '\n', '.', '\u00a0');
    fc.assert(
      fc.property(
        anyReference,
        around,
        around,
        fc.array(gap, { minLength: 9, maxLength: 9 }),
        fc.boolean(),
        (reference, before, after, gaps, isLowerCase) => {
          const written = [...reference].map((character, i) => character + gaps[i]).join('');
          // Without the spaces, a combining mark could change a letter of the reference.
          const remark = `${before} ${isLowerCase ? written.toLowerCase() : written} ${after}`;
          expect(findPaymentReferences(foldReference(remark))).toContain(reference);
        },
      ),
      { numRuns: count(1_000, 10_000) },
    );
  });

  test('finds two references, in order', () => {
    fc.assert(
      fc.property(
        anyReference,
        anyReference,
        fc.constantFrom('', 'A', '7', 'ABC', '22'),
        (first, second, between) => {
          const references = findPaymentReferences(first + between + second);
          expect(references).toContain(first);
          expect(references.at(-1)).toBe(second);
        },
      ),
      { numRuns: count(500, 5_000) },
    );
  });
});

describe('findSimilarReferences', () => {
  test('finds the reference for any single typing error, with any text around it', () => {
    fc.assert(
      fc.property(mistyped, fc.string({ maxLength: 20 }), ({ reference, typed }, around) => {
        const folded = foldReference(`${around} ${typed} ${around}`);
        const references = [...findPaymentReferences(folded), ...findSimilarReferences(folded)];
        expect(references).toContain(reference);
      }),
      { numRuns: count(500, 5_000) },
    );
  });

  test('finds nothing in ordinary texts', () => {
    for (const text of ['', 'rent for June', 'INV 2026-11-20', '1234567890', 'HKD 128.50'])
      expect(findSimilarReferences(foldReference(text))).toEqual([]);
  });

  test('returns a limited number of references for the worst text', () => {
    const worst = foldReference('ZEBRA2345'.repeat(200));
    expect(findSimilarReferences(worst).length).toBeLessThan(2_000);
  });
});
