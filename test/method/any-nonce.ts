import fc from 'fast-check';
import { nonceWords } from '../../src/method/nonce-words.ts';

export const anyNonce = fc
  .tuple(fc.constantFrom(...nonceWords), fc.stringMatching(/^[2-9]{4}$/))
  .map((parts) => parts.join(''));
