import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type DocumentNode,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  Source,
  TokenKind,
} from 'graphql';
import { DomainError, invalidInputError } from '../../src/kit/errors.ts';
import { checkText } from '../../src/kit/text.ts';

/** The limits of one request, documented in docs/reference/graphql.md. */
export const limits = {
  /** Nested fields, counted from the root. */
  depth: 12,
  /** The cost of an operation, computed by `getFieldCost`. */
  cost: 10_000,
  aliases: 50,
  directives: 50,
  tokens: 3_000,
  /** Fields with the same response name in one selection set, including its fragments. */
  fieldsPerName: 50,
  /** Fields and fragments. The fields of a fragment count each time the fragment is spread. */
  selections: 10_000,
  /** Nested brackets in a document, and nested objects and lists in variables. */
  nesting: 64,
  /** Concurrent operations on one WebSocket. */
  operationsPerSocket: 100,
} as const;

/** The cost of an operation and the limit: the extension `cost` of every response. */
export type Cost = { requested: number; limit: number; remaining: number; depth: number };

/**
 * Rejects a document that is too large or contains text that PostgreSQL cannot store. Runs before parsing, in
 * one pass without recursion.
 */
export function checkDocument(text: string): void {
  const lexer = new Lexer(new Source(text));
  const counts = { tokens: 0, directives: 0, aliases: 0 };
  /** The brackets that are open at the token. A colon belongs to an alias if all of them are braces. */
  const openBrackets: string[] = [];
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    counts.tokens++;
    checkValues(token.value, '');
    if (token.kind === TokenKind.AT) counts.directives++;
    if (token.kind === TokenKind.COLON && isInSelectionSet(openBrackets)) counts.aliases++;
    if (isOpeningBracket(token.kind)) openBrackets.push(token.kind);
    if (isClosingBracket(token.kind)) openBrackets.pop();
    if (openBrackets.length > limits.nesting)
      throw new DomainError(
        'invalid_request',
        `A document must not nest brackets more than ${limits.nesting} levels deep`,
      );
    for (const name of ['tokens', 'directives', 'aliases'] as const) {
      if (counts[name] > limits[name]) throw tooManyError(name, limits[name]);
    }
  }
}

function isInSelectionSet(openBrackets: string[]): boolean {
  return openBrackets.length > 0 && openBrackets.every((kind) => kind === TokenKind.BRACE_L);
}

function isOpeningBracket(kind: string): boolean {
  return kind === TokenKind.BRACE_L || kind === TokenKind.PAREN_L || kind === TokenKind.BRACKET_L;
}

function isClosingBracket(kind: string): boolean {
  return kind === TokenKind.BRACE_R || kind === TokenKind.PAREN_R || kind === TokenKind.BRACKET_R;
}

function tooManyError(items: string, max: number): DomainError {
  return new DomainError('invalid_request', `A document must have at most ${max} ${items}`);
}

/**
 * Rejects values that are nested too deeply or contain text that PostgreSQL cannot store. Must run before
 * code with unbounded recursion.
 */
export function checkValues(value: unknown, path: string, depth = 0): void {
  if (typeof value === 'string') checkText(value, path, Number.POSITIVE_INFINITY);
  if (typeof value !== 'object' || value === null) return;
  if (depth >= limits.nesting)
    throw invalidInputError(path, `must not be nested more than ${limits.nesting} levels deep`);
  for (const [name, member] of Object.entries(value)) checkValues(member, `${path}/${name}`, depth + 1);
}

/**
 * Throws the error of the first invalid variable. The executor would report many errors: one for each invalid value
 * of a list.
 */
export function checkVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Record<string, unknown>,
): void {
  if (variableDefinitions.length === 0) return;
  const { errors } = getVariableValues(schema, variableDefinitions, variables, { maxErrors: 1 });
  if (errors) throw errors[0];
}

/**
 * Returns the cost of one operation of a valid document with checked variables (`checkVariables`), unless it exceeds a
 * limit. Introspection costs nothing; `introspectionLimits` restricts it.
 */
export function checkCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  options: { operation: OperationDefinitionNode; variables: Record<string, unknown>; context: object },
): Cost {
  const { operation, variables, context: ctx } = options;
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const operationDocument: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] };
  const { complexity, depth } = complexityFromQuery(operationDocument, { schema, ctx, variables });
  const cost = { requested: complexity, limit: limits.cost, remaining: limits.cost - complexity, depth };
  if (depth > limits.depth) throw overLimitError(`is ${depth} fields deep`, `${limits.depth}`);
  if (cost.remaining < 0)
    throw overLimitError(`may cost ${complexity}`, `${limits.cost}: request smaller pages`);
  return cost;
}

function overLimitError(violation: string, max: string): DomainError {
  return new DomainError('invalid_request', `The operation ${violation}; the limit is ${max}`);
}
