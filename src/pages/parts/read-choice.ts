import type { CustomerDetails } from '../../domain/payments/customer/customer-input.ts';
import { DomainError, type ErrorCode } from '../../kit/errors.ts';
import { isMethodCode, type MethodCode } from '../../method/catalogue.ts';
import type { Reader } from '../reader.ts';
import { readCustomerFields } from './customer-fields.ts';
import { type ChooseInput, methodInput } from './offer.ts';

/** The form as it was sent: what is in it, or what is wrong with it. */
type Choice =
  | { choice: { method: MethodCode; customer: CustomerDetails }; input: ChooseInput }
  | { refused: ChooseInput };

/** Reads the form that was shown with `prefill`. */
export function readChoice(
  reader: Reader,
  prefill: CustomerDetails | null,
  form: Record<string, string>,
): Choice {
  const { method = '' } = form;
  const { texts, details, faults } = readCustomerFields(reader, prefill, form);
  const input = { method, customer: texts, faults };
  if (!isMethodCode(method))
    return { refused: { ...input, faults: { ...faults, method: reader.strings.choose.methodMissing } } };
  if (Object.keys(faults).length > 0) return { refused: input };
  return { choice: { method, customer: details }, input };
}

/** Reads a form that asks for the method alone. */
export function readMethod(
  { strings }: Reader,
  { method = '' }: Record<string, string>,
): { method: MethodCode } | { refused: ChooseInput } {
  return isMethodCode(method) ? { method } : { refused: methodInput('', strings.choose.methodMissing) };
}

/** Refusals that another choice may cure. */
const curable = new Set<ErrorCode>([
  'method_unavailable',
  'amount_out_of_range',
  'rate_unavailable',
  'rate_stale',
]);

/** The form once more, saying that the method cannot take the payment; undefined when no other choice would help. */
export function refusedChoice(
  { strings }: Reader,
  input: ChooseInput,
  error: unknown,
): ChooseInput | undefined {
  if (!(error instanceof DomainError) || !curable.has(error.code)) return undefined;
  return { ...input, faults: { method: strings.choose.refused } };
}
