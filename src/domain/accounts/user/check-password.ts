import { invalidInput } from '../../../kit/errors.ts';
import { checkText } from '../../../kit/text.ts';

const lengthMin = 12;
/** More is no safer, and hashing it costs whoever runs the service. */
const lengthMax = 128;
const distinctMin = 5;

/** What is left of the passwords people choose most when they must have 12 characters; folded as below. */
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
/** Digits from any one on, letters as the alphabet and the keyboard have them. */
const keyboardRows = ['0123456789'.repeat(13), 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm'];
/** Looked for forwards and backwards. */
const sequences = keyboardRows.flatMap((row) => [row, [...row].reverse().join('')]);

/**
 * A password somebody chooses: at least 12 characters, of any kind. Refused is what is guessed first: the e-mail address
 * or what stands before its @, the commonest words with digits and signs around them or said twice, runs of the
 * keyboard, few characters over and over. Error: 400 that says which.
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

/** Letters alone, with the digits and signs that stand for some of them. */
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
