import {
  type DocumentNode,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type TypeNode,
} from 'graphql';
import { schema } from '../schema.ts';
import { type Cost, checkCost } from './limits.ts';
import { type OperationPlan, planOperation } from './operation-plan.ts';

/** An operation as it is executed. `cost` where it is the same whatever the variables are. */
export type KnownOperation = { document: DocumentNode; plan: OperationPlan; cost?: Cost };

const documents = new Map<string, DocumentNode>();
const documentsMax = 500;
/** A document without end is no program's. */
const lengthMax = 10_000;
/** Characters of all documents together: what is made of one takes up to 150 bytes for each. */
const charactersMax = 500_000;
let characters = 0;

/** Notes a document that has been checked and found valid, so that the next request with its text need not be. */
export function noteDocument(document: DocumentNode): void {
  const text = document.loc?.source.body;
  if (text === undefined || text.length > lengthMax) return;
  if (!documents.delete(text)) characters += text.length;
  documents.set(text, document);
  // Those that were asked for longest ago.
  for (const [oldest] of documents) {
    if (documents.size <= documentsMax && characters <= charactersMax) return;
    documents.delete(oldest);
    characters -= oldest.length;
  }
}

/** The document of a text that has been found valid before: all that the engine keeps of documents, too. */
export function findDocument(text: string): DocumentNode | undefined {
  return documents.get(text);
}

/** Null where there is no plan for it. By what the document holds: callers name operations as they like. */
const operations = new WeakMap<OperationDefinitionNode, KnownOperation | null>();

/** The operation of a valid document; undefined where the engine's own executor carries it out. */
export function operationOf(
  document: DocumentNode,
  operationName: string | null | undefined,
): KnownOperation | undefined {
  const definition = getOperationAST(document, operationName);
  if (!definition) return undefined;
  const known = operations.get(definition);
  if (known !== undefined) return known ?? undefined;
  const plan = planOperation(schema, document, operationName);
  const operation = plan ? { document, plan } : null;
  operations.set(definition, operation);
  return operation ?? undefined;
}

/** The operation of a text that has been found valid before. */
export function findOperation(
  text: string,
  operationName: string | null | undefined,
): KnownOperation | undefined {
  const document = findDocument(text);
  if (!document) return undefined;
  noteDocument(document);
  return operationOf(document, operationName);
}

/** What it costs, looked up once where variables do not count for it. Errors: as `checkCost`. */
export function costOf(
  operation: KnownOperation,
  { variables, context }: { variables: Record<string, unknown>; context: object },
): Cost {
  if (operation.cost) return operation.cost;
  const { document, plan } = operation;
  const cost = checkCost(schema, document, { operation: plan.operation, variables, context });
  const { variableDefinitions = [] } = plan.operation;
  if (!variableDefinitions.some(({ type }) => mayCount(type))) operation.cost = cost;
  return cost;
}

/** Cost hangs on the sizes of pages and the lengths of lists, see `fieldCost`. */
function mayCount(type: TypeNode): boolean {
  if (type.kind === Kind.NON_NULL_TYPE) return mayCount(type.type);
  return type.kind === Kind.LIST_TYPE || type.name.value === 'Int';
}
