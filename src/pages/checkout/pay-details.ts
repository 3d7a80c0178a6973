import type { OutstandingPayment } from '../../domain/payments/checkout/get-outstanding-payment.ts';
import { fillText } from '../../language/fill-text.ts';
import { plainAmount } from '../../language/format.ts';
import type { MethodCode } from '../../method/catalog.ts';
import { customerApps } from '../../method/customer-apps.ts';
import type { InstructionField, InstructionRow } from '../../method/instructions.ts';
import { amount } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';
import { fieldLabel } from '../parts/method-name.ts';

/** The key of the texts for each way in which the payment reference reaches the merchant. */
export const referenceTextKeys = {
  in_code: 'in_code',
  written: 'written',
  uncertain: 'uncertain',
  by_merchant: 'uncertain',
} as const;

/**
 * Renders the payment reference. Only the amount has larger type, because a payment without the reference may
 * not be matched. Returns `undefined` if no app has a field for it.
 */
export function referenceBox(
  i18n: PageI18n,
  method: MethodCode,
  outstanding: OutstandingPayment,
): Html | undefined {
  const { pay } = i18n.strings;
  const { nonce: paymentReference, rows } = outstanding.destination;
  const field = getReferenceField(i18n, method, rows);
  if (field === undefined) return undefined;
  const { referencePlacement: placement } = outstanding;
  return html`<section class="reference"><h3>${pay.referenceHeading[referenceTextKeys[placement]]}</h3>
<p class="payment-reference"><span class="visually-hidden">${pay.reference}: </span><code data-value="payment-reference">${paymentReference}</code> ${copyButton(i18n, pay.reference, paymentReference)}</p>
<p>${fillText(pay.referenceText[placement], { field })}</p></section>`;
}

/** Returns undefined if no app has a field for the payment reference. Bills of PromptPay have a separate field. */
export function getReferenceField(
  { strings }: PageI18n,
  method: MethodCode,
  rows: readonly InstructionRow[],
): string | undefined {
  const isBill = rows.some(({ field }) => field === 'reference1');
  return isBill ? strings.rows.reference1 : customerApps[method].referenceField;
}

/** Values that customers choose from a list or only check. */
const uncopiedFields: readonly InstructionField[] = ['bank', 'merchant_name'];

/**
 * Returns the values that customers type if they do not scan the code, each with a copy button, in the order
 * of the payment apps. The payment reference is in its own box.
 */
export function detailList(i18n: PageI18n, method: MethodCode, outstanding: OutstandingPayment): Html {
  const { destination, money } = outstanding;
  const toRow = ({ field, value, code }: InstructionRow) => {
    const label = fieldLabel(i18n, method, field);
    const isAmount = field === 'amount';
    const shown = isAmount
      ? amount(i18n, money)
      : code === undefined
        ? breakable(value)
        : `${value} (${code})`;
    const copied = isAmount ? plainAmount(money) : value;
    return html`<div><dt>${label}</dt><dd><span data-value="${field}">${shown}</span> ${!uncopiedFields.includes(field) && copyButton(i18n, label, copied)}</dd></div>`;
  };
  return html`<section class="details"><h3>${i18n.strings.pay.details}</h3><dl>
${destination.rows.filter(({ field }) => field !== 'reference').map(toRow)}
</dl></section>`;
}

/** Lets a long email address or UPI ID wrap before its `@` instead of within a name. */
function breakable(value: string): Html {
  const at = value.indexOf('@');
  return at === -1 ? html`${value}` : html`${value.slice(0, at)}<wbr>${value.slice(at)}`;
}

/** Renders a button that is hidden if scripts, which it needs, are disabled. */
function copyButton(i18n: PageI18n, label: string, value: string): Html {
  const { copy, copyLabel, copied, copyFailed } = i18n.strings.pay;
  return html`<button type="button" class="copy" data-script data-copy="${value}" data-copied="${copied}" data-failed="${copyFailed}" aria-label="${fillText(copyLabel, { label })}">${copy}</button>`;
}
