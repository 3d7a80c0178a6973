import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayMs } from '../../src/kit/duration.ts';
import { findSimilarReferences } from '../../src/method/find-similar-references.ts';
import {
  findPaymentReferences,
  foldReference,
  hasWrongCheckLetter,
  isPaymentReference,
  newPaymentReference,
  paymentReferenceCooldownMs,
  paymentReferenceCount,
  withCheckLetter,
} from '../../src/method/payment-reference.ts';
import { paymentReferenceWords } from '../../src/method/payment-reference-words.ts';
import { getReferenceDistance } from '../../src/method/reference-distance.ts';
import { count } from '../setup/counts.ts';
import { anyReference } from './any-reference.ts';
import { anyText } from './any-text.ts';

const letter = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');

/** A payment reference with one typing error. */
const mistyped = fc
  .tuple(anyReference, fc.nat(9), letter, fc.constantFrom('changed', 'removed', 'added', 'swapped'))
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

  test('consists of a word of the list, five digits from 2 to 9 and the check letter, 10 characters', () => {
    const words = new Set(paymentReferenceWords);
    for (const reference of references) {
      expect(reference).toMatch(/^[A-HJKMNP-Z]{4}[2-9]{5}[AC-FHJKMNP-RT-Y]$/);
      expect(words.has(reference.slice(0, 4))).toBe(true);
      expect(isPaymentReference(reference)).toBe(true);
    }
  });

  test('uses all words and all digits about equally', () => {
    const perWord = Map.groupBy(references, (reference) => reference.slice(0, 4));
    expect(perWord.size).toBe(paymentReferenceWords.length);
    for (let position = 4; position < 9; position++) {
      const perDigit = Map.groupBy(references, (reference) => reference[position]);
      expect([...perDigit.keys()].sort().join('')).toBe('23456789');
      for (const [, withDigit] of perDigit)
        expect(withDigit.length).toBeLessThan((references.length / 8) * 1.2);
    }
  });

  test('is rarely repeated', () => {
    // Of 20,000 references among 9.1 million, about 22 are expected to be repeated; 80 are not possible by chance.
    expect(references.length - new Set(references).size).toBeLessThan(80);
  });
});

test('there are 9,149,493 payment references, enough for 50,000 charges a day with a cooldown of 180 days', () => {
  let counted = 0;
  for (const word of paymentReferenceWords.slice(0, 4))
    for (let number = 22_222; number <= 99_999; number++)
      if (isPaymentReference(withCheckLetter(`${word}${number}`))) counted += 1;
  // Each word has nearly the same number, so that four words check the count of all.
  expect(Math.abs(counted * (paymentReferenceWords.length / 4) - paymentReferenceCount)).toBeLessThan(20_000);
  expect(paymentReferenceCount).toBe(9_149_493);
  expect(paymentReferenceCount).toBeGreaterThan((50_000 * paymentReferenceCooldownMs) / dayMs);
});

test('the words are all different, without I, L and O, and none about money', () => {
  expect(new Set(paymentReferenceWords).size).toBe(paymentReferenceWords.length);
  for (const word of paymentReferenceWords) expect(word).toMatch(/^[A-HJKMNP-Z]{4}$/);
  for (const word of ['BANK', 'CARD', 'CASH', 'DATE', 'FEES', 'PAYS', 'RATE', 'RENT', 'WEEK', 'YEAR'])
    expect(paymentReferenceWords).not.toContain(word);
});

describe('typing errors in a payment reference', () => {
  const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

  /** All texts with one typing error: a character is changed, added or left out, or two neighbours are swapped. */
  function listMistyped(text: string): string[] {
    return Array.from({ length: text.length + 1 }, (_, at) => {
      const [before, rest] = [text.slice(0, at), text.slice(at + 1)];
      const swapped = before + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2);
      return [
        ...[...characters].map((character) => before + character + text.slice(at)),
        ...(at < text.length ? [before + rest, ...[...characters].map((one) => before + one + rest)] : []),
        ...(at + 1 < text.length ? [swapped] : []),
      ];
    })
      .flat()
      .filter((typed) => typed !== text);
  }

  const hasOther = (reference: string) => (text: string) =>
    findPaymentReferences(text).some((other) => other !== reference);

  test('one error never gives another reference: every word and each of its errors', () => {
    for (const word of paymentReferenceWords) {
      const reference = [22_222, 36_974, 98_765, 45_678]
        .map((number) => withCheckLetter(`${word}${number}`))
        .find(isPaymentReference);
      if (reference !== undefined) expect(listMistyped(reference).filter(hasOther(reference))).toEqual([]);
    }
  });

  test('one error never gives another reference: every two digits and check letters', () => {
    fc.assert(
      fc.property(anyReference, (reference) => {
        expect(listMistyped(reference).filter(hasOther(reference))).toEqual([]);
      }),
      { numRuns: count(200, 5_000) },
    );
  });

  test('two errors give another reference at most once in a thousand times', () => {
    let [all, wrong] = [0, 0];
    for (const reference of Array.from({ length: count(3, 100) }, newPaymentReference)) {
      const texts = listMistyped(reference).flatMap(listMistyped);
      all += texts.length;
      wrong += texts.filter(hasOther(reference)).length;
    }
    expect(wrong / all).toBeLessThan(0.001);
    expect(wrong).toBeGreaterThan(0);
  });

  test('a wrong check letter is recognized', () => {
    fc.assert(
      fc.property(anyReference, fc.nat(4), fc.integer({ min: 2, max: 9 }), (reference, at, digit) => {
        const typed = reference.slice(0, 4 + at) + digit + reference.slice(5 + at);
        expect(hasWrongCheckLetter(`FOR${typed}THANKS`)).toBe(typed !== reference);
      }),
    );
    for (const text of ['BREW', '', 'CONTRACT778812', 'DEBITPURCHASE666666'])
      expect(hasWrongCheckLetter(text)).toBe(false);
  });
});

