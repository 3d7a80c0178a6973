import {
  defaultFieldResolver,
  type ExecutionResult,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getArgumentValues,
  isObjectType,
  locatedError,
  responsePathAsArray,
} from 'graphql';
import { actsAsMerchant } from '../kit/access.ts';
import type { GraphqlContext } from '../kit/graphql-context.ts';
import { isPrepared } from '../kit/prepared-rows.ts';
import type { FieldPlan, ObjectPlan, OperationPlan, Shape } from './operation-plan.ts';

type Path = GraphQLResolveInfo['path'];
type Variables = GraphQLResolveInfo['variableValues'];
type Answered = Record<string, unknown>;
/** Where in the answer something stands, and as what it is told there. */
type Place = { field: FieldPlan; shape: Shape; path: Path };

/** One execution of a plan. */
type Run = {
  plan: OperationPlan;
  context: GraphqlContext;
  isMerchant: boolean;
  variables: Variables;
  errors: GraphQLError[];
};

/**
 * Executes an operation by its plan, by the rules of the specification and with the answers of the engine's own
 * executor, in a part of its time: nothing is looked up twice, and a member that is shown as it is costs no call.
 */
export function runPlan(
  plan: OperationPlan,
  { context, variables }: { context: GraphqlContext; variables: Variables },
): ExecutionResult | Promise<ExecutionResult> {
  const errors: GraphQLError[] = [];
  const run: Run = { plan, context, isMerchant: actsAsMerchant(context), variables, errors };
  const answer = (data: Answered | null) => (errors.length === 0 ? { data } : { errors, data });
  const fail = (error: unknown) => {
    errors.push(error as GraphQLError);
    return answer(null);
  };
  try {
    const isInTurn = plan.operation.operation === 'mutation';
    const data = isInTurn ? runInTurn(run, plan.root) : runFields(run, plan.root, undefined, undefined);
    return data instanceof Promise ? data.then(answer, fail) : answer(data);
  } catch (error) {
    return fail(error);
  }
}

async function runInTurn(run: Run, { fields }: ObjectPlan): Promise<Answered> {
  const answered: Answered = {};
  for (const field of fields) answered[field.key] = await runField(run, field, undefined, undefined);
  return answered;
}

/** The fields of one object; a promise where one of them is. Throws what leaves nothing of the object. */
function runFields(
  run: Run,
  { fields }: ObjectPlan,
  source: unknown,
  path: Path | undefined,
): Answered | Promise<Answered> {
  const answered: Answered = {};
  let isPending = false;
  try {
    for (const field of fields) {
      const value = runField(run, field, source, path);
      if (value instanceof Promise) isPending = true;
      answered[field.key] = value;
    }
  } catch (error) {
    if (!isPending) throw error;
    // What is under way is not left behind.
    return Promise.allSettled(Object.values(answered)).then(() => Promise.reject(error));
  }
  return isPending ? settle(answered) : answered;
}

async function settle(answered: Answered): Promise<Answered> {
  const pending = Object.keys(answered).filter((key) => answered[key] instanceof Promise);
  const values = await Promise.all(pending.map((key) => answered[key]));
  pending.forEach((key, i) => {
    answered[key] = values[i];
  });
  return answered;
}

function runField(run: Run, field: FieldPlan, source: unknown, parentPath: Path | undefined): unknown {
  const { key, parentType, shape } = field;
  const place: Place = { field, shape, path: { prev: parentPath, key, typename: parentType.name } };
  try {
    const value = isShown(run, field, source)
      ? (source as Answered)[field.member as string]
      : resolve(run, place, source);
    return tellLater(run, place, value);
  } catch (error) {
    return fault(run, place, error);
  }
}

/** Whether the member is all there is to the field, for whoever asks. */
function isShown({ isMerchant }: Run, { member, when }: FieldPlan, source: unknown): boolean {
  if (member === undefined || (when.isMerchantOnly && !isMerchant)) return false;
  return !when.isPrepared || isPrepared(source);
}

function resolve(run: Run, place: Place, source: unknown): unknown {
  const { field, nodes } = place.field;
  const args = field.args.length === 0 ? {} : getArgumentValues(field, nodes[0]!, run.variables);
  const resolver = field.resolve ?? defaultFieldResolver;
  return resolver(source, args, run.context, infoOf(run, place));
}

