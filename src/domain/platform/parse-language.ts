import { invalidInputError } from '../../kit/errors.ts';
import { isLanguage, type Language, languageCodes } from '../../language/languages.ts';

/** Checks the language of a customer; undefined if it is unknown. Error: `invalid_request`. */
export function parseLanguage(text: string | null | undefined): Language | undefined {
  if (text == null) return undefined;
  if (isLanguage(text)) return text;
  throw invalidInputError('/locale', `must be one of ${languageCodes.join(', ')}`);
}
