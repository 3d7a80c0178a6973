import { checkNonEmpty } from '../../../kit/text.ts';

const nameMax = 80;

/** Returns the trimmed display name. Throws 400 if it is empty or longer than 80 characters. */
export function checkUserName(input: string): string {
  return checkNonEmpty(input, '/name', { max: nameMax, emptyMessage: 'must not be empty' });
}
