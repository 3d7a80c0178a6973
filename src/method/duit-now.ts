import { Type } from 'typebox';
import {
  type BaseCodeRule,
  fillBaseCode,
  hasRoomForReference,
  readBaseCode,
  schemeTemplate,
} from './base-code.ts';
import { paymentMethods } from './catalogue.ts';
import { badAccount, bankMember, codeMember, detailsForm, readForm, textMember } from './details.ts';
import { type EmvField, textOf, writeEmv } from './emv.ts';
import { currencyNumber } from './payment-code.ts';
import { codeAmount, type Scheme } from './scheme.ts';

/**
 * DuitNow QR, Malaysia. The QR id is assigned by the acquirer and cannot be made from a DuitNow id, so the merchant
 * gives its own static DuitNow QR (PayNet, DuitNow QR MPM 1.5: field 26 `A0000006150001`).
 */
const rule: BaseCodeRule = {
  method: 'duit-now',
  path: '/baseCode',
  name: 'DuitNow QR',
  templateId: '26',
  guid: 'A0000006150001',
};

const form = detailsForm('The merchant’s own DuitNow QR', {
  baseCode: codeMember('Static DuitNow QR: content of the code that the bank or wallet issued', demoCode()),
  account: Type.Optional(
    textMember('DuitNow id or account number to show beside the QR code', '60123456789', 40),
  ),
  bank: Type.Optional(bankMember('Maybank')),
});

export type DuitNowDetails = { baseCode: string; account?: string; bank?: string };

export const duitNow: Scheme<DuitNowDetails> = {
  method: 'duit-now',
  detailsSchema: form,
  demoDetails: { baseCode: demoCode() },

  parseDetails(input) {
    const details = readForm(form, input);
    const baseCode = details.baseCode.trim();
    const fields = readBaseCode(baseCode, rule);
    checkTemplate(schemeTemplate(fields, rule));
    // A hash over the code, by which some acquirers find the payment. With our amount in the code it fits no more.
    if (textOf(fields, '82') !== undefined) {
      throw badAccount(
        '/baseCode',
        'has a hash (field 82), so its acquirer would reject it if an amount were added',
      );
    }
    return { ...details, baseCode };
  },

  accountOf(details) {
    return details.account ?? textOf(schemeTemplate(readBaseCode(details.baseCode, rule), rule), '02') ?? '';
  },

  /** Acquirer and QR id: codes of one account differ in what they show. */
  identityOf(details) {
    const template = schemeTemplate(readBaseCode(details.baseCode, rule), rule);
    return JSON.stringify([textOf(template, '01'), textOf(template, '02')]);
  },

  bankOf: (details) => details.bank ?? 'DuitNow',

  carriesReference: (details) => hasRoomForReference(readBaseCode(details.baseCode, rule)),

  qrCode: (details, payment) =>
    fillBaseCode(readBaseCode(details.baseCode, rule), {
      amount: codeAmount('duit-now', payment.amount),
      reference: payment.nonce,
      demo: payment.demo,
    }),
};

function checkTemplate(template: readonly EmvField[]): void {
  if (!/^\d{6}$/.test(textOf(template, '01') ?? '')) {
    throw badAccount('/baseCode', 'must contain the 6-digit number of its acquirer (26-01)');
  }
  if (!/^.{1,28}$/.test(textOf(template, '02') ?? '')) {
    throw badAccount('/baseCode', 'must contain a QR id of at most 28 characters (26-02)');
  }
}

/** No acquirer has the number 000000. */
function demoCode(): string {
  return writeEmv([
    ['00', '02'],
    ['01', '11'],
    [
      '26',
      [
        ['00', rule.guid],
        ['01', '000000'],
        ['02', 'DEMO00000000'],
      ],
    ],
    ['52', '0000'],
    ['53', currencyNumber(rule.method)],
    ['58', paymentMethods[rule.method].country],
    ['59', 'DEMO'],
    ['60', 'DEMO'],
  ]);
}
