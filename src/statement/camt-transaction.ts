import { joinTexts, withoutPlaceholder, withoutUndefined } from './statement-text.ts';
import { findAll, findText, type XmlNode } from './xml-node.ts';

export type CamtParty = { name?: string; account?: string };

/** The fields of a `TxDtls`. They take less memory than its elements, of which a batch booking may have thousands. */
export type CamtTransaction = {
  line: number;
  /** `CRDT` or `DBIT`, if the version and the bank provide it. */
  direction?: string;
  /** The amounts, the most reliable first. They are not parsed yet, because most are never used. */
  amounts: { text: string; currency: string; line: number }[];
  bankReference?: string;
  endToEndId?: string;
  transactionId?: string;
  instructionId?: string;
  mandateId?: string;
  texts: string[];
  /** All references, names, accounts, purposes and remittance information. */
  otherTexts: string[];
  additionalInfo?: string;
  debtor: CamtParty;
  creditor: CamtParty;
  isReturned: boolean;
  returnReason?: string;
};

/**
 * Reads a `TxDtls` element (ISO 20022 EntryTransaction, camt.05x.001.01 to 001.13). The order of amounts is:
 * `Amt` (from version 3: the booked amount), `AmtDtls/TxAmt` (the amount moved), `AmtDtls/CntrValAmt` (after
 * exchange), `AmtDtls/InstdAmt` (ordered by the payer).
 */
export function toCamtTransaction(node: XmlNode): CamtTransaction {
  const getReference = (name: string) => withoutPlaceholder(findText(node, 'Refs', name));
  const endToEndId = getReference('EndToEndId');
  const returns = findAll(node, 'RtrInf');
  return withoutUndefined<CamtTransaction>({
    line: node.line,
    direction: findText(node, 'CdtDbtInd'),
    amounts: [
      ...findAll(node, 'Amt'),
      ...['TxAmt', 'CntrValAmt', 'InstdAmt'].flatMap((name) => findAll(node, 'AmtDtls', name, 'Amt')),
    ].map(({ text, currency = '', line }) => ({ text, currency, line })),
    bankReference: getReference('AcctSvcrRef') ?? getReference('AcctSvcrTxId'),
    endToEndId,
    transactionId: getReference('TxId'),
    instructionId: getReference('InstrId'),
    mandateId: getReference('MndtId'),
    texts: listPayerTexts(node, endToEndId),
    otherTexts: listOtherTexts(node),
    additionalInfo: findText(node, 'AddtlTxInf'),
    debtor: readParty(node, 'Dbtr', 'UltmtDbtr'),
    creditor: readParty(node, 'Cdtr', 'UltmtCdtr'),
    isReturned: returns.length > 0,
    returnReason: returns.flatMap(getReturnReason)[0],
  });
}

/**
 * Returns the texts that the payer may have written, any of which can contain the payment reference:
 * `RmtInf/Ustrd`, and the document number, creditor reference and additional information of `RmtInf/Strd`.
 * The end-to-end ID comes last: banking apps of some schemes put the payer's reference there. `InstrId`,
 * `TxId`, `ClrSysRef` and `Prtry` are among the other texts, since banks and clearing systems generate them.
 */
function listPayerTexts(node: XmlNode, endToEndId: string | undefined): string[] {
  const remittance = findAll(node, 'RmtInf').flatMap(({ children }) => children);
  const texts = remittance
    .flatMap((part) => (part.name === 'Strd' ? part.children.flatMap(listStructuredTexts) : [part]))
    .map(({ text }) => text)
    .filter((text) => text !== '');
  const isIncluded = endToEndId === undefined || texts.some((text) => text.includes(endToEndId));
  return isIncluded ? texts : [...texts, endToEndId];
}

/** Returns the texts of the identifiers, parties, purposes and remittance information. */
function listOtherTexts(node: XmlNode): string[] {
  const parts = ['Refs', 'RltdPties', 'LclInstrm', 'Purp', 'RltdRmtInf', 'RmtInf'].flatMap((name) =>
    findAll(node, name),
  );
  return [...new Set(parts.flatMap(listLeafTexts))];
}

function listLeafTexts({ text, children }: XmlNode): string[] {
  if (children.length > 0) return children.flatMap(listLeafTexts);
  const leafText = withoutPlaceholder(text);
  return leafText === undefined ? [] : [leafText];
}

function listStructuredTexts(part: XmlNode): XmlNode[] {
  if (part.name === 'RfrdDocInf') return findAll(part, 'Nb');
  if (part.name === 'CdtrRefInf') return findAll(part, 'Ref');
  return part.name === 'AddtlRmtInf' ? [part] : [];
}

/**
 * Reads the name and account of a party. Up to version 7, its element is the party; from version 8, its element
 * contains a party (`Pty`) or, for banks, an agent (`Agt`).
 */
function readParty(node: XmlNode, role: string, ultimateRole: string): CamtParty {
  const parties = findAll(node, 'RltdPties');
  const partyNodes = parties.flatMap((all) => [...findAll(all, role), ...findAll(all, ultimateRole)]);
  const name = [
    ...partyNodes.flatMap((node) => [node, ...findAll(node, 'Pty')]),
    ...partyNodes.flatMap((node) => findAll(node, 'Agt', 'FinInstnId')),
  ]
    .map((node) => withoutPlaceholder(findText(node, 'Nm')))
    .find((text) => text !== undefined);
  const account = findAll(node, 'RltdPties', `${role}Acct`).map(getCamtAccountId)[0];
  return withoutUndefined<CamtParty>({ name, account });
}

/**
 * Returns the account number of an account element: its IBAN, else its other ID, else its proxy (phone,
 * email, ID).
 */
export function getCamtAccountId(account: XmlNode): string | undefined {
  const iban = withoutPlaceholder(findText(account, 'Id', 'IBAN'))?.replace(/\s/g, '');
  return (
    iban ??
    withoutPlaceholder(findText(account, 'Id', 'Othr', 'Id')) ??
    withoutPlaceholder(findText(account, 'Prxy', 'Id'))
  );
}

function getReturnReason(returnInfo: XmlNode): string | undefined {
  const code = findText(returnInfo, 'Rsn', 'Cd') ?? findText(returnInfo, 'Rsn', 'Prtry');
  return joinTexts([code, ...findAll(returnInfo, 'AddtlInf').map(({ text }) => text)]);
}
