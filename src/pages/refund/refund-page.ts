import type { RefundPage } from '../../domain/payments/refund/open-refund-page.ts';
import type { Money } from '../../kit/money.ts';
import { type MethodCode, paymentMethods } from '../../method/catalogue.ts';
import { type BankWord, bankWordOf } from '../../method/payout-details.ts';
import { amount, amountText, fill, fillText, moment, regionName } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';
import { faultList, formTitle } from '../parts/faults.ts';
import { notice } from '../parts/notice.ts';
import { merchantName, summary } from '../parts/summary.ts';
import { type TextField, textField } from '../parts/text-field.ts';
import type { Reader } from '../reader.ts';

/** What was sent and refused: shown again with the fields that are wrong. */
export type RefusedDetails = { values: Record<string, string>; faulty: ReadonlySet<string> };

const fieldNames = ['bank', 'account', 'holder'] as const;

/** The refund as it stands: a form while the customer is to tell where the money goes. */
export function refundPage(
  reader: Reader,
  page: RefundPage,
  address: string,
  refused?: RefusedDetails,
): Page {
  const { status } = page.refund;
  return status === 'initiated' ? formPage(reader, page, address, refused) : noticePage(reader, page, status);
}

function formPage(reader: Reader, page: RefundPage, address: string, refused?: RefusedDetails): Page {
  const { refund, merchant } = page;
  const strings = reader.strings.refund;
  const fields = fieldsOf(reader, page, refused);
  const faults = fields.flatMap(({ name, fault }) => (fault === undefined ? [] : [{ name, text: fault }]));
  const main = html`<div class="columns">
${summary(reader, {
  merchant,
  money: moneyOf(page),
  eyebrow: fill(strings.from, { merchant: merchantName(merchant) }),
  orders: undefined,
})}
<section class="panel">
${faultList(reader, faults)}
<form method="post" action="${address}">
<h2>${strings.whereTo}</h2>
${refund.reopenReason !== null && html`<p class="aside">${fill(strings.reopened, { reason: refund.reopenReason })}</p>`}
<p>${fillText(strings.country, { country: regionName(reader, countryOf(page)) })}</p>
${fields.map(textField)}
<button type="submit" class="button">${strings.submit}</button>
<p class="hint">${fill(strings.promise, { merchant: merchantName(merchant) })}</p>
</form>
</section>
</div>`;
  return framed(page, formTitle(reader, titleOf(reader, page), faults), main);
}

function fieldsOf(reader: Reader, page: RefundPage, refused?: RefusedDetails): TextField[] {
  const strings = reader.strings.refund;
  const bank = bankWordOf(countryOf(page));
  const field = (name: (typeof fieldNames)[number], label: string, more: Partial<TextField> = {}) => ({
    name,
    label,
    maxLength: 140,
    value: refused?.values[name] ?? '',
    ...(refused?.faulty.has(name) && { fault: strings.faults[name] }),
    ...more,
  });
  return [
    ...(bank === 'none' ? [] : [field('bank', strings.bank[bank], { inputMode: modeOf(bank) })]),
    field('account', strings.account, { hint: strings.accountHint[bank === 'none' ? 'withBank' : 'alone'] }),
    field('holder', strings.holder, { hint: strings.holderHint, autocomplete: 'name' }),
  ];
}

function modeOf(bank: BankWord): 'numeric' | 'text' {
  return bank === 'bankCode' || bank === 'bsb' ? 'numeric' : 'text';
}

function noticePage(reader: Reader, page: RefundPage, state: 'processing' | 'completed' | 'cancelled'): Page {
  const { refund, charge, merchant } = page;
  const strings = reader.strings.refund[state];
  const values = {
    merchant: merchantName(merchant),
    amount: amount(reader, moneyOf(page)),
    reference: html`<code>${refund.payoutReference}</code>`,
    time: moment(reader, refund.completedAt ?? refund.updatedAt, 'UTC'),
    charge: html`<code>${charge.nonce}</code>`,
  };
  const body = html`<p>${fill(strings.text, values)}</p><p>${fill(strings.help, values)}</p>`;
  const tone = state === 'cancelled' ? 'calm' : 'good';
  return framed(page, titleOf(reader, page), notice({ tone, title: strings.title, body }));
}

function framed({ refund, merchant }: RefundPage, title: string, main: Html): Page {
  return { status: 200, title, main, mode: refund.mode, demo: merchant.demo };
}

function titleOf(reader: Reader, page: RefundPage): string {
  return fillText(reader.strings.refund.title, {
    amount: amountText(reader, moneyOf(page)),
    merchant: page.merchant.name,
  });
}

function moneyOf({ refund }: RefundPage): Money {
  return { minor: refund.customerAmount, currency: refund.customerCurrency };
}

function countryOf({ charge }: RefundPage): string {
  return paymentMethods[charge.method as MethodCode].country;
}
