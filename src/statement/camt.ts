import { type CamtStatement, toCamtEntries } from './camt-entry.ts';
import { type CamtMessage, checkDocument, getCamtMessage } from './camt-message.ts';
import { type CamtTransaction, getCamtAccountId, toCamtTransaction } from './camt-transaction.ts';
import { addSize, addText, type CamtTree, closeNode, nodeSize, openNode } from './camt-tree.ts';
import { invalidStatementError } from './invalid-statement.ts';
import { readXml, type XmlHandler, type XmlTag } from './read-xml.ts';
import type { StatementEntry, StatementKind } from './statement-entry.ts';
import { withoutPlaceholder, withoutUndefined } from './statement-text.ts';
import { findText, type XmlNode } from './xml-node.ts';

/** The position in the file, and the data of the current part (`Id`, `Acct` or `Ntry`). */
type CamtReaderState = {
  entries: StatementEntry[];
  /** The number of elements that are open and skipped. */
  skipDepth: number;
  level: 'outside' | 'document' | 'message' | 'statement';
  root: XmlTag | undefined;
  documentCount: number;
  namespace: string;
  message: CamtMessage | undefined;
  onKind: ((kind: StatementKind) => void) | undefined;
  statementCount: number;
  hasEntry: boolean;
  statement: CamtStatement;
  tree: CamtTree;
  transactions: CamtTransaction[];
  /** The size of the tree before the current transaction. */
  transactionStart: { size: number; textLength: number };
};

/**
 * Reads ISO 20022 camt.053 (statement) and camt.054 (debit and credit notification), versions 001.02 to 001.13. Accepts
 * any namespace prefix or none, and a `Document` anywhere in an envelope. Keeps only one `Ntry` in memory, and yields
 * entries in file order. Throws `invalid_statement` with line and reason, possibly after some entries, so the caller
 * must import all or nothing. Calls `onKind` for each message.
 */
export async function* readCamt(
  source: AsyncIterable<Uint8Array>,
  onKind?: (kind: StatementKind) => void,
): AsyncGenerator<StatementEntry> {
  const state: CamtReaderState = {
    entries: [],
    skipDepth: 0,
    level: 'outside',
    root: undefined,
    documentCount: 0,
    namespace: '',
    message: undefined,
    onKind,
    statementCount: 0,
    hasEntry: false,
    statement: { kind: 'camt.053' },
    tree: { openNodes: [], size: 0, textLength: 0 },
    transactions: [],
    transactionStart: { size: 0, textLength: 0 },
  };
  const handler: XmlHandler = {
    open: (tag) => handleOpen(state, tag),
    text: (text) => addText(state.tree, text),
    close: (line) => handleClose(state, line),
  };
  for await (const _ of readXml(source, handler)) yield* state.entries.splice(0);
  if (state.documentCount > 0) return;
  const { line = 1, name = '' } = state.root ?? {};
  throw invalidStatementError(
    line,
    `<${name.slice(0, 80)}> is not an ISO 20022 message: it contains no <Document>`,
  );
}

function handleOpen(state: CamtReaderState, tag: XmlTag): void {
  state.root ??= tag;
  const isOtherNamespace = tag.namespace !== state.namespace;
  if (state.skipDepth > 0) {
    state.skipDepth += 1;
  } else if (state.tree.openNodes.length > 0) {
    if (isOtherNamespace || !openNode(state.tree, tag)) state.skipDepth = 1;
    else if (tag.name === 'TxDtls') state.transactionStart = { ...state.tree };
  } else if (state.level === 'outside') {
    if (tag.name === 'Document') openDocument(state, tag);
  } else if (state.level === 'document') {
    state.message = getCamtMessage(tag, state.namespace);
    state.onKind?.(state.message.name);
    state.statementCount = 0;
    state.level = 'message';
  } else if (state.level === 'message') {
    if (isOtherNamespace || tag.name !== state.message?.statementElement) state.skipDepth = 1;
    else openStatement(state);
  } else if (isOtherNamespace || !['Id', 'Acct', 'Ntry'].includes(tag.name)) {
    state.skipDepth = 1;
  } else {
    state.tree.size = 0;
    openNode(state.tree, tag);
  }
}

function openDocument(state: CamtReaderState, tag: XmlTag): void {
  checkDocument(tag);
  state.namespace = tag.namespace;
  state.message = undefined;
  state.documentCount += 1;
  state.level = 'document';
}

function openStatement(state: CamtReaderState): void {
  state.statementCount += 1;
  state.statement = { kind: state.message!.name };
  state.hasEntry = false;
  state.level = 'statement';
}

function handleClose(state: CamtReaderState, line: number): void {
  if (state.skipDepth > 0) {
    state.skipDepth -= 1;
  } else if (state.tree.openNodes.length > 0) {
    const node = closeNode(state.tree);
    const parent = state.tree.openNodes.at(-1);
    if (!parent) closePart(state, node);
    else if (node.name === 'TxDtls') closeTransaction(state, node, parent);
  } else if (state.level === 'statement') {
    state.level = 'message';
  } else if (state.level === 'message') {
    const { statementElement, label } = state.message!;
    if (state.statementCount === 0)
      throw invalidStatementError(line, `the message contains no ${label} (<${statementElement}>)`);
    state.level = 'document';
  } else if (state.level === 'document') {
    if (!state.message) throw invalidStatementError(line, 'the <Document> is empty');
    state.level = 'outside';
  }
}

/** Reduces a transaction to its fields as soon as it ends, because an entry may have very many transactions. */
function closeTransaction(state: CamtReaderState, node: XmlNode, parent: XmlNode): void {
  parent.children.pop();
  state.transactions.push(toCamtTransaction(node));
  const { tree, transactionStart } = state;
  tree.size = transactionStart.size;
  addSize(tree, nodeSize + tree.textLength - transactionStart.textLength);
}

function closePart(state: CamtReaderState, node: XmlNode): void {
  if (node.name === 'Ntry') {
    const { transactions, statement } = state;
    state.transactions = [];
    state.hasEntry = true;
    for (const entry of toCamtEntries(node, { transactions, statement })) state.entries.push(entry);
    return;
  }
  // In a valid file, `Id` and `Acct` come before the entries. Accepting them later would leave earlier entries without
  // them.
  if (state.hasEntry) throw invalidStatementError(node.line, `<${node.name}> must come before the entries`);
  const part =
    node.name === 'Id'
      ? { statementId: withoutPlaceholder(node.text) }
      : { accountId: getCamtAccountId(node), accountCurrency: findText(node, 'Ccy') };
  state.statement = withoutUndefined<CamtStatement>({ ...state.statement, ...part });
}
