import { invalidStatement } from './invalid-statement.ts';
import type { XmlTag } from './read-xml.ts';
import { unwrapLines } from './statement-text.ts';
import type { XmlNode } from './xml-node.ts';

/** The part of the file built in memory: the open elements, and their approximate size in bytes. */
export type CamtTree = { open: XmlNode[]; weight: number; textLength: number };

/** The size of an element without its text; close to the engine's memory use. */
export const nodeWeight = 256;

/** The maximum size of one `Ntry`: about 64 MB, or 100,000 transactions. */
const weightLimit = 64 * 1024 * 1024;

/** The children to keep for some elements. All other elements keep every child. */
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

/**
 * Opens an element inside the current one. Returns false if the element is unused and its content must be
 * skipped.
 */
export function openNode(tree: CamtTree, { name, attributes, line }: XmlTag): boolean {
  const parent = tree.open.at(-1);
  if (parent && allowedChildren.get(parent.name)?.has(name) === false) return false;
  const node: XmlNode = { name, line, currency: attributes.get('Ccy')?.trim(), text: '', children: [] };
  parent?.children.push(node);
  tree.open.push(node);
  addWeight(tree, nodeWeight);
  return true;
}

/** Adds text to the current element. */
export function addText(tree: CamtTree, text: string): void {
  const node = tree.open.at(-1);
  if (!node || (node.text === '' && text.trim() === '')) return;
  node.text += text;
  tree.textLength += text.length;
  addWeight(tree, text.length);
}

/** Closes the current element; trims its text and unwraps its lines. */
export function closeNode(tree: CamtTree): XmlNode {
  const node = tree.open.pop()!;
  // Text between child elements is formatting.
  node.text = node.children.length > 0 ? '' : unwrapLines(node.text.trim());
  return node;
}

/** Adds to the size of the current part. Throws if it exceeds the limit. */
export function addWeight(tree: CamtTree, weight: number): void {
  tree.weight += weight;
  if (tree.weight <= weightLimit) return;
  const { name, line } = tree.open[0]!;
  throw invalidStatement(
    line,
    `this <${name}> is too large: it contains more than ${weightLimit / 2 ** 20} MiB`,
  );
}
