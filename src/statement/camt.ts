import { camtControlElements, findMessagePages, readCamtControlTotals } from './camt-control.ts';
import { type CamtStatement, readEntryAmount, toCamtEntries } from './camt-entry.ts';
import { type CamtMessage, checkDocument, getCamtMessage } from './camt-message.ts';
import { type CamtTransaction, getCamtAccountId, toCamtTransaction } from './camt-transaction.ts';
import { addSize, addText, type CamtTree, closeNode, nodeSize, openNode } from './camt-tree.ts';
import {
  addToTotals,
  createTotals,
  type StatementListeners,
  type StatementSummary,
  type StatementTotals,
  withoutEmptyTotals,
} from './control-totals.ts';
import { invalidStatementError } from './invalid-statement.ts';
import { readXml, type XmlHandler, type XmlTag } from './read-xml.ts';
import type { StatementEntry } from './statement-entry.ts';
import { withoutPlaceholder, withoutUndefined } from './statement-text.ts';
import { findText, type XmlNode } from './xml-node.ts';

/** The position in the file, and the data of the current message and statement. */
type CamtReaderState = {
  entries: StatementEntry[];
  /** The number of elements that are open and skipped. */
  skipDepth: number;
  level: 'outside' | 'document' | 'message' | 'statement';
  root: XmlTag | undefined;
  /** Whether the current XML document contains a `Document`. */
  hasDocument: boolean;
  namespace: string;
  /** A remark of the reader about the document. */
  note: string | undefined;
  message: CamtMessage | undefined;
  onKind: StatementListeners['onKind'];
  onStatement: StatementListeners['onStatement'];
  statementCount: number;
  hasEntry: boolean;
  statement: CamtStatement;
  /** The line on which the statement begins. */
  statementLine: number;
  totals: StatementTotals;
  /** The elements of the message and of the statement that have control totals or page numbers. */
  messageParts: XmlNode[];
  controlParts: XmlNode[];
  tree: CamtTree;
  transactions: CamtTransaction[];
  /** The size of the tree before the current transaction. */
  transactionStart: { size: number; textLength: number };
};

/**
 * Reads ISO 20022 camt.052 (interim report), camt.053 (statement) and camt.054 (debit and credit notification) of
 * all versions. Accepts any namespace prefix or none, a `Document` anywhere in an envelope, and several XML
 * documents one after the other. Keeps only one `Ntry` in memory, and yields entries in file order. Throws
 * `invalid_statement` with line and reason, possibly after some entries, so the caller must import all or nothing.
 */
export async function* readCamt(
  source: AsyncIterable<Uint8Array>,
  listeners: StatementListeners = {},
): AsyncGenerator<StatementEntry> {
  const state = createState(listeners);
  const handler: XmlHandler = {
    open: (tag) => handleOpen(state, tag),
    text: (text) => addText(state.tree, text),
    close: (line) => handleClose(state, line),
  };
  for await (const _ of readXml(source, handler)) yield* state.entries.splice(0);
  checkRoot(state);
}

/** Checks that the XML document that has ended contains a `Document`. */
function checkRoot({ root, hasDocument }: CamtReaderState): void {
  if (!root || hasDocument) return;
  const { line, name } = root;
  throw invalidStatementError(
    line,
    `<${name.slice(0, 80)}> is not an ISO 20022 message: it contains no <Document>`,
  );
}

function createState({ onKind, onStatement }: StatementListeners): CamtReaderState {
  return {
    entries: [],
    skipDepth: 0,
    level: 'outside',
    root: undefined,
    hasDocument: false,
    namespace: '',
    note: undefined,
    message: undefined,
    onKind,
    onStatement,
    statementCount: 0,
    hasEntry: false,
    statement: { kind: 'camt.053' },
    statementLine: 0,
    totals: createTotals(),
    messageParts: [],
    controlParts: [],
    tree: { openNodes: [], size: 0, textLength: 0 },
    transactions: [],
    transactionStart: { size: 0, textLength: 0 },
  };
}

function handleOpen(state: CamtReaderState, tag: XmlTag): void {
  if (tag.isRoot) {
    checkRoot(state);
    Object.assign(state, { root: tag, hasDocument: false });
  }
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
    if (isOtherNamespace) state.skipDepth = 1;
    else if (tag.name === state.message?.statementElement) openStatement(state, tag);
    else if (tag.name === 'GrpHdr') openPart(state, tag);
    else state.skipDepth = 1;
  } else if (isOtherNamespace || !statementParts.has(tag.name)) {
    state.skipDepth = 1;
  } else {
    openPart(state, tag);
  }
}

const statementParts = new Set(['Id', 'Acct', 'Ntry', ...camtControlElements]);

function openPart({ tree }: CamtReaderState, tag: XmlTag): void {
  tree.size = 0;
  tree.textLength = 0;
  openNode(tree, tag);
}

function openDocument(state: CamtReaderState, tag: XmlTag): void {
  state.note = checkDocument(tag);
  state.namespace = tag.namespace;
  state.message = undefined;
  state.messageParts = [];
  state.hasDocument = true;
  state.level = 'document';
}

function openStatement(state: CamtReaderState, { line }: XmlTag): void {
  state.statementCount += 1;
  state.statementLine = line;
  state.totals = createTotals();
  state.controlParts = [];
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
    state.onStatement?.(toSummary(state));
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
    const entries = toCamtEntries(node, { transactions, statement });
    addToTotals(state.totals, toTotal(node, entries));
    for (const entry of entries) state.entries.push(entry);
    return;
  }
  if (node.name === 'GrpHdr') {
    state.messageParts = findMessagePages(node);
    return;
  }
  if (camtControlElements.includes(node.name)) {
    state.controlParts.push(node);
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

/** Returns the amount of the whole `Ntry`. The status is that of its last entry, because details may come before it. */
function toTotal(
  node: XmlNode,
  entries: StatementEntry[],
): Pick<StatementEntry, 'direction' | 'status' | 'amount'> {
  const direction = findText(node, 'CdtDbtInd') === 'CRDT' ? 'credit' : 'debit';
  return { status: entries.at(-1)!.status, direction, amount: readEntryAmount(node) };
}

function toSummary({ statement, statementLine, totals, ...state }: CamtReaderState): StatementSummary {
  const controlTotals = readCamtControlTotals(
    [...state.controlParts, ...state.messageParts],
    statement.accountCurrency,
  );
  return withoutUndefined<StatementSummary>({
    ...statement,
    line: statementLine,
    note: state.note,
    controlTotals: withoutEmptyTotals(controlTotals),
    totals,
  });
}
