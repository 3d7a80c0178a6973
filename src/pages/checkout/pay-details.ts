import type { OutstandingPayment } from '../../domain/payments/checkout/get-outstanding-payment.ts';
import { fillText } from '../../language/fill-text.ts';
import { plainAmount } from '../../language/format.ts';
import { amount } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';

/** The key of the texts for each way in which the payment reference reaches the merchant. */
export const referenceTextKeys = {
  'in-code': 'inCode',
  written: 'written',
  uncertain: 'uncertain',
  'by-merchant': 'uncertain',
} as const;

/**
 * Renders the payment reference. Only the amount has larger type, because a payment without the reference may
 * not be matched.
 */
export function referenceBox(i18n: PageI18n, outstanding: OutstandingPayment): Html {
  const { pay } = i18n.strings;
  const { nonce: paymentReference } = outstanding.destination;
  const key = referenceTextKeys[outstanding.referencePlacement];
  const isByMerchant = outstanding.referencePlacement === 'by-merchant';
  return html`<section class="reference"><h3>${pay.referenceHeading[key]}</h3>
<p class="payment-reference"><span class="visually-hidden">${pay.reference}: </span><code data-value="payment-reference">${paymentReference}</code> ${copyButton(i18n, pay.reference, paymentReference)}</p>
<p>${pay.referenceText[isByMerchant ? 'byMerchant' : key]}</p></section>`;
}

/** Returns the values that customers type if they do not scan the code, each with a copy button. */
export function detailList(i18n: PageI18n, outstanding: OutstandingPayment): Html {
  const { pay } = i18n.strings;
  const { destination, money } = outstanding;
  const { account, accountName, bank } = destination;
  return html`<section class="details"><h3>${pay.details}</h3><dl>
${row(pay.amount, html`<span data-value="amount">${amount(i18n, money)}</span>`, copyButton(i18n, pay.amount, plainAmount(money)))}
${row(pay.account, html`<span data-value="account">${account}</span>`, copyButton(i18n, pay.account, account))}
${row(pay.holder, html`<span data-value="holder">${accountName}</span>`, copyButton(i18n, pay.holder, accountName))}
${row(pay.bank, html`<span data-value="bank">${bank}</span>`, copyButton(i18n, pay.bank, bank))}
</dl></section>`;
}

function row(name: string, value: Html, button: Html): Html {
  return html`<div><dt>${name}</dt><dd>${value} ${button}</dd></div>`;
}

/** Renders a button that is hidden if scripts, which it needs, are disabled. */
function copyButton(i18n: PageI18n, label: string, value: string): Html {
  const { copy, copyLabel, copied, copyFailed } = i18n.strings.pay;
  return html`<button type="button" class="copy" data-script data-copy="${value}" data-copied="${copied}" data-failed="${copyFailed}" aria-label="${fillText(copyLabel, { label })}">${copy}</button>`;
}
