import type { FastifyRequest } from 'fastify';
import type { GraphQLParams } from 'graphql-yoga';
import { invalidInputError } from '../../src/kit/errors.ts';
import { checkValues } from './limits.ts';

/**
 * Returns the parameters of a request, which Yoga also executes. If Yoga parsed the URL again, it could find
 * another document than the one that was checked.
 */
export function readRequestParams({ method, body, query }: FastifyRequest): GraphQLParams {
  const params = method === 'POST' ? body : readQueryString(query as Record<string, unknown>);
  if (!isGraphqlParams(params)) throw invalidInputError('/query', 'must be a GraphQL document');
  return params;
}

export function checkParams({ headers }: FastifyRequest, params: GraphQLParams): void {
  // Yoga builds a URL from the host.
  if (!URL.canParse(`http://${headers.host || 'localhost'}`))
    throw invalidInputError('/headers/Host', 'must be a valid host');
  checkValues(params, '');
}

/** Checks only the query; Yoga validates the other parameters. */
function isGraphqlParams(params: unknown): params is GraphQLParams {
  if (typeof params !== 'object' || params === null || !('query' in params)) return false;
  return params.query == null || typeof params.query === 'string';
}

function readQueryString(query: Record<string, unknown>): object {
  const readText = (name: string): string | undefined => {
    const value = query[name];
    if (value !== undefined && typeof value !== 'string')
      throw invalidInputError(`/${name}`, 'must be given at most once');
    return value || undefined;
  };
  const readJson = (name: string): unknown => {
    const value = readText(name);
    try {
      return value === undefined ? undefined : JSON.parse(value);
    } catch {
      throw invalidInputError(`/${name}`, 'must be JSON');
    }
  };
  return {
    query: readText('query'),
    operationName: readText('operationName'),
    variables: readJson('variables'),
    extensions: readJson('extensions'),
  };
}
