import type { CustomerDetails } from '../../domain/payments/customer/customer-input.ts';
import { DomainError, type ErrorCode } from '../../kit/errors.ts';
import { isMethodCode, type MethodCode } from '../../method/catalog.ts';
import type { PageI18n } from '../i18n.ts';
import { readCustomerFields } from './customer-fields.ts';
import { type MethodFormState, type PaymentOffer, toMethodFormState } from './offer.ts';

/** A valid choice, or the rejected form with its errors. */
type ChoiceResult =
  | { choice: { method: MethodCode; customer: CustomerDetails }; formState: MethodFormState }
  | { rejected: MethodFormState };

/** `customerForm` must have the values with which the form was shown. */
export function readChoice(
  i18n: PageI18n,
  customerForm: Pick<PaymentOffer, 'prefill' | 'isEmailRequired'>,
  form: Record<string, string>,
): ChoiceResult {
  const { method = '' } = form;
  const { values, details, errors } = readCustomerFields(i18n, customerForm, form);
  const formState = { method, customer: values, errors };
  if (!isMethodCode(method))
    return { rejected: { ...formState, errors: { ...errors, method: i18n.strings.choose.methodMissing } } };
  if (Object.keys(errors).length > 0) return { rejected: formState };
  return { choice: { method, customer: details }, formState };
}

export function readMethod(
  { strings }: PageI18n,
  { method = '' }: Record<string, string>,
): { method: MethodCode } | { rejected: MethodFormState } {
  return isMethodCode(method)
    ? { method }
    : { rejected: toMethodFormState('', strings.choose.methodMissing) };
}

/** Errors that choosing another method may avoid. */
const methodErrors = new Set<ErrorCode>([
  'method_unavailable',
  'amount_out_of_range',
  'rate_unavailable',
  'rate_stale',
]);

/** Returns the form with an error on the method field, or `undefined` if another method would not help. */
export function toRejectedFormState(
  { strings }: PageI18n,
  formState: MethodFormState,
  error: unknown,
): MethodFormState | undefined {
  if (!(error instanceof DomainError) || !methodErrors.has(error.code)) return undefined;
  return { ...formState, errors: { method: strings.choose.methodUnavailable } };
}
