import type { OutstandingPayment } from '../../domain/payments/checkout/outstanding-payment.ts';
import { amount, fillText, plainAmount } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { Reader } from '../reader.ts';

/** By which key the words stand for each way in which the nonce comes to the merchant. */
export const nonceKeys = { 'in-code': 'inCode', written: 'written', uncertain: 'uncertain' } as const;

/** The nonce, which is what tells payments apart: the largest words after the amount. */
export function referenceBox(reader: Reader, outstanding: OutstandingPayment): Html {
  const { pay } = reader.strings;
  const { nonce } = outstanding.destination;
  const key = nonceKeys[outstanding.nonce];
  return html`<section class="reference"><h3>${pay.referenceHeading[key]}</h3>
<p class="nonce"><span class="unseen">${pay.reference}: </span><code data-value="nonce">${nonce}</code> ${copyButton(reader, pay.reference, nonce)}</p>
<p>${pay.referenceText[key]}</p></section>`;
}

/** What the customer types where the code is not scanned, each value with a button that copies it. */
export function detailList(reader: Reader, outstanding: OutstandingPayment): Html {
  const { pay } = reader.strings;
  const { destination, money } = outstanding;
  const { account, accountName, bank } = destination;
  return html`<section class="details"><h3>${pay.details}</h3><dl>
${row(pay.amount, html`<span data-value="amount">${amount(reader, money)}</span>`, copyButton(reader, pay.amount, plainAmount(money)))}
${row(pay.account, html`<span data-value="account">${account}</span>`, copyButton(reader, pay.account, account))}
${row(pay.holder, html`<span data-value="holder">${accountName}</span>`, copyButton(reader, pay.holder, accountName))}
${row(pay.bank, html`<span data-value="bank">${bank}</span>`, copyButton(reader, pay.bank, bank))}
</dl></section>`;
}

function row(name: string, value: Html, button: Html): Html {
  return html`<div><dt>${name}</dt><dd>${value} ${button}</dd></div>`;
}

/** Shown where scripts run: it could do nothing without. */
function copyButton(reader: Reader, what: string, value: string): Html {
  const { copy, copyWhat, copied, copyFailed } = reader.strings.pay;
  return html`<button type="button" class="copy" data-script data-copy="${value}" data-copied="${copied}" data-failed="${copyFailed}" aria-label="${fillText(copyWhat, { what })}">${copy}</button>`;
}
