import { checkNonEmpty } from '../../../kit/text.ts';

const nameLengthMax = 140;

export function checkMerchantName(input: string): string {
  return checkNonEmpty(input, '/name', {
    max: nameLengthMax,
    emptyMessage: 'must not be empty: it is shown to customers',
  });
}
