import { checkNonEmpty } from '../../../kit/text.ts';

const nameLengthMax = 80;

/** Returns the trimmed display name. Throws 400 if it is empty or longer than 80 characters. */
export function checkUserName(input: string): string {
  return checkNonEmpty(input, '/name', { max: nameLengthMax });
}
