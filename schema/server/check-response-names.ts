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
type SelectionCount = { fragments: Fragments; selections: number };

/**
 * Rejects a document that selects too many fields with one response name in one selection set, because validation
 * compares them pairwise. Counts the fields of fragments and merged fields too, and limits the selections and their
 * nesting, so that the check itself ends soon.
 */
export function checkResponseNames({ definitions }: DocumentNode): void {
  const fragments: Fragments = new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );
  const count: SelectionCount = { fragments, selections: 0 };
  for (const definition of definitions) {
    if ('selectionSet' in definition && definition.selectionSet) {
      checkSelectionSets([definition.selectionSet], count, 1);
    }
  }
}

/** Checks selection sets that are merged into one, and the selection sets of their fields. */
function checkSelectionSets(selectionSets: SelectionSetNode[], count: SelectionCount, depth: number): void {
  if (depth > limits.nesting)
    throw documentTooLargeError(
      `A document must not nest selection sets more than ${limits.nesting} levels deep`,
    );
  const groupedFields = new Map<string, FieldNode[]>();
  const visitedFragments = new Set<string>();
  for (const selectionSet of selectionSets)
    collectFields(selectionSet, { count, groupedFields, visitedFragments });
  for (const [name, fields] of groupedFields) {
    if (fields.length > limits.fieldsPerName)
      throw documentTooLargeError(
        `A selection set must not select more than ${limits.fieldsPerName} fields with the response name "${name}"`,
      );
    const subselections = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
    if (subselections.length > 0) checkSelectionSets(subselections, count, depth + 1);
  }
}

type FieldCollection = {
  count: SelectionCount;
  groupedFields: Map<string, FieldNode[]>;
  visitedFragments: Set<string>;
};

function collectFields({ selections }: SelectionSetNode, collection: FieldCollection): void {
  for (const selection of selections) {
    collection.count.selections++;
    if (collection.count.selections > limits.selections) {
      throw documentTooLargeError(
        `A document must have at most ${limits.selections} selections, counting fragments each time they are spread`,
      );
    }
    if (selection.kind === Kind.FIELD) {
      const name = (selection.alias ?? selection.name).value;
      const group = collection.groupedFields.get(name);
      if (group) group.push(selection);
      else collection.groupedFields.set(name, [selection]);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      collectFields(selection.selectionSet, collection);
    } else if (!collection.visitedFragments.has(selection.name.value)) {
      collection.visitedFragments.add(selection.name.value);
      const fragment = collection.count.fragments.get(selection.name.value);
      if (fragment) collectFields(fragment.selectionSet, collection);
    }
  }
}

function documentTooLargeError(detail: string): DomainError {
  return new DomainError('invalid_request', detail);
}
