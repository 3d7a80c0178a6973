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
import { anyNonce } from './any-nonce.ts';
import { anyText } from './any-text.ts';

const letter = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');

/** A nonce with one typing error. */
const mistyped = fc
  .tuple(anyNonce, fc.nat(9), letter, fc.constantFrom('changed', 'left out', 'added', 'swapped'))
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

  test('is a word of the list, five digits of 2 to 9 and the check letter, in at most 10 characters', () => {
    const words = new Set(paymentReferenceWords);
    for (const one of made) {
      expect(one).toMatch(/^[A-HJKMNP-Z]{4}[2-9]{5}[AC-FHJKMNP-RT-Y]$/);
      expect(words.has(one.slice(0, 4))).toBe(true);
      expect(isPaymentReference(one)).toBe(true);
    }
  });

  test('uses every word and every digit in every place, none much more than another', () => {
    const perWord = Map.groupBy(made, (one) => one.slice(0, 4));
    expect(perWord.size).toBe(paymentReferenceWords.length);
    for (let place = 4; place < 9; place++) {
      const perDigit = Map.groupBy(made, (one) => one[place]);
      expect([...perDigit.keys()].sort().join('')).toBe('23456789');
      for (const [, ones] of perDigit) expect(ones.length).toBeLessThan((made.length / 8) * 1.2);
    }
  });

  test('is seldom a repetition', () => {
    // 20,000 of 9.1 million: some 22 pairs are expected, and 80 will not come up by chance.
    expect(made.length - new Set(made).size).toBeLessThan(80);
  });
});

test('there are 9,149,493 nonces, enough for 50,000 charges a day with a cooldown of 180 days', () => {
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

describe('typing errors in a nonce', () => {
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

  const hasOther = (nonce: string) => (text: string) =>
    findPaymentReferences(text).some((one) => one !== nonce);

  test('one error never gives another nonce: every word and each of its errors', () => {
    for (const word of paymentReferenceWords) {
      const nonce = [22_222, 36_974, 98_765, 45_678]
        .map((number) => withCheckLetter(`${word}${number}`))
        .find(isPaymentReference);
      if (nonce !== undefined) expect(listMistyped(nonce).filter(hasOther(nonce))).toEqual([]);
    }
  });

  test('one error never gives another nonce: every two digits and check letters', () => {
    fc.assert(
      fc.property(anyNonce, (nonce) => {
        expect(listMistyped(nonce).filter(hasOther(nonce))).toEqual([]);
      }),
      { numRuns: count(200, 5_000) },
    );
  });

  test('two errors give another nonce at most once in a thousand times', () => {
    let [all, wrong] = [0, 0];
    for (const nonce of Array.from({ length: count(3, 100) }, newPaymentReference)) {
      const texts = listMistyped(nonce).flatMap(listMistyped);
      all += texts.length;
      wrong += texts.filter(hasOther(nonce)).length;
    }
    expect(wrong / all).toBeLessThan(0.001);
    expect(wrong).toBeGreaterThan(0);
  });

  test('a wrong check letter is recognized', () => {
    fc.assert(
      fc.property(anyNonce, fc.nat(4), fc.integer({ min: 2, max: 9 }), (nonce, at, digit) => {
        const typed = nonce.slice(0, 4 + at) + digit + nonce.slice(5 + at);
        expect(hasWrongCheckLetter(`FOR${typed}THANKS`)).toBe(typed !== nonce);
      }),
    );
    for (const text of ['BREW', '', 'CONTRACT778812', 'DEBITPURCHASE666666'])
      expect(hasWrongCheckLetter(text)).toBe(false);
  });
});

describe('folding a remark', () => {
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
  ])('%j becomes %j', (remark, folded) => {
    expect(foldReference(remark)).toBe(folded);
  });

  test('turns the digits of every script into 0 to 9', () => {
    const digits = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint)
      .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
      .map((codePoint) => String.fromCodePoint(codePoint))
      .filter((character) => /\p{Nd}/u.test(character));
    expect(digits.length).toBeGreaterThan(600);
    expect(digits.map(foldReference).join('')).toBe('0123456789'.repeat(digits.length / 10));
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
    // Banks cut a remark in two and write a space between; folding has taken it out, not a letter.
    ['XBREWX23456R', []],
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
        fc.array(gap, { minLength: 10, maxLength: 10 }),
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

describe('the distance of a nonce', () => {
  test.each([
    ['FPSBREW23456RTHANKS', 0],
    ['BREW32456R', 1],
    ['BREWNO23456R', 2],
    ['BR3W2345R', 2],
    ['BREW2345', 2],
    ['', 10],
  ])('from %j is %i', (text, distance) => {
    expect(getReferenceDistance(text, 'BREW23456R')).toBe(distance);
  });
});

describe('nearNonces', () => {
  test('finds the nonce behind every single typing error, wherever it stands', () => {
    fc.assert(
      fc.property(mistyped, fc.string({ maxLength: 20 }), ({ nonce, typed }, around) => {
        const folded = foldReference(`${around} ${typed} ${around}`);
        const found = [...findPaymentReferences(folded), ...findSimilarReferences(folded)];
        expect(found).toContain(nonce);
        expect(getReferenceDistance(folded, nonce)).toBeLessThanOrEqual(1);
      }),
      { numRuns: count(500, 5_000) },
    );
  });

  test('finds nothing in ordinary remarks', () => {
    for (const text of ['', 'rent for June', 'INV 2026-11-20', '1234567890', 'HKD 128.50'])
      expect(findSimilarReferences(foldReference(text))).toEqual([]);
  });

  test('gives a bounded number of nonces for the longest and worst reference', () => {
    const worst = foldReference('ZEBU23456Y'.repeat(200));
    expect(findSimilarReferences(worst).length).toBeLessThan(200);
  });
});