function infoOf(
  { plan, variables }: Run,
  { field: { field, nodes, parentType }, path }: Place,
): GraphQLResolveInfo {
  return {
    fieldName: field.name,
    fieldNodes: nodes,
    returnType: field.type,
    parentType,
    path,
    schema: plan.schema,
    fragments: plan.fragments,
    rootValue: undefined,
    operation: plan.operation,
    variableValues: variables,
    getAbortSignal,
    getAsyncHelpers,
  };
}

const getAbortSignal = () => undefined;
const asyncHelpers = {
  promiseAll: <T>(values: readonly (PromiseLike<T> | T)[]) => Promise.all(values),
  track: () => {},
};
const getAsyncHelpers = () => asyncHelpers;

/**
 * What stands at a place: told at once where it is there, and all of it is; else a promise, which does not fail for
 * itself.
 */
function tellLater(run: Run, place: Place, value: unknown): unknown {
  const isLate = isThenable(value);
  const told = isLate
    ? Promise.resolve(value).then((come) => tell(run, place, come))
    : tell(run, place, value);
  return told instanceof Promise ? told.catch((error) => fault(run, place, error)) : told;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}

/** What went wrong at a place: noted, or thrown on where the schema promises a value. */
function fault(run: Run, { field, shape, path }: Place, thrown: unknown): null {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const located = locatedError(error, field.nodes, responsePathAsArray(path));
  if (shape.isRequired) throw located;
  run.errors.push(located);
  return null;
}

/** A value in the form of its type; a promise where part of it comes later. */
function tell(run: Run, place: Place, value: unknown): unknown {
  if (value instanceof Error) throw value;
  const { shape, field } = place;
  if (value === null || value === undefined) {
    if (!shape.isRequired) return null;
    throw new Error(
      `Cannot return null for non-nullable field ${field.parentType.name}.${field.field.name}.`,
    );
  }
  switch (shape.kind) {
    case 'leaf':
      return tellLeaf(shape.type, value);
    case 'list':
      return tellList(run, place, shape.item, value);
    case 'object':
      return tellObject(run, place, shape.type, value);
    case 'abstract':
      return tellAbstract(run, place, shape.type, value);
  }
}

/** A value that does not fit its type is our fault, not the caller's, for whom GraphQLErrors are. */
function tellLeaf(type: GraphQLLeafType, value: unknown): unknown {
  try {
    const told = type.coerceOutputValue(value);
    if (told !== null && told !== undefined) return told;
  } catch (error) {
    throw error instanceof GraphQLError ? new Error(error.message) : error;
  }
  throw new Error(`A value of ${type.name} is told as nothing`);
}

function tellList(run: Run, { field, path }: Place, shape: Shape, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !(Symbol.iterator in value)) {
    throw new Error(`${field.parentType.name}.${field.field.name} is no list`);
  }
  const told: unknown[] = [];
  let isPending = false;
  for (const item of value as Iterable<unknown>) {
    const place: Place = { field, shape, path: { prev: path, key: told.length, typename: undefined } };
    const one = tellItem(run, place, item);
    if (one instanceof Promise) isPending = true;
    told.push(one);
  }
  return isPending ? Promise.all(told) : told;
}

function tellItem(run: Run, place: Place, item: unknown): unknown {
  try {
    return tellLater(run, place, item);
  } catch (error) {
    return fault(run, place, error);
  }
}

function tellAbstract(run: Run, place: Place, type: GraphQLAbstractType, value: unknown): unknown {
  if (!type.resolveType) throw new Error(`${type.name} does not say of what type a value is`);
  const name = type.resolveType(value, run.context, infoOf(run, place), type);
  const of = (found: string | undefined) => {
    const objectType = run.plan.schema.getType(found ?? '');
    if (isObjectType(objectType) && run.plan.schema.isSubType(type, objectType))
      return tellObject(run, place, objectType, value);
    throw new Error(`${found} is no type of ${type.name}`);
  };
  return name instanceof Promise ? name.then(of) : of(name as string | undefined);
}

function tellObject(run: Run, place: Place, type: GraphQLObjectType, value: unknown): unknown {
  const { field, path } = place;
  const fits = type.isTypeOf?.(value, run.context, infoOf(run, place)) ?? true;
  if (fits !== true) throw new Error(`${field.parentType.name}.${field.field.name} is no ${type.name}`);
  return runFields(run, field.objectPlan(type), value, path);
}
