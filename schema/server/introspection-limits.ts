import {
  type FieldNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

/** The lists of a type. Nested lists would return the whole schema once per type. */
const listFields = new Set(['fields', 'inputFields', 'interfaces', 'possibleTypes']);

const nestedListsMessage =
  'Introspection queries cannot select fields, inputFields, interfaces or possibleTypes inside one another';

/**
 * Introspection is public and has no cost, so it must not use aliases or nest the lists of a type. Common
 * tools do neither.
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
  /** Whether the selection is inside a list of a type. */
  isInList: boolean;
  /** Visited fragments, each once inside of lists and once outside. */
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
  if (isList && visit.isInList) return nestedListsMessage;
  return findViolation(selectionSet, { ...visit, isInList: visit.isInList || isList });
}

function findFragmentViolation(name: string, visit: IntrospectionVisit): string | undefined {
  const key = `${name} ${visit.isInList}`;
  if (visit.visitedFragments.has(key)) return undefined;
  visit.visitedFragments.add(key);
  return findViolation(visit.context.getFragment(name)?.selectionSet, visit);
}
