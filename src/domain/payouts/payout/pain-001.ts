import type { ReceivingAccount, Refund } from '../../../../prisma/client/client.ts';
import { Decimal } from '../../../kit/decimal.ts';
import { toDecimal } from '../../../kit/money.ts';
import type { PayoutDetails } from '../../../method/payout-details.ts';

type PainVersion = '03' | '09';

/** The lengths of Max35Text, Max34Text and Max140Text in ISO 20022. */
const idLengthMax = 35;
const accountLengthMax = 34;
const textLengthMax = 140;

/** The ISO 20022 codes of national clearing systems (external code set). */
const clearingSystems: Record<string, { code: string; getMemberId: (payment: PayoutInstruction) => string }> =
  {
    HK: { code: 'HKNCC', getMemberId: ({ details }) => details.bank },
    AU: { code: 'AUBSB', getMemberId: ({ details }) => details.bank },
    IN: { code: 'INFSC', getMemberId: ({ details }) => details.bank },
    // The account number begins with the numbers of the bank and the branch.
    NZ: { code: 'NZNCC', getMemberId: ({ details }) => details.account.replace(/\D/g, '').slice(0, 6) },
  };

/**
 * Formats a credit transfer initiation, `pain.001.001.03` or `.09`, with one payment information block per
 * paying account. Each payment has the refund's payout reference as end-to-end ID and remittance text,
 * because banks forward only one of them.
 */
export function printPain001(
  payments: readonly PayoutInstruction[],
  options: { version: PainVersion; messageId: string; initiator: string; day: string; now: Date },
): string {
  const { version, messageId } = options;
  const groups = [...Map.groupBy(payments, ({ payingAccount }) => payingAccount.id).values()];
  const header = element('GrpHdr', [
    element('MsgId', messageId.slice(-idLengthMax)),
    element('CreDtTm', options.now.toISOString().slice(0, 19)),
    element('NbOfTxs', String(payments.length)),
    element('CtrlSum', sumAmounts(payments)),
    element('InitgPty', [element('Nm', normalizeText(options.initiator))]),
  ]);
  const information = groups.map((group, i) => buildPaymentInformation(group, { ...options, number: i + 1 }));
  const root = element('CstmrCdtTrfInitn', [header, ...information]);
  const namespace = `urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}`;
  return printXml(element('Document', [root], { xmlns: namespace }));
}

function buildPaymentInformation(
  payments: readonly PayoutInstruction[],
  options: { version: PainVersion; messageId: string; day: string; number: number },
): Xml {
  const { version, messageId, day, number } = options;
  const payingAccount = (payments[0] as PayoutInstruction).payingAccount;
  return element('PmtInf', [
    element('PmtInfId', `${messageId.slice(-(idLengthMax - 5))}-${number}`),
    element('PmtMtd', 'TRF'),
    element('NbOfTxs', String(payments.length)),
    element('CtrlSum', sumAmounts(payments)),
    element('ReqdExctnDt', version === '03' ? day : [element('Dt', day)]),
    element('Dbtr', [element('Nm', normalizeText(payingAccount.holder))]),
    element('DbtrAcct', [buildAccountId(payingAccount.account), element('Ccy', payingAccount.currency)]),
    element('DbtrAgt', [element('FinInstnId', [element('Nm', normalizeText(payingAccount.bank))])]),
    element('ChrgBr', 'SHAR'),
    ...payments.map(buildCreditTransfer),
  ]);
}

function buildCreditTransfer(payment: PayoutInstruction): Xml {
  const { refund, details } = payment;
  const { customerAmount: minor, customerCurrency: currency, payoutReference: reference } = refund;
  return element('CdtTrfTxInf', [
    element('PmtId', [element('InstrId', reference), element('EndToEndId', reference)]),
    element('Amt', [element('InstdAmt', toDecimal({ minor, currency }), { Ccy: currency })]),
    element('CdtrAgt', [element('FinInstnId', buildInstitution(payment))]),
    element('Cdtr', [
      element('Nm', normalizeText(details.holder)),
      element('PstlAdr', [element('Ctry', payment.country)]),
    ]),
    element('CdtrAcct', [buildAccountId(details.account)]),
    element('RmtInf', [element('Ustrd', reference)]),
  ]);
}

/**
 * Returns the identification of the receiving bank: its number in the country's clearing system or, if there
 * is none, its name.
 */
function buildInstitution(payment: PayoutInstruction): Xml[] {
  const system = clearingSystems[payment.country];
  if (!system) return [element('Nm', normalizeText(payment.details.bank))];
  const id = element('ClrSysId', [element('Cd', system.code)]);
  return [element('ClrSysMmbId', [id, element('MmbId', system.getMemberId(payment))])];
}

/** Returns the identification of an account. Accounts in the supported countries are not IBANs. */
function buildAccountId(account: string): Xml {
  return element('Id', [element('Othr', [element('Id', normalizeText(account, accountLengthMax))])]);
}

/**
 * Returns whether a payment file can contain this paying account; the long handle of a wallet does not fit.
 */
export function canPayByFile(account: Pick<ReceivingAccount, 'account'>): boolean {
  return [...account.account.trim()].length <= accountLengthMax;
}

function normalizeText(value: string, lengthMax = textLengthMax): string {
  return [...value.replace(/\s+/g, ' ').trim()].slice(0, lengthMax).join('').trim();
}

/** Returns the sum over all currencies, as the standard requires. */
function sumAmounts(payments: readonly PayoutInstruction[]): string {
  const amounts = payments.map(({ refund: { customerAmount: minor, customerCurrency: currency } }) =>
    toDecimal({ minor, currency }),
  );
  return Decimal.sum(0, ...amounts).toFixed();
}

/** An XML element with its attributes, and its text or child elements; undefined children are omitted. */
type Xml = {
  name: string;
  attributes?: Record<string, string>;
  content: string | readonly (Xml | undefined)[];
};

function element(name: string, content: Xml['content'], attributes?: Xml['attributes']): Xml {
  return { name, content, ...(attributes && { attributes }) };
}

/** Serializes an element as an XML 1.0 document in UTF-8. */
function printXml(root: Xml): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${printElement(root)}\n`;
}

function printElement({ name, attributes = {}, content }: Xml): string {
  const attributeText = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const inner =
    typeof content === 'string'
      ? escapeXml(content)
      : content.map((child) => (child === undefined ? '' : printElement(child))).join('');
  return `<${name}${attributeText.join('')}>${inner}</${name}>`;
}

/** Escapes markup, and removes characters that XML 1.0 cannot represent. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

export type PayoutInstruction = {
  refund: Refund;
  details: PayoutDetails;
  /** The country of the recipient's bank, ISO 3166-1 alpha-2. */
  country: string;
  payingAccount: ReceivingAccount;
};
