import { invalidInput } from '../../../kit/errors.ts';
import { checkText } from '../../../kit/text.ts';

const lengthMin = 12;
/** Longer passwords are no safer, and hashing them costs CPU time. */
const lengthMax = 128;
const distinctMin = 5;

/** The most common passwords that satisfy the minimum length, reduced to letters by `extractLetters`. */
const commonWords = [
  'password',
  'passwort',
  'letmein',
  'iloveyou',
  'welcome',
  'sunshine',
  'princess',
  'football',
  'baseball',
  'superman',
  'trustno',
  'changeme',
  'administrator',
  'admin',
  'causeway',
  'qwerty',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qazwsxedc',
  'abcdefghijkl',
  'abcdefghijklm',
  'abcdef',
  'abc',
  'correcthorsebatterystaple',
];
/** Repeated digits cover runs that start at any digit and wrap around. */
const keyboardRows = ['0123456789'.repeat(13), 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm'];
/** Includes each row reversed. */
const sequences = keyboardRows.flatMap((row) => [row, [...row].reverse().join('')]);

/**
 * Returns the password if it has at least 12 characters, of any kind, and is hard to guess. Throws 400 with
 * the reason. Rejects:
 *
 * - the email address or its local part
 * - common words, also repeated or surrounded by digits and signs
 * - keyboard runs
 * - few distinct characters
 */
export function checkPassword(password: string, { email, path }: { email: string; path: string }): string {
  checkText(password, path, lengthMax);
  if ([...password].length < lengthMin)
    throw invalidInput(path, `must be at least ${lengthMin} characters long`);
  const normalized = password.normalize('NFKC').toLowerCase();
  const localPart = email.slice(0, email.lastIndexOf('@'));
  if (normalized.includes(email) || extractLetters(normalized) === extractLetters(localPart))
    throw invalidInput(path, 'must not be your email address');
  if (
    new Set(normalized).size < distinctMin ||
    sequences.some((run) => run.includes(normalized)) ||
    isCommon(normalized)
  )
    throw invalidInput(path, 'is too common; choose another password');
  return password;
}

/** Returns only the letters; digits and signs between letters become the letters they usually replace. */
function extractLetters(text: string): string {
  const substitutes: Record<string, string> = {
    '0': 'o',
    '1': 'l',
    '3': 'e',
    '4': 'a',
    '5': 's',
    $: 's',
    '@': 'a',
  };
  const core = text.replace(/^[^a-z]+|[^a-z]+$/g, '');
  return core.replace(/[01345$@]/g, (sign) => substitutes[sign]!).replace(/[^a-z]/g, '');
}

function isCommon(normalized: string): boolean {
  const word = extractLetters(normalized);
  return commonWords.some(
    (common) => word !== '' && common.repeat(Math.ceil(word.length / common.length)) === word,
  );
}
