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
import { DomainError, invalidInput } from '../../src/kit/errors.ts';
import { checkText } from '../../src/kit/text.ts';

/** What one request may ask for; docs/graphql.md tells them. */
export const limits = {
  /** Fields within fields, from the root. */
  depth: 12,
  /** Cost of an operation, as `fieldCost` counts. */
  cost: 10_000,
  aliases: 50,
  directives: 50,
  tokens: 3_000,
  /** Fields with one response name in one selection set, with its fragments. */
  fieldsPerName: 50,
  /** Fields and fragments, those of a fragment counted each time it is spread. */
  selections: 10_000,
  /** Brackets within brackets of a document, and objects and lists within each other in variables. */
  nesting: 64,
  /** At a time on one WebSocket. */
  operationsPerSocket: 100,
} as const;

/** What an operation costs of what one request may: the extension `cost` of every answer. */
export type Cost = { requested: number; limit: number; left: number; depth: number };

/**
 * Refuses a document for its size, and for text in it that PostgreSQL cannot store, before it is parsed: in one pass that
 * does not recurse. Errors: `invalid_request`, and a GraphQLError for what is no GraphQL at all.
 */
export function checkDocument(text: string): void {
  const lexer = new Lexer(new Source(text));
  const counts = { tokens: 0, directives: 0, aliases: 0 };
  /** The brackets that are open; a colon in braces that stand in none is an alias. */
  const openBrackets: string[] = [];
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    counts.tokens++;
    checkValues(token.value, '');
    if (token.kind === TokenKind.AT) counts.directives++;
    if (token.kind === TokenKind.COLON && isInSelectionSet(openBrackets)) counts.aliases++;
    if (isOpeningBracket(token.kind)) openBrackets.push(token.kind);
    if (isClosingBracket(token.kind)) openBrackets.pop();
    if (openBrackets.length > limits.nesting) throw tooMany('brackets within brackets', limits.nesting);
    for (const name of ['tokens', 'directives', 'aliases'] as const) {
      if (counts[name] > limits[name]) throw tooMany(name, limits[name]);
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

function tooMany(items: string, max: number): DomainError {
  return new DomainError('invalid_request', `A document must have at most ${max} ${items}`);
}

/**
 * Refuses values that are nested too deep to be read, and text that PostgreSQL cannot store. Before anything that
 * recurses without a bound. Error: `invalid_request`.
 */
export function checkValues(value: unknown, path: string, depth = 0): void {
  if (typeof value === 'string') checkText(value, path, Number.POSITIVE_INFINITY);
  if (typeof value !== 'object' || value === null) return;
  if (depth >= limits.nesting)
    throw invalidInput(path, `must not be nested more than ${limits.nesting} levels deep`);
  for (const [name, member] of Object.entries(value)) checkValues(member, `${path}/${name}`, depth + 1);
}

/**
 * Stops at the first variable that does not fit: a list may hold one for each value, and the executor looks at many.
 * Error: a GraphQLError.
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
 * The cost of one operation of a valid document. Introspection costs nothing: `boundIntrospection` bounds it. Errors:
 * `invalid_request` where it is over a limit. Its variables have been checked (`checkVariables`).
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
  const cost = { requested: complexity, limit: limits.cost, left: limits.cost - complexity, depth };
  if (depth > limits.depth) throw overLimit(`is ${depth} fields deep`, `${limits.depth}`);
  if (cost.left < 0) throw overLimit(`may cost ${complexity}`, `${limits.cost}: request smaller pages`);
  return cost;
}

function overLimit(violation: string, max: string): DomainError {
  return new DomainError('invalid_request', `The operation ${violation}; the limit is ${max}`);
}
