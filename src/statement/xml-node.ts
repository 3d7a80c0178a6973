import { invalidStatementError } from './invalid-statement.ts';

/** An XML element in memory, with trimmed text and children in document order. `currency` is its attribute `Ccy`. */
export type XmlNode = {
  name: string;
  line: number;
  currency: string | undefined;
  text: string;
  children: XmlNode[];
};

/** Returns all elements at a path of child names, such as `findAll(strd, 'CdtrRefInf', 'Ref')`. */
export function findAll(node: XmlNode, ...path: string[]): XmlNode[] {
  let nodes = [node];
  for (const name of path) {
    const next: XmlNode[] = [];
    for (const parent of nodes) {
      for (const child of parent.children) if (child.name === name) next.push(child);
    }
    nodes = next;
  }
  return nodes;
}

/** Returns the first non-empty text at the path, or undefined. */
export function findText(node: XmlNode, ...path: string[]): string | undefined {
  for (const { text } of findAll(node, ...path)) if (text !== '') return text;
  return undefined;
}

/**
 * Returns the only child with this name, or undefined. Throws if there are several, because choosing one of two amounts
 * would be a guess.
 */
export function getOnlyChild(node: XmlNode, name: string): XmlNode | undefined {
  const [first, second] = node.children.filter((child) => child.name === name);
  if (second) throw invalidStatementError(second.line, `<${node.name}> has more than one <${name}>`);
  return first;
}
