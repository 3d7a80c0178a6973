import type { Money } from '../kit/money.ts';
import type { MethodCode } from './catalog.ts';
import { getInstructionRows, type InstructionRow } from './instructions.ts';
import { formatCodeAmount, type PaymentCodeInput } from './scheme.ts';
import { getScheme, type ReceivingDetails } from './schemes.ts';

/** The payment instructions of a charge. REST returns them without `deepLink` and `rows`. */
export type Destination = {
  /** Content of the QR code; `''` if the method has none. */
  qrCode: string;
  account: string;
  nonce: string;
  accountName: string;
  bank: string;
  /** A URL that opens the payment in an app on the same phone. */
  deepLink?: string;
  /** The values that the customer enters, in the order in which payment apps ask for them. */
  rows: InstructionRow[];
};

/**
 * Creates the instructions for one payment. `details` are as stored, from the method's `parseDetails`. `bank`
 * overrides the bank in the details. `amount` is in the method's currency and payable unit.
 */
export function createDestination(input: {
  method: MethodCode;
  details: unknown;
  holder: string;
  bank?: string | null | undefined;
  amount: Money;
  paymentReference: string;
  demo: boolean;
}): Destination {
  const scheme = getScheme(input.method);
  const details = input.details as ReceivingDetails;
  const payment: PaymentCodeInput = {
    amount: input.amount,
    paymentReference: input.paymentReference,
    holder: input.holder,
    demo: input.demo,
  };
  const bank = input.bank || scheme.getBank(details);
  const { holder, paymentReference } = input;
  const amount = formatCodeAmount(input.method, input.amount);
  return {
    qrCode: scheme.qrCode(details, payment),
    account: scheme.getAccount(details),
    nonce: input.paymentReference,
    accountName: input.holder,
    bank,
    ...(scheme.deepLink && { deepLink: scheme.deepLink(details, payment) }),
    rows: getInstructionRows(input.method, details, { holder, bank, amount, paymentReference }),
  };
}
