import {
  type FieldNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

/** What a type lists of others: one list within another asks for the whole schema once a type. */
const lists = new Set(['fields', 'inputFields', 'interfaces', 'possibleTypes']);

/**
 * Introspection is open to everybody and has no cost, so it may ask for each thing once: without aliases, and without a
 * type's lists within each other. What tools ask for needs neither.
 */
export const boundIntrospection: ValidationRule = (context) => ({
  Field(field) {
    if (field.name.value !== '__schema' && field.name.value !== '__type') return;
    const asked: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: [field] };
    const reason = faultOf(asked, { context, isInList: false, seen: new Set() });
    if (reason !== undefined) context.reportError(new GraphQLError(reason, { nodes: field }));
  },
});

type Walk = {
  context: ValidationContext;
  /** Within a list of a type. */
  isInList: boolean;
  /** Fragments that were looked at: each once inside of lists, and once outside. */
  seen: Set<string>;
};

function faultOf(selectionSet: SelectionSetNode | undefined, walk: Walk): string | undefined {
  for (const selection of selectionSet?.selections ?? []) {
    const fault =
      selection.kind === Kind.FIELD
        ? faultOfField(selection, walk)
        : selection.kind === Kind.INLINE_FRAGMENT
          ? faultOf(selection.selectionSet, walk)
          : faultOfFragment(selection.name.value, walk);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfField({ alias, name, selectionSet }: FieldNode, walk: Walk): string | undefined {
  if (alias) return 'Introspection queries cannot use aliases';
  const isList = lists.has(name.value);
  if (isList && walk.isInList) return 'Introspection queries cannot nest lists of types';
  return faultOf(selectionSet, { ...walk, isInList: walk.isInList || isList });
}

function faultOfFragment(name: string, walk: Walk): string | undefined {
  const key = `${name} ${walk.isInList}`;
  if (walk.seen.has(key)) return undefined;
  walk.seen.add(key);
  return faultOf(walk.context.getFragment(name)?.selectionSet, walk);
}
