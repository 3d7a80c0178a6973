import { noncesOf } from '../../payments/allocation/nonces-of.ts';
import type { TransferInput } from './draft-transfer.ts';

/** Runs in which no transfer can change what becomes of another: they share no bank reference and no nonce. */
export function wavesOf(inputs: readonly TransferInput[]): TransferInput[][] {
  const waves: TransferInput[][] = [];
  let marks = new Set<string>();
  for (const input of inputs) {
    const own = [`${input.source} ${input.bankReference}`, ...noncesOf(input)];
    const wave = waves.at(-1);
    if (wave && !own.some((mark) => marks.has(mark))) {
      wave.push(input);
    } else {
      waves.push([input]);
      marks = new Set();
    }
    for (const mark of own) marks.add(mark);
  }
  return waves;
}
