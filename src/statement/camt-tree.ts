import { invalidStatementError } from './invalid-statement.ts';
import type { XmlTag } from './read-xml.ts';
import { unwrapLines } from './statement-text.ts';
import type { XmlNode } from './xml-node.ts';

/** The part of the file that is in memory. */
export type CamtTree = {
  /** The elements that are not closed yet, from the outermost to the innermost. */
  openNodes: XmlNode[];
  /** The approximate size of all elements in bytes. */
  size: number;
  /** The length of the texts of all elements. */
  textLength: number;
};

/** The approximate memory use of an element without its text, in bytes. */
export const nodeSize = 256;

/** The maximum size of one `Ntry`, which is enough for about 100,000 transactions. */
const treeSizeMax = 64 * 1024 * 1024;

/** The children to keep, by element. Elements that are not listed keep all children. */
const allowedChildren = new Map<string, Set<string>>(
  Object.entries({
    GrpHdr: 'MsgPgntn',
    Acct: 'Id Ccy Prxy',
    Bal: 'Tp Amt CdtDbtInd Dt',
    TxsSummry: 'TtlNtries TtlCdtNtries TtlDbtNtries',
    // In version 1, an entry contains its transactions and batch blocks without `NtryDtls`.
    Ntry: 'NtryRef Amt CdtDbtInd RvslInd Sts BookgDt ValDt AcctSvcrRef NtryDtls Btch TxDtls AddtlNtryInf',
    NtryDtls: 'Btch TxDtls',
    TxDtls: 'Refs Amt CdtDbtInd AmtDtls RltdPties LclInstrm Purp RltdRmtInf RmtInf RtrInf AddtlTxInf',
    RltdPties: 'Dbtr DbtrAcct UltmtDbtr Cdtr CdtrAcct UltmtCdtr',
    Dbtr: 'Nm Pty Agt',
    UltmtDbtr: 'Nm Pty Agt',
    Cdtr: 'Nm Pty Agt',
    UltmtCdtr: 'Nm Pty Agt',
    Pty: 'Nm',
    FinInstnId: 'Nm',
  }).map(([name, children]) => [name, new Set(children.split(' '))]),
);

/** Opens an element inside the current one. Returns false if its content must be skipped. */
export function openNode(tree: CamtTree, { name, attributes, line }: XmlTag): boolean {
  const parent = tree.openNodes.at(-1);
  if (parent && allowedChildren.get(parent.name)?.has(name) === false) return false;
  const node: XmlNode = { name, line, currency: attributes.get('Ccy')?.trim(), text: '', children: [] };
  parent?.children.push(node);
  tree.openNodes.push(node);
  addSize(tree, nodeSize);
  return true;
}

export function addText(tree: CamtTree, text: string): void {
  const node = tree.openNodes.at(-1);
  if (!node || (node.text === '' && text.trim() === '')) return;
  node.text += text;
  tree.textLength += text.length;
  addSize(tree, text.length);
}

export function closeNode(tree: CamtTree): XmlNode {
  const node = tree.openNodes.pop()!;
  // Text between child elements is formatting.
  node.text = node.children.length > 0 ? '' : unwrapLines(node.text.trim());
  return node;
}

export function addSize(tree: CamtTree, addedSize: number): void {
  tree.size += addedSize;
  if (tree.size <= treeSizeMax) return;
  const { name, line } = tree.openNodes[0]!;
  throw invalidStatementError(
    line,
    `this <${name}> is too large: it contains more than ${treeSizeMax / 2 ** 20} MiB`,
  );
}
