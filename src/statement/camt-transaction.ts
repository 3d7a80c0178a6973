import { joinTexts, withoutPlaceholder, withoutUndefined } from './statement-text.ts';
import { findAll, textAt, type XmlNode } from './xml-node.ts';

export type CamtParty = { name?: string; account?: string };

/** The fields of a `TxDtls`, kept small: a batch booking may hold many thousands of them. */
export type CamtTransaction = {
  line: number;
  /** `CRDT` or `DBIT`, if the version and the bank provide it. */
  direction?: string;
  /** Unparsed amounts, since most are never used; the most reliable first. */
  amounts: { text: string; currency: string; line: number }[];
  bankReference?: string;
  endToEndId?: string;
  transactionId?: string;
  instructionId?: string;
  mandateId?: string;
  texts: string[];
  additionalInfo?: string;
  debtor: CamtParty;
  creditor: CamtParty;
  returned: boolean;
  returnReason?: string;
};

/**
 * Reads a `TxDtls` element (ISO 20022 EntryTransaction, camt.05x.001.02 to 001.13). The order of amounts is:
 * `Amt` (from version 3: the booked amount), `AmtDtls/TxAmt` (the amount moved), `AmtDtls/CntrValAmt` (after
 * exchange), `AmtDtls/InstdAmt` (ordered by the payer).
 */
export function camtTransaction(node: XmlNode): CamtTransaction {
  const reference = (name: string) => withoutPlaceholder(textAt(node, 'Refs', name));
  const endToEndId = reference('EndToEndId');
  const returns = findAll(node, 'RtrInf');
  return withoutUndefined<CamtTransaction>({
    line: node.line,
    direction: textAt(node, 'CdtDbtInd'),
    amounts: [
      ...findAll(node, 'Amt'),
      ...['TxAmt', 'CntrValAmt', 'InstdAmt'].flatMap((name) => findAll(node, 'AmtDtls', name, 'Amt')),
    ].map(({ text, currency = '', line }) => ({ text, currency, line })),
    bankReference: reference('AcctSvcrRef') ?? reference('AcctSvcrTxId'),
    endToEndId,
    transactionId: reference('TxId'),
    instructionId: reference('InstrId'),
    mandateId: reference('MndtId'),
    texts: payerTexts(node, endToEndId),
    additionalInfo: textAt(node, 'AddtlTxInf'),
    debtor: party(node, 'Dbtr', 'UltmtDbtr'),
    creditor: party(node, 'Cdtr', 'UltmtCdtr'),
    returned: returns.length > 0,
    returnReason: returns.flatMap(returnReason)[0],
  });
}

/**
 * Returns the texts that the payer may have written, any of which can contain the payment reference:
 * `RmtInf/Ustrd`, and the document number, creditor reference and additional information of `RmtInf/Strd`.
 * The end-to-end ID comes last: banking apps of some schemes put the payer's reference there. `InstrId`,
 * `TxId`, `ClrSysRef` and `Prtry` are excluded, since banks and clearing systems generate them.
 */
function payerTexts(node: XmlNode, endToEndId: string | undefined): string[] {
  const remittance = findAll(node, 'RmtInf').flatMap(({ children }) => children);
  const texts = remittance
    .flatMap((part) => (part.name === 'Strd' ? part.children.flatMap(structuredTexts) : [part]))
    .map(({ text }) => text)
    .filter((text) => text !== '');
  const isIncluded = endToEndId === undefined || texts.some((text) => text.includes(endToEndId));
  return isIncluded ? texts : [...texts, endToEndId];
}

function structuredTexts(part: XmlNode): XmlNode[] {
  if (part.name === 'RfrdDocInf') return findAll(part, 'Nb');
  if (part.name === 'CdtrRefInf') return findAll(part, 'Ref');
  return part.name === 'AddtlRmtInf' ? [part] : [];
}

/**
 * Up to version 7 the element is the party itself; from version 8 it contains a party or, for banks, an
 * agent.
 */
function party(node: XmlNode, role: string, ultimate: string): CamtParty {
  const parties = findAll(node, 'RltdPties');
  const partyNodes = parties.flatMap((all) => [...findAll(all, role), ...findAll(all, ultimate)]);
  const name = [
    ...partyNodes.flatMap((one) => [one, ...findAll(one, 'Pty')]),
    ...partyNodes.flatMap((one) => findAll(one, 'Agt', 'FinInstnId')),
  ]
    .map((one) => withoutPlaceholder(textAt(one, 'Nm')))
    .find((text) => text !== undefined);
  const account = findAll(node, 'RltdPties', `${role}Acct`).map(camtAccountId)[0];
  return withoutUndefined<CamtParty>({ name, account });
}

/**
 * Returns the account number of an account element: its IBAN, else its other ID, else its proxy (phone,
 * email, ID).
 */
export function camtAccountId(account: XmlNode): string | undefined {
  const iban = withoutPlaceholder(textAt(account, 'Id', 'IBAN'))?.replace(/\s/g, '');
  return (
    iban ??
    withoutPlaceholder(textAt(account, 'Id', 'Othr', 'Id')) ??
    withoutPlaceholder(textAt(account, 'Prxy', 'Id'))
  );
}

function returnReason(returnInfo: XmlNode): string | undefined {
  const code = textAt(returnInfo, 'Rsn', 'Cd') ?? textAt(returnInfo, 'Rsn', 'Prtry');
  return joinTexts([code, ...findAll(returnInfo, 'AddtlInf').map(({ text }) => text)]);
}
