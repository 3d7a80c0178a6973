import { invalidInputError } from '../../../kit/errors.ts';
import { checkText } from '../../../kit/text.ts';

const passwordLengthMin = 12;
/** The maximum length of a password. Longer passwords are no safer, and take more CPU time to hash. */
const passwordLengthMax = 128;
const distinctCharactersMin = 5;

/**
 * Words that are common in passwords of at least the minimum length, in the form that `extractLetters` returns.
 * A password that consists of one of them, even repeated, is rejected.
 */
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
/**
 * The digits are repeated, so that the row contains sequences that start at any digit and continue with 0 after
 * 9.
 */
const keyboardRows = ['0123456789'.repeat(13), 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm'];
/** Each row in both directions. */
const sequences = keyboardRows.flatMap((row) => [row, [...row].reverse().join('')]);

/**
 * Returns the password if it has at least 12 characters, of any kind, and is hard to guess. Throws 400 with
 * the reason. Rejects:
 *
 * - the email address or its local part
 * - common words, also repeated or surrounded by digits and signs
 * - sequences of digits, letters or neighboring keys
 * - few distinct characters
 */
export function checkPassword(password: string, { email, path }: { email: string; path: string }): string {
  checkText(password, path, passwordLengthMax);
  if ([...password].length < passwordLengthMin)
    throw invalidInputError(path, `must be at least ${passwordLengthMin} characters long`);
  const normalized = password.normalize('NFKC').toLowerCase();
  const localPart = email.slice(0, email.lastIndexOf('@'));
  if (normalized.includes(email) || extractLetters(normalized) === extractLetters(localPart))
    throw invalidInputError(path, 'must not contain or resemble your email address');
  if (
    new Set(normalized).size < distinctCharactersMin ||
    sequences.some((run) => run.includes(normalized)) ||
    isCommon(normalized)
  )
    throw invalidInputError(path, 'is too common; choose another password');
  return password;
}

/**
 * Returns only the letters, with digits and signs between letters replaced by the letters they usually stand
 * for.
 */
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
  const trimmed = text.replace(/^[^a-z]+|[^a-z]+$/g, '');
  return trimmed.replace(/[01345$@]/g, (sign) => substitutes[sign]!).replace(/[^a-z]/g, '');
}

function isCommon(normalized: string): boolean {
  const word = extractLetters(normalized);
  return commonWords.some(
    (common) => word !== '' && common.repeat(Math.ceil(word.length / common.length)) === word,
  );
}
