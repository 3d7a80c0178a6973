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
 * - the names of the user and of the merchant
 * - common words, also repeated or surrounded by digits and signs
 * - sequences of digits, letters or neighboring keys
 * - few distinct characters
 */
export function checkPassword(
  password: string,
  { email, names, path }: { email: string; names: readonly (string | null)[]; path: string },
): string {
  checkText(password, path, passwordLengthMax);
  if ([...password].length < passwordLengthMin)
    throw invalidInputError(path, `must be at least ${passwordLengthMin} characters long`);
  const normalized = password.normalize('NFKC').toLowerCase();
  const localPart = email.slice(0, email.lastIndexOf('@'));
  if (
    normalized.includes(email) ||
    extractLetters(normalized) === extractLetters(localPart) ||
    containsName(normalized, localPart)
  )
    throw invalidInputError(path, 'must not contain or resemble your email address');
  if (names.some((name) => name !== null && containsName(normalized, name)))
    throw invalidInputError(path, 'must not contain your name or the name of your shop');
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

/** Names with fewer letters occur in other words. Characters outside of the Latin alphabet are whole syllables. */
const nameLengthMin = 4;
const syllablesMin = 2;

/**
 * Returns whether the password contains all words of the name, in either order, or the first words without the last
 * ones, such as `Ltd`. At least two words must match if the name has several. Ignores signs between the words.
 */
function containsName(normalized: string, name: string): boolean {
  const words =
    name
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const letters = normalized.replace(/[^\p{L}\p{N}]/gu, '');
  const beginnings = words.map((_, i) => words.slice(0, i + 1).join('')).slice(words.length > 1 ? 1 : 0);
  return [...beginnings, words.toReversed().join('')].some(
    (text) =>
      [...text].length >= (/[a-z]/.test(text) ? nameLengthMin : syllablesMin) &&
      (letters.includes(text) ||
        (extractLetters(text).length >= nameLengthMin &&
          extractLetters(normalized).includes(extractLetters(text)))),
  );
}

function isCommon(normalized: string): boolean {
  const word = extractLetters(normalized);
  return commonWords.some(
    (common) => word !== '' && common.repeat(Math.ceil(word.length / common.length)) === word,
  );
}
