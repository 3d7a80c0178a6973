import { checkFilled } from '../../../kit/text.ts';

const nameMax = 80;

/** What users call themselves, without the spaces around it; 400 for nothing, or more than 80 characters. */
export function checkUserName(input: string): string {
  return checkFilled(input, '/name', { max: nameMax, otherwise: 'must not be empty' });
}
