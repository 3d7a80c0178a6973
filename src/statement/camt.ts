import { type CamtStatement, camtEntries } from './camt-entry.ts';
import { type CamtMessage, camtMessage, checkDocument } from './camt-message.ts';
import { type CamtTransaction, camtAccountId, camtTransaction } from './camt-transaction.ts';
import { addText, addWeight, type CamtTree, closeNode, nodeWeight, openNode } from './camt-tree.ts';
import { invalidStatement } from './invalid-statement.ts';
import { readXml, type XmlHandler, type XmlTag } from './read-xml.ts';
import type { StatementEntry } from './statement-entry.ts';
import { given, withoutUndefined } from './statement-text.ts';
import { textAt, type XmlNode } from './xml-node.ts';

/** Where in the file we are, and what has been read of the part we are in. */
type Walk = {
  ready: StatementEntry[];
  /** Depth inside an element that is of no interest; 0 outside of any. */
  skipping: number;
  place: 'outside' | 'document' | 'message' | 'statement';
  root: XmlTag | undefined;
  documents: number;
  namespace: string;
  message: CamtMessage | undefined;
  statements: number;
  sawEntry: boolean;
  statement: CamtStatement;
  tree: CamtTree;
  transactions: CamtTransaction[];
  /** What the tree held before the transaction being read. */
  before: { weight: number; textLength: number };
};

/**
 * Reads ISO 20022 camt.053 (statement) and camt.054 (debit and credit notification), versions 001.02 to 001.13, with
 * any namespace prefix or no namespace, alone or inside an envelope (a `Document` anywhere in the file counts).
 * A stream: holds one `Ntry` at a time. Entries come in the order of the file; one that is broken throws
 * `invalid_statement` with line and reason, maybe after entries were yielded, so the caller imports all or nothing.
 */
export async function* readCamt(source: AsyncIterable<Uint8Array>): AsyncGenerator<StatementEntry> {
  const walk: Walk = {
    ready: [],
    skipping: 0,
    place: 'outside',
    root: undefined,
    documents: 0,
    namespace: '',
    message: undefined,
    statements: 0,
    sawEntry: false,
    statement: { kind: 'camt.053' },
    tree: { open: [], weight: 0, textLength: 0 },
    transactions: [],
    before: { weight: 0, textLength: 0 },
  };
  const handler: XmlHandler = {
    open: (tag) => open(walk, tag),
    text: (text) => addText(walk.tree, text),
    close: (line) => close(walk, line),
  };
  for await (const _ of readXml(source, handler)) yield* walk.ready.splice(0);
  if (walk.documents > 0) return;
  const { line = 1, name = '' } = walk.root ?? {};
  throw invalidStatement(
    line,
    `<${name.slice(0, 80)}> is not an ISO 20022 message: it contains no <Document>`,
  );
}

function open(walk: Walk, tag: XmlTag): void {
  walk.root ??= tag;
  const foreign = tag.namespace !== walk.namespace;
  if (walk.skipping > 0) {
    walk.skipping += 1;
  } else if (walk.tree.open.length > 0) {
    if (foreign || !openNode(walk.tree, tag)) walk.skipping = 1;
    else if (tag.name === 'TxDtls') walk.before = { ...walk.tree };
  } else if (walk.place === 'outside') {
    if (tag.name === 'Document') openDocument(walk, tag);
  } else if (walk.place === 'document') {
    walk.message = camtMessage(tag, walk.namespace);
    walk.statements = 0;
    walk.place = 'message';
  } else if (walk.place === 'message') {
    if (foreign || tag.name !== walk.message?.statement) walk.skipping = 1;
    else openStatement(walk);
  } else if (foreign || !['Id', 'Acct', 'Ntry'].includes(tag.name)) {
    walk.skipping = 1;
  } else {
    walk.tree.weight = 0;
    openNode(walk.tree, tag);
  }
}

function openDocument(walk: Walk, tag: XmlTag): void {
  checkDocument(tag);
  walk.namespace = tag.namespace;
  walk.message = undefined;
  walk.documents += 1;
  walk.place = 'document';
}

function openStatement(walk: Walk): void {
  walk.statements += 1;
  walk.statement = { kind: walk.message!.name };
  walk.sawEntry = false;
  walk.place = 'statement';
}

function close(walk: Walk, line: number): void {
  if (walk.skipping > 0) {
    walk.skipping -= 1;
  } else if (walk.tree.open.length > 0) {
    const node = closeNode(walk.tree);
    const parent = walk.tree.open.at(-1);
    if (!parent) closePart(walk, node);
    else if (node.name === 'TxDtls') closeTransaction(walk, node, parent);
  } else if (walk.place === 'statement') {
    walk.place = 'message';
  } else if (walk.place === 'message') {
    const { statement, what } = walk.message!;
    if (walk.statements === 0)
      throw invalidStatement(line, `the message contains no ${what} (<${statement}>)`);
    walk.place = 'document';
  } else if (walk.place === 'document') {
    if (!walk.message) throw invalidStatement(line, 'the <Document> is empty');
    walk.place = 'outside';
  }
}

/** A transaction is boiled down as soon as it ends, to little more than its texts: an entry may hold very many. */
function closeTransaction(walk: Walk, node: XmlNode, parent: XmlNode): void {
  parent.children.pop();
  walk.transactions.push(camtTransaction(node));
  const { tree, before } = walk;
  tree.weight = before.weight;
  addWeight(tree, nodeWeight + tree.textLength - before.textLength);
}

function closePart(walk: Walk, node: XmlNode): void {
  if (node.name === 'Ntry') {
    const { transactions, statement } = walk;
    walk.transactions = [];
    walk.sawEntry = true;
    for (const entry of camtEntries(node, { transactions, statement })) walk.ready.push(entry);
    return;
  }
  // The schema puts them first; read later they would be missing on the entries before.
  if (walk.sawEntry)
    throw invalidStatement(node.line, `<${node.name}> comes after the entries it belongs to`);
  const part =
    node.name === 'Id'
      ? { statementId: given(node.text) }
      : { accountId: camtAccountId(node), accountCurrency: textAt(node, 'Ccy') };
  walk.statement = withoutUndefined<CamtStatement>({ ...walk.statement, ...part });
}
