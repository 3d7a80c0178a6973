import { type CamtStatement, camtEntries } from './camt-entry.ts';
import { type CamtMessage, camtMessage, checkDocument } from './camt-message.ts';
import { type CamtTransaction, camtAccountId, camtTransaction } from './camt-transaction.ts';
import { addText, addWeight, type CamtTree, closeNode, nodeWeight, openNode } from './camt-tree.ts';
import { invalidStatement } from './invalid-statement.ts';
import { readXml, type XmlHandler, type XmlTag } from './read-xml.ts';
import type { StatementEntry } from './statement-entry.ts';
import { withoutPlaceholder, withoutUndefined } from './statement-text.ts';
import { textAt, type XmlNode } from './xml-node.ts';

/** The position in the file, and the data read from the current part. */
type CamtReaderState = {
  entries: StatementEntry[];
  /** The depth inside a skipped element; 0 outside of any. */
  skipDepth: number;
  level: 'outside' | 'document' | 'message' | 'statement';
  root: XmlTag | undefined;
  documents: number;
  namespace: string;
  message: CamtMessage | undefined;
  statements: number;
  hasEntry: boolean;
  statement: CamtStatement;
  tree: CamtTree;
  transactions: CamtTransaction[];
  /** The tree's size before the current transaction. */
  transactionStart: { weight: number; textLength: number };
};

/**
 * Reads ISO 20022 camt.053 (statement) and camt.054 (debit and credit notification), versions 001.02 to
 * 001.13. Accepts any namespace prefix or none, and a `Document` anywhere in an envelope. Streams: holds one
 * `Ntry` at a time and yields entries in file order. Throws `invalid_statement` with line and reason,
 * possibly after some entries, so the caller must import all or nothing.
 */
export async function* readCamt(source: AsyncIterable<Uint8Array>): AsyncGenerator<StatementEntry> {
  const state: CamtReaderState = {
    entries: [],
    skipDepth: 0,
    level: 'outside',
    root: undefined,
    documents: 0,
    namespace: '',
    message: undefined,
    statements: 0,
    hasEntry: false,
    statement: { kind: 'camt.053' },
    tree: { open: [], weight: 0, textLength: 0 },
    transactions: [],
    transactionStart: { weight: 0, textLength: 0 },
  };
  const handler: XmlHandler = {
    open: (tag) => handleOpen(state, tag),
    text: (text) => addText(state.tree, text),
    close: (line) => handleClose(state, line),
  };
  for await (const _ of readXml(source, handler)) yield* state.entries.splice(0);
  if (state.documents > 0) return;
  const { line = 1, name = '' } = state.root ?? {};
  throw invalidStatement(
    line,
    `<${name.slice(0, 80)}> is not an ISO 20022 message: it contains no <Document>`,
  );
}

function handleOpen(state: CamtReaderState, tag: XmlTag): void {
  state.root ??= tag;
  const isForeign = tag.namespace !== state.namespace;
  if (state.skipDepth > 0) {
    state.skipDepth += 1;
  } else if (state.tree.open.length > 0) {
    if (isForeign || !openNode(state.tree, tag)) state.skipDepth = 1;
    else if (tag.name === 'TxDtls') state.transactionStart = { ...state.tree };
  } else if (state.level === 'outside') {
    if (tag.name === 'Document') openDocument(state, tag);
  } else if (state.level === 'document') {
    state.message = camtMessage(tag, state.namespace);
    state.statements = 0;
    state.level = 'message';
  } else if (state.level === 'message') {
    if (isForeign || tag.name !== state.message?.statement) state.skipDepth = 1;
    else openStatement(state);
  } else if (isForeign || !['Id', 'Acct', 'Ntry'].includes(tag.name)) {
    state.skipDepth = 1;
  } else {
    state.tree.weight = 0;
    openNode(state.tree, tag);
  }
}

function openDocument(state: CamtReaderState, tag: XmlTag): void {
  checkDocument(tag);
  state.namespace = tag.namespace;
  state.message = undefined;
  state.documents += 1;
  state.level = 'document';
}

function openStatement(state: CamtReaderState): void {
  state.statements += 1;
  state.statement = { kind: state.message!.name };
  state.hasEntry = false;
  state.level = 'statement';
}

function handleClose(state: CamtReaderState, line: number): void {
  if (state.skipDepth > 0) {
    state.skipDepth -= 1;
  } else if (state.tree.open.length > 0) {
    const node = closeNode(state.tree);
    const parent = state.tree.open.at(-1);
    if (!parent) closePart(state, node);
    else if (node.name === 'TxDtls') closeTransaction(state, node, parent);
  } else if (state.level === 'statement') {
    state.level = 'message';
  } else if (state.level === 'message') {
    const { statement, label } = state.message!;
    if (state.statements === 0)
      throw invalidStatement(line, `the message contains no ${label} (<${statement}>)`);
    state.level = 'document';
  } else if (state.level === 'document') {
    if (!state.message) throw invalidStatement(line, 'the <Document> is empty');
    state.level = 'outside';
  }
}

/** Reduces a transaction to its fields as soon as it ends, since an entry may hold very many. */
function closeTransaction(state: CamtReaderState, node: XmlNode, parent: XmlNode): void {
  parent.children.pop();
  state.transactions.push(camtTransaction(node));
  const { tree, transactionStart } = state;
  tree.weight = transactionStart.weight;
  addWeight(tree, nodeWeight + tree.textLength - transactionStart.textLength);
}

function closePart(state: CamtReaderState, node: XmlNode): void {
  if (node.name === 'Ntry') {
    const { transactions, statement } = state;
    state.transactions = [];
    state.hasEntry = true;
    for (const entry of camtEntries(node, { transactions, statement })) state.entries.push(entry);
    return;
  }
  // The schema puts these before the entries; accepting them later would leave earlier entries without them.
  if (state.hasEntry)
    throw invalidStatement(node.line, `<${node.name}> comes after the entries it belongs to`);
  const part =
    node.name === 'Id'
      ? { statementId: withoutPlaceholder(node.text) }
      : { accountId: camtAccountId(node), accountCurrency: textAt(node, 'Ccy') };
  state.statement = withoutUndefined<CamtStatement>({ ...state.statement, ...part });
}
