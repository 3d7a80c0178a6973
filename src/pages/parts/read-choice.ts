import type { CustomerDetails } from '../../domain/payments/customer/customer-input.ts';
import { DomainError, type ErrorCode } from '../../kit/errors.ts';
import { isMethodCode, type MethodCode } from '../../method/catalogue.ts';
import type { PageI18n } from '../i18n.ts';
import { readCustomerFields } from './customer-fields.ts';
import { type ChooseInput, toMethodInput } from './offer.ts';

/** The submitted form, valid or with its errors. */
type ChoiceResult =
  | { choice: { method: MethodCode; customer: CustomerDetails }; input: ChooseInput }
  | { rejectedInput: ChooseInput };

/** Reads the form that was shown with `prefill`. */
export function readChoice(
  i18n: PageI18n,
  prefill: CustomerDetails | null,
  form: Record<string, string>,
): ChoiceResult {
  const { method = '' } = form;
  const { values, details, errors } = readCustomerFields(i18n, prefill, form);
  const input = { method, customer: values, errors };
  if (!isMethodCode(method))
    return { rejectedInput: { ...input, errors: { ...errors, method: i18n.strings.choose.methodMissing } } };
  if (Object.keys(errors).length > 0) return { rejectedInput: input };
  return { choice: { method, customer: details }, input };
}

/** Reads a form that asks only for a method. */
export function readMethod(
  { strings }: PageI18n,
  { method = '' }: Record<string, string>,
): { method: MethodCode } | { rejectedInput: ChooseInput } {
  return isMethodCode(method)
    ? { method }
    : { rejectedInput: toMethodInput('', strings.choose.methodMissing) };
}

/** Errors that another method may avoid. */
const retryableErrors = new Set<ErrorCode>([
  'method_unavailable',
  'amount_out_of_range',
  'rate_unavailable',
  'rate_stale',
]);

/** Returns the input with an error at the method, or `undefined` if another method would not help. */
export function toRejectedInput(
  { strings }: PageI18n,
  input: ChooseInput,
  error: unknown,
): ChooseInput | undefined {
  if (!(error instanceof DomainError) || !retryableErrors.has(error.code)) return undefined;
  return { ...input, errors: { method: strings.choose.refused } };
}
