import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { DomainError } from '../../src/kit/errors.ts';
import { limits } from './limits.ts';

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;
type Count = { fragments: Fragments; selections: number };

/**
 * Rejects a document that selects too many fields under one response name of one selection set, with those of its
 * fragments and of fields that are merged: validation compares each of them with each. Error: `invalid_request`.
 */
export function boundResponseNames({ definitions }: DocumentNode): void {
  const fragments: Fragments = new Map(
    definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
  );
  const count: Count = { fragments, selections: 0 };
  for (const definition of definitions) {
    if ('selectionSet' in definition && definition.selectionSet) {
      checkSelections([definition.selectionSet], count, 1);
    }
  }
}

/** Selection sets that are merged into one, and those of their fields. */
function checkSelections(selectionSets: SelectionSetNode[], count: Count, depth: number): void {
  if (depth > limits.nesting) throw tooLarge(`${limits.nesting} levels of selections`);
  const named = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  for (const selectionSet of selectionSets) collectFields(selectionSet, { count, named, spread });
  for (const [name, fields] of named) {
    if (fields.length > limits.sameName) throw tooLarge(`${limits.sameName} fields ${name} in one selection`);
    const inner = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
    if (inner.length > 0) checkSelections(inner, count, depth + 1);
  }
}

type Collected = { count: Count; named: Map<string, FieldNode[]>; spread: Set<string> };

function collectFields({ selections }: SelectionSetNode, into: Collected): void {
  for (const selection of selections) {
    into.count.selections++;
    if (into.count.selections > limits.selections) {
      throw tooLarge(`${limits.selections} selections, counting fragments each time they are spread`);
    }
    if (selection.kind === Kind.FIELD) {
      const name = (selection.alias ?? selection.name).value;
      const known = into.named.get(name);
      if (known) known.push(selection);
      else into.named.set(name, [selection]);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      collectFields(selection.selectionSet, into);
    } else if (!into.spread.has(selection.name.value)) {
      into.spread.add(selection.name.value);
      const fragment = into.count.fragments.get(selection.name.value);
      if (fragment) collectFields(fragment.selectionSet, into);
    }
  }
}

function tooLarge(most: string): DomainError {
  return new DomainError('invalid_request', `A document must have at most ${most}`);
}
