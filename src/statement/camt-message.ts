import { invalidStatementError } from './invalid-statement.ts';
import type { XmlTag } from './read-xml.ts';

/**
 * A supported message. `statementElement` is its repeated element, which contains an account and entries; `label` is
 * what error messages call that element.
 */
export type CamtMessage = {
  name: 'camt.052' | 'camt.053' | 'camt.054';
  statementElement: string;
  label: string;
};

const messages = new Map<string, CamtMessage>([
  ['BkToCstmrAcctRpt', { name: 'camt.052', statementElement: 'Rpt', label: 'report' }],
  ['BkToCstmrStmt', { name: 'camt.053', statementElement: 'Stmt', label: 'statement' }],
  ['BkToCstmrDbtCdtNtfctn', { name: 'camt.054', statementElement: 'Ntfctn', label: 'notification' }],
]);

/** The latest version verified against the ISO 20022 catalog. Later ones are read like it. */
const lastVersion = 13;

const supported = 'camt.052, camt.053 and camt.054 are supported';

/** Other ISO 20022 messages that merchants have, by their name and by the element inside `Document`. */
const otherMessages: [name: string, element: string, title: string][] = [
  ['pain.001', 'CstmrCdtTrfInitn', 'a payment order to the bank'],
  ['pain.002', 'CstmrPmtStsRpt', 'a status report of payment orders'],
  ['pain.007', 'CstmrPmtRvsl', 'a reversal of payment orders'],
  ['pain.008', 'CstmrDrctDbtInitn', 'a direct debit order to the bank'],
  ['pain.013', 'CdtrPmtActvtnReq', 'a request to pay'],
  ['pain.014', 'CdtrPmtActvtnReqStsRpt', 'a status report of requests to pay'],
  ['camt.029', 'RsltnOfInvstgtn', 'the answer to an investigation'],
  ['camt.055', 'CstmrPmtCxlReq', 'a request to cancel payments'],
  ['camt.056', 'FIToFIPmtCxlReq', 'a request between banks to cancel payments'],
  ['camt.060', 'AcctRptgReq', 'a request for a report'],
  ['camt.086', 'BkSvcsBllgStmt', 'a bill of the bank for its services'],
  ['pacs.002', 'FIToFIPmtStsRpt', 'a status report between banks'],
  ['pacs.004', 'PmtRtr', 'a return between banks'],
  ['pacs.008', 'FIToFICstmrCdtTrf', 'a credit transfer between banks'],
];

/**
 * Checks the namespace of a `Document` element. Accepts `urn:iso:std:iso:20022:tech:xsd:camt.053.001.08`, a
 * national variant that contains the same identifier, or no namespace. Returns a note if the version is later than
 * `lastVersion`.
 */
export function checkDocument({ namespace, line }: XmlTag): string | undefined {
  if (namespace === '') return undefined;
  const match = /(?:^|[^a-z0-9])([a-z]{4}\.\d{3})\.(\d{3})\.(\d{2})(?!\d)/.exec(namespace);
  if (!match) {
    throw invalidStatementError(
      line,
      `the namespace "${namespace.slice(0, 100)}" is not a supported ISO 20022 message: ${supported}`,
    );
  }
  const [, name = '', variant, version] = match;
  const id = `${name}.${variant}.${version}`;
  const [, , title] = otherMessages.find(([other]) => other === name) ?? [];
  if (title !== undefined) throw invalidStatementError(line, `this file is ${id}, ${title}: ${supported}`);
  const isSupported = [...messages.values()].some((message) => message.name === name) && variant === '001';
  if (!isSupported || Number(version) < 1) {
    throw invalidStatementError(line, `${id} is not supported: ${supported}`);
  }
  if (Number(version) <= lastVersion) return undefined;
  return `${id} is a later version than ${name}.001.${lastVersion} and was read like it`;
}

/**
 * Returns the message that an element inside `Document` opens, and checks that it is in the namespace of the
 * `Document`.
 */
export function getCamtMessage(tag: XmlTag, documentNamespace: string): CamtMessage {
  // The first versions have the version in the name of the element.
  const element = tag.name.replace(/V0\d$/, '');
  const message = messages.get(element);
  if (!message) {
    const [name, , title] = otherMessages.find(([, other]) => other === element) ?? [];
    const reason = name
      ? `this file is ${name}, ${title}`
      : `<${tag.name.slice(0, 80)}> is not a supported message`;
    throw invalidStatementError(tag.line, `${reason}: ${supported}`);
  }
  if (tag.namespace !== documentNamespace) {
    throw invalidStatementError(tag.line, `<${tag.name}> is not in the namespace of its <Document>`);
  }
  if (documentNamespace !== '' && !documentNamespace.includes(message.name)) {
    throw invalidStatementError(
      tag.line,
      `<${tag.name}> does not belong in the namespace "${documentNamespace.slice(0, 100)}"`,
    );
  }
  return message;
}
