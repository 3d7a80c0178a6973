import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  getOperationAST,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
} from 'graphql';
import { merchantOnly } from '../kit/access.ts';

type Field = GraphQLField<unknown, unknown>;

/** What executing an operation finds out about its document, which is the same every time. */
export type OperationPlan = {
  schema: GraphQLSchema;
  operation: OperationDefinitionNode;
  fragments: Record<string, FragmentDefinitionNode>;
  root: ObjectPlan;
};

/** What is selected of an object. */
export type ObjectPlan = { type: GraphQLObjectType; fields: FieldPlan[] };

/** One field that is selected, under the name it has in the answer. */
export type FieldPlan = {
  key: string;
  parentType: GraphQLObjectType;
  field: Field;
  nodes: FieldNode[];
  /** The member of the source that it shows, and when; else `field.resolve` is asked. */
  member: string | undefined;
  when: { isMerchantOnly: boolean; isPrepared: boolean };
  shape: Shape;
  /** What is selected of its value, which may be of several types. */
  objectPlan: (type: GraphQLObjectType) => ObjectPlan;
};

/** How a value is told; of a list, how its items are. */
export type Shape = { isRequired: boolean } & (
  | { kind: 'leaf'; type: GraphQLLeafType }
  | { kind: 'list'; item: Shape }
  | { kind: 'object'; type: GraphQLObjectType }
  | { kind: 'abstract'; type: GraphQLAbstractType }
);

/**
 * The plan of an operation of a valid document. Undefined for what is left to the engine's own executor: subscriptions,
 * introspection, directives (what they skip may differ each time), and a name that no plain object can hold.
 */
export function planOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
): OperationPlan | undefined {
  const operation = getOperationAST(document, operationName);
  if (!operation || operation.operation === 'subscription') return undefined;
  if (document.definitions.some((definition) => !isPlain(definition as Part))) return undefined;
  const type = schema.getRootType(operation.operation);
  if (!type) return undefined;
  const fragments: Record<string, FragmentDefinitionNode> = {};
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }
  const root = planObject({ schema, fragments }, type, [operation.selectionSet]);
  return { schema, operation, fragments, root };
}

const ownNames: ReadonlySet<string | undefined> = new Set(['__schema', '__type', '__proto__']);

/** What a document, or a part of it, may hold of that. */
type Part = Partial<Pick<FieldNode, 'name' | 'alias' | 'directives' | 'selectionSet'>>;

/** Whether a part of a document holds none of the exceptions. Validation has bounded how deep it goes. */
function isPlain({ directives = [], name, alias, selectionSet }: Part): boolean {
  if (directives.length > 0 || ownNames.has(name?.value) || ownNames.has(alias?.value)) return false;
  return selectionSet?.selections.every((selection) => isPlain(selection as Part)) ?? true;
}

type Source = Pick<OperationPlan, 'schema' | 'fragments'>;

function planObject(source: Source, type: GraphQLObjectType, selections: SelectionSetNode[]): ObjectPlan {
  const nodes = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  for (const selection of selections) collect(source, type, selection, nodes, spread);
  const fields = [...nodes].map(([key, nodesOfKey]) => planField(source, type, key, nodesOfKey));
  return { type, fields };
}

/** The fields that apply to a type, by their names in the answer, in the order they come first. */
function collect(
  source: Source,
  type: GraphQLObjectType,
  { selections }: SelectionSetNode,
  into: Map<string, FieldNode[]>,
  spread: Set<string>,
): void {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) {
      const key = (selection.alias ?? selection.name).value;
      const known = into.get(key);
      if (known) known.push(selection);
      else into.set(key, [selection]);
      continue;
    }
    const name = selection.kind === Kind.FRAGMENT_SPREAD ? selection.name.value : undefined;
    if (name !== undefined && spread.has(name)) continue;
    if (name !== undefined) spread.add(name);
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : source.fragments[name!];
    if (fragment && applies(source, fragment.typeCondition?.name.value, type))
      collect(source, type, fragment.selectionSet, into, spread);
  }
}

function applies({ schema }: Source, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true;
  const asked = schema.getType(condition);
  return isAbstractType(asked) && schema.isSubType(asked, type);
}

function planField(
  source: Source,
  parentType: GraphQLObjectType,
  key: string,
  nodes: FieldNode[],
): FieldPlan {
  const name = nodes[0]!.name.value;
  const field: Field = name === '__typename' ? TypeNameMetaFieldDef : parentType.getFields()[name]!;
  const plans = new Map<GraphQLObjectType, ObjectPlan>();
  const objectPlan = (type: GraphQLObjectType): ObjectPlan => {
    const known = plans.get(type);
    if (known) return known;
    const selections = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const plan = planObject(source, type, selections);
    plans.set(type, plan);
    return plan;
  };
  return {
    key,
    parentType,
    field,
    nodes,
    ...shownMember(field),
    shape: shapeOf(field.type),
    objectPlan,
  };
}

/** The builder says of fields that show a member as it is which one, and whether anything has been put around that. */
function shownMember({ extensions }: Field): Pick<FieldPlan, 'member' | 'when'> {
  const {
    pothosExposedField: exposed,
    pothosResolveWrapped: isWrapped,
    preparedAs,
    pothosOptions,
  } = extensions;
  const { authScopes } = (pothosOptions ?? {}) as { authScopes?: unknown };
  const isMerchantOnly = authScopes === merchantOnly.authScopes && !extensions.shownOnce;
  const isPrepared = preparedAs !== undefined;
  // Nothing but the question who asks is put around what is exposed to the merchant only.
  const isShown = isPrepared || isWrapped === false || isMerchantOnly;
  const member = isShown ? ((preparedAs ?? exposed) as string | undefined) : undefined;
  return { member, when: { isMerchantOnly, isPrepared } };
}

function shapeOf(type: GraphQLOutputType): Shape {
  const isRequired = isNonNullType(type);
  const given = getNullableType(type);
  if (isListType(given)) return { isRequired, kind: 'list', item: shapeOf(given.ofType) };
  if (isLeafType(given)) return { isRequired, kind: 'leaf', type: given };
  if (isAbstractType(given)) return { isRequired, kind: 'abstract', type: given };
  return { isRequired, kind: 'object', type: given };
}
