import type { OutstandingPayment } from '../../domain/payments/checkout/get-outstanding-payment.ts';
import { amount, fillText, plainAmount } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';

/** By which key the words stand for each way in which the nonce comes to the merchant. */
export const referenceTextKeys = { 'in-code': 'inCode', written: 'written', uncertain: 'uncertain' } as const;

/** The nonce, which is what tells payments apart: the largest words after the amount. */
export function referenceBox(i18n: PageI18n, outstanding: OutstandingPayment): Html {
  const { pay } = i18n.strings;
  const { nonce: paymentReference } = outstanding.destination;
  const key = referenceTextKeys[outstanding.referencePlacement];
  return html`<section class="reference"><h3>${pay.referenceHeading[key]}</h3>
<p class="nonce"><span class="unseen">${pay.reference}: </span><code data-value="nonce">${paymentReference}</code> ${copyButton(i18n, pay.reference, paymentReference)}</p>
<p>${pay.referenceText[key]}</p></section>`;
}

/** What the customer types where the code is not scanned, each value with a button that copies it. */
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

/** Shown where scripts run: it could do nothing without. */
function copyButton(i18n: PageI18n, label: string, value: string): Html {
  const { copy, copyWhat, copied, copyFailed } = i18n.strings.pay;
  return html`<button type="button" class="copy" data-script data-copy="${value}" data-copied="${copied}" data-failed="${copyFailed}" aria-label="${fillText(copyWhat, { what: label })}">${copy}</button>`;
}
