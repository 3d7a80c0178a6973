import { checkNonEmpty } from '../../../kit/text.ts';

const nameMax = 80;

/** What users call themselves, without the spaces around it; 400 for nothing, or more than 80 characters. */
export function checkUserName(input: string): string {
  return checkNonEmpty(input, '/name', { max: nameMax, emptyMessage: 'must not be empty' });
}
