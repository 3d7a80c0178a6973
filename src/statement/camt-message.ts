import { invalidStatementError } from './invalid-statement.ts';
import type { XmlTag } from './read-xml.ts';

/**
 * A supported message. `statementElement` is its repeated element, which contains an account and entries; `label` is
 * what error messages call that element.
 */
export type CamtMessage = { name: 'camt.053' | 'camt.054'; statementElement: string; label: string };

const messages = new Map<string, CamtMessage>([
  ['BkToCstmrStmt', { name: 'camt.053', statementElement: 'Stmt', label: 'statement' }],
  ['BkToCstmrDbtCdtNtfctn', { name: 'camt.054', statementElement: 'Ntfctn', label: 'notification' }],
]);

/** Versions verified against the ISO 20022 catalog and its archive. */
const versions = { first: 2, last: 13 };

const supported = 'camt.053 and camt.054, versions 001.02 to 001.13, are supported';

/**
 * Checks the namespace of a `Document` element. Accepts `urn:iso:std:iso:20022:tech:xsd:camt.053.001.08`, a
 * national variant that contains the same identifier, or no namespace.
 */
export function checkDocument({ namespace, line }: XmlTag): void {
  if (namespace === '') return;
  const match = /(?:^|[^a-z0-9])([a-z]{4}\.\d{3})\.(\d{3})\.(\d{2})(?!\d)/.exec(namespace);
  if (!match) {
    throw invalidStatementError(
      line,
      `the namespace "${namespace.slice(0, 100)}" is not a supported ISO 20022 message: ${supported}`,
    );
  }
  const [, name, variant, version] = match;
  const isSupported = [...messages.values()].some((message) => message.name === name) && variant === '001';
  if (!isSupported || Number(version) < versions.first || Number(version) > versions.last) {
    throw invalidStatementError(line, `${name}.${variant}.${version} is not supported: ${supported}`);
  }
}

/**
 * Returns the message that an element inside `Document` opens. Throws if the message is not supported, or if the
 * namespace of the element differs from that of its `Document`.
 */
export function getCamtMessage(tag: XmlTag, documentNamespace: string): CamtMessage {
  const message = messages.get(tag.name);
  if (!message)
    throw invalidStatementError(
      tag.line,
      `<${tag.name.slice(0, 80)}> is not a supported message: ${supported}`,
    );
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
