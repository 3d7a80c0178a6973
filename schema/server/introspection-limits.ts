import {
  type FieldNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

/** What a type lists of others: one list within another asks for the whole schema once a type. */
const listFields = new Set(['fields', 'inputFields', 'interfaces', 'possibleTypes']);

/**
 * Introspection is open to everybody and has no cost, so it may ask for each thing once: without aliases, and without a
 * type's lists within each other. What tools ask for needs neither.
 */
export const introspectionLimits: ValidationRule = (context) => ({
  Field(field) {
    if (field.name.value !== '__schema' && field.name.value !== '__type') return;
    const rootSelection: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: [field] };
    const violation = findViolation(rootSelection, { context, isInList: false, visitedFragments: new Set() });
    if (violation !== undefined) context.reportError(new GraphQLError(violation, { nodes: field }));
  },
});

type IntrospectionVisit = {
  context: ValidationContext;
  /** Within a list of a type. */
  isInList: boolean;
  /** Fragments that were looked at: each once inside of lists, and once outside. */
  visitedFragments: Set<string>;
};

function findViolation(
  selectionSet: SelectionSetNode | undefined,
  visit: IntrospectionVisit,
): string | undefined {
  for (const selection of selectionSet?.selections ?? []) {
    const violation =
      selection.kind === Kind.FIELD
        ? findFieldViolation(selection, visit)
        : selection.kind === Kind.INLINE_FRAGMENT
          ? findViolation(selection.selectionSet, visit)
          : findFragmentViolation(selection.name.value, visit);
    if (violation !== undefined) return violation;
  }
  return undefined;
}

function findFieldViolation(
  { alias, name, selectionSet }: FieldNode,
  visit: IntrospectionVisit,
): string | undefined {
  if (alias) return 'Introspection queries cannot use aliases';
  const isList = listFields.has(name.value);
  if (isList && visit.isInList) return 'Introspection queries cannot nest lists of types';
  return findViolation(selectionSet, { ...visit, isInList: visit.isInList || isList });
}

function findFragmentViolation(name: string, visit: IntrospectionVisit): string | undefined {
  const key = `${name} ${visit.isInList}`;
  if (visit.visitedFragments.has(key)) return undefined;
  visit.visitedFragments.add(key);
  return findViolation(visit.context.getFragment(name)?.selectionSet, visit);
}
