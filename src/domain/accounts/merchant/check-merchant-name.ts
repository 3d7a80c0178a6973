import { checkNonEmpty } from '../../../kit/text.ts';

const nameLengthMax = 140;

/** Returns the trimmed name of a merchant. Throws 400 if it is empty or longer than 140 characters. */
export function checkMerchantName(input: string): string {
  return checkNonEmpty(input, '/name', {
    max: nameLengthMax,
    emptyMessage: 'must not be empty: it is shown to customers',
  });
}
