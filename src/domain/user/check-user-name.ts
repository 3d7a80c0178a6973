import { invalidInput } from '../../kit/errors.ts';
import { checkText } from '../../kit/text.ts';

const nameMax = 80;

/** What users call themselves, without the spaces around it; 400 for nothing, or more than 80 characters. */
export function checkUserName(input: string): string {
  const name = checkText(input, '/name', nameMax).trim();
  if (name === '') throw invalidInput('/name', 'must say how to call you');
  return name;
}
