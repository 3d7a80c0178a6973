import { Type } from 'typebox';
import {
  type BaseCodeRule,
  canFitReference,
  fillBaseCode,
  getSchemeTemplate,
  readBaseCode,
} from './base-code.ts';
import { paymentMethods } from './catalog.ts';
import {
  bankMember,
  codeMember,
  detailsForm,
  invalidAccountError,
  parseForm,
  textMember,
} from './details.ts';
import { type EmvField, getText, writeEmv } from './emv.ts';
import { getCurrencyNumber } from './payment-code.ts';
import { formatCodeAmount, type Scheme } from './scheme.ts';

/**
 * DuitNow QR, Malaysia. The acquirer assigns the QR ID, which cannot be derived from a DuitNow ID. So the
 * merchant provides its own static DuitNow QR (PayNet, DuitNow QR MPM 1.5: field 26 `A0000006150001`).
 */
const rule: BaseCodeRule = {
  method: 'duit-now',
  path: '/staticQrCode',
  name: 'DuitNow QR code',
  templateId: '26',
  guid: 'A0000006150001',
};

const form = detailsForm('Static DuitNow QR of the merchant', {
  staticQrCode: codeMember(
    'Content of the static DuitNow QR code that the bank or wallet issued',
    createDemoCode(),
  ),
  account: Type.Optional(
    textMember('DuitNow ID or account number to show beside the QR code', '60123456789', 40),
  ),
  bank: Type.Optional(bankMember('Maybank')),
});

export type DuitNowDetails = { staticQrCode: string; account?: string; bank?: string };

export const duitNow: Scheme<DuitNowDetails> = {
  method: 'duit-now',
  detailsSchema: form,
  demoDetails: { staticQrCode: createDemoCode() },

  parseDetails(input) {
    const details = parseForm(form, input);
    const staticQrCode = details.staticQrCode.trim();
    const fields = readBaseCode(staticQrCode, rule);
    checkTemplate(getSchemeTemplate(fields, rule));
    // Some acquirers identify the payment by a hash of the code, which an added amount would invalidate.
    if (getText(fields, '82') !== undefined) {
      throw invalidAccountError(
        '/staticQrCode',
        'must have no hash (field 82), because the acquirer would reject the code with an added amount',
      );
    }
    return { ...details, staticQrCode };
  },

  getAccount(details) {
    return (
      details.account ??
      getText(getSchemeTemplate(readBaseCode(details.staticQrCode, rule), rule), '02') ??
      ''
    );
  },

  /** Returns acquirer and QR ID, because codes of one account may differ in the texts that apps show. */
  getIdentity(details) {
    const template = getSchemeTemplate(readBaseCode(details.staticQrCode, rule), rule);
    return JSON.stringify([getText(template, '01'), getText(template, '02')]);
  },

  getBank: (details) => details.bank ?? 'DuitNow',

  canCarryReference: (details) => canFitReference(readBaseCode(details.staticQrCode, rule)),

  qrCode: (details, payment) =>
    fillBaseCode(readBaseCode(details.staticQrCode, rule), {
      amount: formatCodeAmount('duit-now', payment.amount),
      reference: payment.paymentReference,
      demo: payment.demo,
    }),
};

function checkTemplate(template: readonly EmvField[]): void {
  if (!/^\d{6}$/.test(getText(template, '01') ?? '')) {
    throw invalidAccountError(
      '/staticQrCode',
      'must contain the 6-digit number of its acquirer in field 26-01',
    );
  }
  if (!/^.{1,28}$/.test(getText(template, '02') ?? '')) {
    throw invalidAccountError(
      '/staticQrCode',
      'must contain a QR ID of at most 28 characters in field 26-02',
    );
  }
}

/** Creates a code of acquirer 000000, which does not exist. */
function createDemoCode(): string {
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
    ['53', getCurrencyNumber(rule.method)],
    ['58', paymentMethods[rule.method].country],
    ['59', 'DEMO'],
    ['60', 'DEMO'],
  ]);
}
