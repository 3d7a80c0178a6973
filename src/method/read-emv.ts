import { invalidAccountError } from './details.ts';
import { type EmvField, parseEmv, parseFields } from './emv.ts';

/**
 * Parses the text of an EMVCo payment code that a merchant entered. Returns its fields in order, without the
 * checksum (63); templates (26 to 51 and 62) are parsed into their fields. Throws `receiving_account_invalid` with
 * `path`.
 */
export function readEmv(code: string, path: string): EmvField[] {
  const result = parseEmv(code);
  if (typeof result === 'string') throw invalidAccountError(path, `is not a valid payment code: ${result}`);
  return result;
}

/** Parses the text of a template within a template. Throws `receiving_account_invalid` with `path`. */
export function readNestedTemplate(text: string, path: string): EmvField[] {
  const result = parseFields(text);
  if (typeof result === 'string') throw invalidAccountError(path, `is not a valid payment code: ${result}`);
  return result;
}
