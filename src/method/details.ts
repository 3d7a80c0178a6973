import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { parseEmail } from '../kit/contact.ts';
import { DomainError, type InputError } from '../kit/errors.ts';
import { type SchemaViolation, toInputErrors } from '../kit/schema-errors.ts';
import { oneLineMessage } from '../kit/text.ts';

/**
 * Creates a 422 `receiving_account_invalid` for details that violate a rule of their scheme. `path` is a JSON pointer
 * into the details.
 */
export function invalidAccountError(path: string, message: string): DomainError {
  const detail = `${path === '' ? 'The details' : path} ${message}`;
  return new DomainError('receiving_account_invalid', detail, [{ path, message }]);
}

/**
 * Returns the schema of a one-line text, with a description for the docs. The scheme's `parseDetails` checks the
 * format.
 */
export function textMember(description: string, example: string, maxLength: number) {
  // Rejects blank text, and control characters and lone surrogates, which cannot be stored.
  const pattern = '^(?=.*\\S)[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]*$';
  return Type.String({ description, examples: [example], maxLength, pattern });
}

export function bankMember(example: string) {
  return textMember('Name of the bank or wallet: as the customer’s app shows it', example, 60);
}

/**
 * Returns the schema of a member with the content of a payment code, as a scanner returns it.
 * Surrounding white space is allowed.
 */
export function codeMember(description: string, example: string) {
  return Type.String({ description, examples: [example], maxLength: 600 });
}

/** Returns the schema of a details object that allows no unknown members. */
export function detailsForm<P extends Record<string, TSchema>>(description: string, members: P) {
  return Type.Object(members, { description, additionalProperties: false });
}

/**
 * Reads details of a scheme with a single form. Throws `receiving_account_invalid` with every violation of
 * the schema.
 */
export function parseForm<F extends TObject>(form: F, input: unknown): Static<F> {
  if (Check(form, input)) return input;
  const [, schemaErrors] = Errors(form, input);
  const errors = schemaErrors.flatMap((violation) => toMemberErrors(violation, input));
  const firstError = errors[0] ?? { path: '', message: 'are invalid' };
  const remainder = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const detail = `${firstError.path === '' ? 'The details' : firstError.path} ${firstError.message}${remainder}`;
  throw new DomainError('receiving_account_invalid', detail, errors);
}

/**
 * Reads details of a scheme with several forms. The key of each form in `forms` is the member that identifies
 * it, so that errors refer to the form that was intended.
 */
export function parseOneForm<F extends Record<string, TObject>>(
  forms: F,
  input: unknown,
): Static<F[keyof F]> {
  const names = Object.keys(forms);
  const presentNames =
    typeof input === 'object' && input !== null ? names.filter((name) => Object.hasOwn(input, name)) : [];
  const form =
    presentNames.length === 1 && presentNames[0] !== undefined ? forms[presentNames[0]] : undefined;
  if (!form) throw invalidAccountError('', `must be an object with exactly one of: ${names.join(', ')}`);
  return parseForm(form, input) as Static<F[keyof F]>;
}

/** Converts a violation of the schema. Forms are flat, so the path of a member is its name. */
function toMemberErrors(violation: SchemaViolation, input: unknown): InputError[] {
  if (violation.keyword !== 'pattern') return toInputErrors(violation);
  const path = violation.instancePath;
  const isBlank = (input as Record<string, string>)[path.slice(1)]?.trim() === '';
  return [{ path, message: isBlank ? 'must not be empty' : oneLineMessage }];
}

/** Removes the spaces and hyphens that people write into account numbers. */
export function stripSeparators(text: string): string {
  return text.replace(/[\s-]/g, '');
}

/** Reads a number of `min` to `max` digits, with or without spaces and hyphens. Throws `receiving_account_invalid`. */
export function readDigits(text: string, path: string, min: number, max = min): string {
  const digits = stripSeparators(text);
  const size = min === max ? `${min}` : `${min} to ${max}`;
  if (!/^\d+$/.test(digits) || digits.length < min || digits.length > max) {
    throw invalidAccountError(path, `must be ${size} digits`);
  }
  return digits;
}

/**
 * Calling codes and patterns of mobile numbers in the countries' numbering plans. The patterns are broad, because
 * countries assign ranges that the phone library does not know yet.
 */
const mobilePatterns = {
  HK: { name: 'a Hong Kong', callingCode: '852', national: /^[4-9]\d{7}$/ },
  SG: { name: 'a Singapore', callingCode: '65', national: /^[89]\d{7}$/ },
  PH: { name: 'a Philippine', callingCode: '63', national: /^9\d{9}$/ },
  TH: { name: 'a Thai', callingCode: '66', national: /^[689]\d{8}$/ },
  AU: { name: 'an Australian', callingCode: '61', national: /^4\d{8}$/ },
} as const;

/**
 * Reads a mobile number of one country in national or international form; returns E.164. Throws
 * `receiving_account_invalid`.
 */
export function readMobile(text: string, path: string, country: keyof typeof mobilePatterns): string {
  const number = parsePhoneNumberFromString(text, { defaultCountry: country, extract: false });
  const { name, callingCode, national } = mobilePatterns[country];
  if (
    number?.countryCallingCode !== callingCode ||
    !national.test(number.nationalNumber) ||
    number.ext !== undefined
  ) {
    throw invalidAccountError(path, `must be ${name} mobile number`);
  }
  return number.number;
}

/** Reads an email address. Only ASCII is allowed, because the address is written into payment codes. */
export function readEmailAddress(text: string, path: string, maxLength: number): string {
  const invalidEmail = invalidAccountError(
    path,
    `must be an ASCII email address with at most ${maxLength} characters`,
  );
  if (!/^[\x21-\x7e]+$/.test(text) || text.length > maxLength) throw invalidEmail;
  try {
    return parseEmail(text, path);
  } catch (error) {
    // `invalid_request` becomes `receiving_account_invalid`, the only code that callers expect.
    if (error instanceof DomainError) throw invalidEmail;
    throw error;
  }
}

/** Returns the weighted sum of digits, from which check digits are computed. */
export function computeWeightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0);
}
