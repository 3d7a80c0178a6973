import { getAmount, getText } from '../../components/form.tsx';
import { createEmptyLine, type OrderLineFields, parseOrderLines } from '../../components/order-line.ts';
import type { AcceptedMethod } from '../payment-methods.ts';
import { readCustomer } from './customer-fields.tsx';

/** The controlled values in the form for a session or a checkout link. */
export type TermsChoices = {
  currency: string;
  methods: AcceptedMethod['code'][];
  lines: OrderLineFields[];
};

export const initialChoices: Omit<TermsChoices, 'currency'> & { currency: string | null } = {
  currency: null,
  methods: [],
  lines: [createEmptyLine(0)],
};

/**
 * Returns the input that sessions and checkout links share, in API format, without empty fields. Throws
 * `FieldInputError` if an amount or a number is invalid.
 */
export function readTerms(form: FormData, choices: TermsChoices) {
  return { amount: getAmount(form, 'amount', choices.currency), ...readCommonTerms(form, choices) };
}

/** Like {@link readTerms}, with the limits of an amount that the customer chooses. */
export function readCustomAmountTerms(form: FormData, choices: TermsChoices) {
  const readLimit = (name: 'min' | 'max') =>
    getAmount(form, `customAmount.${name}`, choices.currency) || null;
  return {
    customAmount: { min: readLimit('min'), max: readLimit('max') },
    ...readCommonTerms(form, choices),
  };
}

function readCommonTerms(form: FormData, { currency, lines }: TermsChoices) {
  const orders = parseOrderLines(lines, currency);
  const customer = readCustomer(form);
  const notifyPayload = getText(form, 'notifyPayload');
  const redirectUrl = getText(form, 'redirectUrl');
  return {
    currency,
    ...(orders.length > 0 && { orders }),
    ...(customer && { customer }),
    ...(notifyPayload && { notifyPayload }),
    ...(redirectUrl && { redirectUrl }),
  };
}
