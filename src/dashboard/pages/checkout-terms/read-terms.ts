import { amountOf, textOf } from '../../components/form.tsx';
import { emptyLine, type OrderLine, readOrders } from '../../components/order-line.ts';
import type { PaymentMethod } from '../payment-methods.ts';

/** What the form of a session or a checkout link keeps besides its plain fields. */
export type TermsChoices = { currency: string; methods: PaymentMethod['method'][]; lines: OrderLine[] };

export const firstChoices: TermsChoices = { currency: 'HKD', methods: [], lines: [emptyLine(0)] };

/** What sessions and checkout links have in common, as the API takes it: what is left empty is left out. Error: `Unclear`. */
export function readTerms(form: FormData, { currency, lines }: TermsChoices) {
  const orders = readOrders(lines, currency);
  const customer = readCustomer(form);
  const notifyPayload = textOf(form, 'notifyPayload');
  const redirectUrl = textOf(form, 'redirectUrl');
  return {
    amount: amountOf(form, 'amount', currency),
    currency,
    ...(orders.length > 0 && { orders }),
    ...(customer && { customer }),
    ...(notifyPayload && { notifyPayload }),
    ...(redirectUrl && { redirectUrl }),
  };
}

function readCustomer(form: FormData) {
  const [email, firstName, lastName] = ['email', 'firstName', 'lastName'].map((name) => textOf(form, name));
  const [code, phone] = [textOf(form, 'phoneCode'), textOf(form, 'phone')];
  const customer = {
    ...(email && { email }),
    ...(firstName && { firstName }),
    ...(lastName && { lastName }),
    // A code alone says nothing: it may stand there as a habit.
    ...(phone && { phone: { code, phone } }),
  };
  return Object.keys(customer).length > 0 ? customer : undefined;
}
