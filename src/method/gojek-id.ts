import { Type } from 'typebox';
import { type BaseCodeRule, fillBaseCode, getSchemeTemplate, readBaseCode } from './base-code.ts';
import { paymentMethods } from './catalog.ts';
import { bankMember, codeMember, detailsForm, invalidAccountError, parseForm } from './details.ts';
import { getText, writeEmv } from './emv.ts';
import { getCurrencyNumber } from './payment-code.ts';
import { formatCodeAmount, type Scheme } from './scheme.ts';

/**
 * QRIS, Indonesia, paid with GoPay or any other app. The acquirer issues merchant IDs, so the merchant
 * provides its own static QRIS (field 51 `ID.CO.QRIS.WWW`). Customers have no field for a remark, so the
 * payment reference is not transmitted and field 62 stays unchanged.
 */
const rule: BaseCodeRule = {
  method: 'gojek-id',
  path: '/staticQrCode',
  name: 'QRIS code',
  templateId: '51',
  guid: 'ID.CO.QRIS.WWW',
};

const form = detailsForm('Static QRIS of the merchant', {
  staticQrCode: codeMember('Content of the static QRIS code that your acquirer issued', createDemoCode()),
  bank: Type.Optional(bankMember('GoPay')),
});

export type GojekIdDetails = { staticQrCode: string; bank?: string };

export const gojekId: Scheme<GojekIdDetails> = {
  method: 'gojek-id',
  detailsSchema: form,
  demoDetails: { staticQrCode: createDemoCode() },

  parseDetails(input) {
    const details = parseForm(form, input);
    const staticQrCode = details.staticQrCode.trim();
    const nmid = getText(getSchemeTemplate(readBaseCode(staticQrCode, rule), rule), '02');
    if (!/^ID\d{13}$/.test(nmid ?? '')) {
      throw invalidAccountError(
        '/staticQrCode',
        'must contain a national merchant ID (the letters "ID" and 13 digits) in field 51-02',
      );
    }
    return { ...details, staticQrCode };
  },

  getAccount: (details) =>
    getText(getSchemeTemplate(readBaseCode(details.staticQrCode, rule), rule), '02') ?? '',

  /**
   * Returns the national merchant ID and the acquirers' fields (26 to 50), because codes of one account may differ in
   * the texts that apps show.
   */
  getIdentity(details) {
    const fields = readBaseCode(details.staticQrCode, rule);
    const acquirers = fields.filter(([id]) => id >= '26' && id < rule.templateId);
    return JSON.stringify([getText(getSchemeTemplate(fields, rule), '02'), acquirers]);
  },

  getBank: (details) => details.bank ?? 'QRIS',
  canCarryReference: () => false,

  qrCode: (details, payment) =>
    fillBaseCode(readBaseCode(details.staticQrCode, rule), {
      amount: formatCodeAmount('gojek-id', payment.amount),
      demo: payment.demo,
    }),
};

/**
 * Creates a code whose merchant ID cannot exist: a real one begins with the year of issue, and this one with
 * zeros.
 */
function createDemoCode(): string {
  return writeEmv([
    ['00', '01'],
    ['01', '11'],
    [
      '26',
      [
        ['00', 'COM.EXAMPLE.WWW'],
        ['01', '936000000000000000'],
        ['02', '00000000000000'],
        ['03', 'UMI'],
      ],
    ],
    [
      '51',
      [
        ['00', rule.guid],
        ['02', 'ID0000000000000'],
        ['03', 'UMI'],
      ],
    ],
    ['52', '0000'],
    ['53', getCurrencyNumber(rule.method)],
    ['58', paymentMethods[rule.method].country],
    ['59', 'DEMO'],
    ['60', 'DEMO'],
    ['61', '00000'],
    ['62', [['07', 'A01']]],
  ]);
}
