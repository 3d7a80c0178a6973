import { invalidInputError } from '../../kit/errors.ts';
import { isLanguage, type Language, languageCodes } from '../../language/languages.ts';

/** Validates the language of a customer; undefined if none is given. Error: `invalid_request`. */
export function parseLanguage(text: string | null | undefined): Language | undefined {
  if (text == null) return undefined;
  if (isLanguage(text)) return text;
  throw invalidInputError('/locale', `must be one of ${languageCodes.join(', ')}`);
}