describe('foldReference', () => {
  test.each([
    ['brew 23456r', 'BREW23456R'],
    ['  Br-e/w.23\n456R ', 'BREW23456R'],
    ['ＢＲＥＷ２３４５６Ｒ', 'BREW23456R'],
    ['thanks! BREW②③④⑤⑥R', 'THANKSBREW23456R'],
    ['Straße é', 'STRASSEÉ'],
    ['ข้อความ 12', 'ขอความ12'],
    ['付款 BREW23456R', '付款BREW23456R'],
    ['\u0000\u200bBREW\u00a023456R\ufeff', 'BREW23456R'],
    ['***---', ''],
    ['brew ๒๓๔๕๖ r', 'BREW23456R'],
    ['BREW २३४५६ R', 'BREW23456R'],
    ['', ''],
  ])('converts %j to %j', (text, folded) => {
    expect(foldReference(text)).toBe(folded);
  });

  test('turns the digits of every script into 0 to 9', () => {
    const digits = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint)
      .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
      .map((codePoint) => String.fromCodePoint(codePoint))
      .filter((character) => /\p{Nd}/u.test(character));
    expect(digits.length).toBeGreaterThan(600);
    expect(digits.map(foldReference).join('')).toBe('0123456789'.repeat(digits.length / 10));
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
    ['BREW23456R', ['BREW23456R']],
    ['PAYMENTBREW23456RTHANKS', ['BREW23456R']],
    ['REF99BREW23456R67', ['BREW23456R']],
    ['BREW23456RTRAIN', ['BREW23456R']],
    ['BREW23456RWAVE67892J', ['BREW23456R', 'WAVE67892J']],
    ['BREW23456RBREW23456R', ['BREW23456R']],
    ['BREW23456', []],
    ['BREW23450R', []],
    ['BREW13456R', []],
    ['BREW23456T', []],
    ['BRXW23456R', []],
    ['BREW 23456R', []],
    ['brew23456r', []],
    ['', []],
    // Folding removes spaces that a bank has inserted, but not letters.
    ['XBREWX23456R', []],
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
        fc.array(gap, { minLength: 10, maxLength: 10 }),
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

describe('getReferenceDistance', () => {
  test.each([
    ['FPSBREW23456RTHANKS', 0],
    ['BREW32456R', 1],
    ['BREWNO23456R', 2],
    ['BR3W2345R', 2],
    ['BREW2345', 2],
    ['', 10],
  ])('returns for %j the distance %i', (text, distance) => {
    expect(getReferenceDistance(text, 'BREW23456R')).toBe(distance);
  });
});

describe('findSimilarReferences', () => {
  test('finds the reference for any single typing error, with any text around it', () => {
    fc.assert(
      fc.property(mistyped, fc.string({ maxLength: 20 }), ({ reference, typed }, around) => {
        const folded = foldReference(`${around} ${typed} ${around}`);
        const references = [...findPaymentReferences(folded), ...findSimilarReferences(folded)];
        expect(references).toContain(reference);
        expect(getReferenceDistance(folded, reference)).toBeLessThanOrEqual(1);
      }),
      { numRuns: count(500, 5_000) },
    );
  });

  test('finds nothing in ordinary texts', () => {
    for (const text of ['', 'rent for June', 'INV 2026-11-20', '1234567890', 'HKD 128.50'])
      expect(findSimilarReferences(foldReference(text))).toEqual([]);
  });

  test('returns a limited number of references for the worst text', () => {
    const worst = foldReference('ZEBU23456Y'.repeat(200));
    expect(findSimilarReferences(worst).length).toBeLessThan(200);
  });
});
