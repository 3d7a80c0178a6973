import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSimilarReferences } from '../../src/method/find-similar-references.ts';
import { findPaymentReferences, foldReference } from '../../src/method/payment-reference.ts';
import { count } from '../setup/counts.ts';
import { anyNonce } from './any-nonce.ts';

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
