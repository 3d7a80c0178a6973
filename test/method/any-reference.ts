import fc from 'fast-check';
import { isPaymentReference, withCheckLetter } from '../../src/method/payment-reference.ts';
import { paymentReferenceWords } from '../../src/method/payment-reference-words.ts';

export const anyReference = fc
  .tuple(fc.constantFrom(...paymentReferenceWords), fc.stringMatching(/^[2-9]{5}$/))
  .map((parts) => withCheckLetter(parts.join('')))
  .filter(isPaymentReference);
