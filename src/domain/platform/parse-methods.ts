import { invalidInputError } from '../../kit/errors.ts';
import { isMethodCode, type MethodCode, methodCodes, paymentMethods } from '../../method/catalog.ts';

/** Returns the distinct methods. Error: 400 for an unknown method. */
export function parseMethods(input: readonly string[] | null | undefined): MethodCode[] {
  return [...new Set((input ?? []).map((method, i) => parseMethod(method, `/methods/${i}`)))];
}

export function parseMethod(text: string, path: string): MethodCode {
  if (isMethodCode(text)) return text;
  throw invalidInputError(path, `must be one of ${methodCodes.join(', ')}`);
}

const countries = [...new Set(methodCodes.map((method) => paymentMethods[method].country))];

/**
 * Returns the methods that a `paymentMethods` object allows; undefined means all. Error: 400 for an unknown
 * country or method.
 */
export function parsePaymentMethods(
  input: Record<string, readonly string[]> | null | undefined,
): MethodCode[] | undefined {
  if (!input) return undefined;
  const methods = Object.entries(input).flatMap(([country, codes]) => {
    const path = `/paymentMethods/${country}`;
    const countryMethods = methodCodes.filter((method) => paymentMethods[method].country === country);
    if (countryMethods.length === 0)
      throw invalidInputError(path, `is not a supported country; use ${countries.join(', ')}`);
    for (const [i, method] of codes.entries()) {
      if (!isMethodCode(method) || !countryMethods.includes(method)) {
        throw invalidInputError(
          `${path}/${i}`,
          `must be a payment method of ${country}: ${countryMethods.join(', ')}`,
        );
      }
    }
    return codes.length === 0 ? countryMethods : countryMethods.filter((method) => codes.includes(method));
  });
  if (methods.length === 0) throw invalidInputError('/paymentMethods', 'must contain at least one country');
  return methods;
}
