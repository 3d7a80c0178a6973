import fc from 'fast-check';
import { paymentReferenceWords } from '../../src/method/payment-reference-words.ts';

export const anyReference = fc
  .tuple(fc.constantFrom(...paymentReferenceWords), fc.stringMatching(/^[2-9]{4}$/))
  .map((parts) => parts.join(''));
