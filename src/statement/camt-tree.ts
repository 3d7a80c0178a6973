import { invalidStatement } from './invalid-statement.ts';
import type { XmlTag } from './read-xml.ts';
import { unwrapLines } from './statement-text.ts';
import type { XmlNode } from './xml-node.ts';

/** A part of the file being built up in memory: the elements that are open, and how much is held. */
export type CamtTree = { open: XmlNode[]; weight: number; textLength: number };

/** What an element costs beside its text; near what the engine takes. */
export const nodeWeight = 256;

/** The most one `Ntry` may hold: about 64 MB, some 100,000 transactions. */
const weightLimit = 64 * 1024 * 1024;

/** Of these elements only these children are kept; of all others every child. */
const allowedChildren = new Map<string, Set<string>>(
  Object.entries({
    Acct: 'Id Ccy Prxy',
    Ntry: 'Amt CdtDbtInd RvslInd Sts BookgDt ValDt AcctSvcrRef NtryDtls AddtlNtryInf',
    NtryDtls: 'Btch TxDtls',
    TxDtls: 'Refs Amt CdtDbtInd AmtDtls RltdPties RmtInf RtrInf AddtlTxInf',
    RltdPties: 'Dbtr DbtrAcct UltmtDbtr Cdtr CdtrAcct UltmtCdtr',
    Dbtr: 'Nm Pty Agt',
    UltmtDbtr: 'Nm Pty Agt',
    Cdtr: 'Nm Pty Agt',
    UltmtCdtr: 'Nm Pty Agt',
    Pty: 'Nm',
    FinInstnId: 'Nm',
  }).map(([name, children]) => [name, new Set(children.split(' '))]),
);

/** Opens an element inside the one open last; false when it is of no interest and its content is to be skipped. */
export function openNode(tree: CamtTree, { name, attributes, line }: XmlTag): boolean {
  const parent = tree.open.at(-1);
  if (parent && allowedChildren.get(parent.name)?.has(name) === false) return false;
  const node: XmlNode = { name, line, currency: attributes.get('Ccy')?.trim(), text: '', children: [] };
  parent?.children.push(node);
  tree.open.push(node);
  addWeight(tree, nodeWeight);
  return true;
}

/** Adds text to the element open last. */
export function addText(tree: CamtTree, text: string): void {
  const node = tree.open.at(-1);
  if (!node || (node.text === '' && text.trim() === '')) return;
  node.text += text;
  tree.textLength += text.length;
  addWeight(tree, text.length);
}

/** Closes the element open last, its text without surrounding space and line breaks. */
export function closeNode(tree: CamtTree): XmlNode {
  const node = tree.open.pop()!;
  // Text beside child elements is layout.
  node.text = node.children.length > 0 ? '' : unwrapLines(node.text.trim());
  return node;
}

/** Counts what is held for the entry being read, and refuses what would not fit. */
export function addWeight(tree: CamtTree, weight: number): void {
  tree.weight += weight;
  if (tree.weight <= weightLimit) return;
  const { name, line } = tree.open[0]!;
  throw invalidStatement(
    line,
    `this <${name}> is too large: it contains more than ${weightLimit / 2 ** 20} MiB`,
  );
}
