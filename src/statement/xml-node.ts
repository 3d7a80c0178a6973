import { invalidStatement } from './invalid-statement.ts';

/** A small XML element held in memory: text without surrounding space, children in the order of the file. */
export type XmlNode = {
  name: string;
  line: number;
  currency: string | undefined;
  text: string;
  children: XmlNode[];
};

/** Every element found by following child names from `node`: `findAll(strd, 'CdtrRefInf', 'Ref')`. */
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

/** The text of the first element at the path; undefined where there is none or it is empty. */
export function textAt(node: XmlNode, ...path: string[]): string | undefined {
  for (const { text } of findAll(node, ...path)) if (text !== '') return text;
  return undefined;
}

/** The one child of that name, or undefined. Two are refused: which of two amounts is right is not ours to guess. */
export function onlyChild(node: XmlNode, name: string): XmlNode | undefined {
  const [first, second] = node.children.filter((child) => child.name === name);
  if (second) throw invalidStatement(second.line, `<${node.name}> has more than one <${name}>`);
  return first;
}
