import type { FastifyInstance } from 'fastify';
import { Compile, type Validator } from 'typebox/schema';
import { dereference, type OpenApi } from '../../scripts/released-openapi.ts';

type RestResponse = {
  method: string;
  url: string;
  status: number;
  contentType: string | undefined;
  body: string;
};

type Schema = Record<string, unknown>;
type DocumentedResponse = { 'x-error-codes'?: string[]; content?: Record<string, { schema: Schema }> };
type DocumentedOperation = { name: string; path: RegExp; responses: Record<string, DocumentedResponse> };
type ResponseChecker = {
  operations: DocumentedOperation[];
  getValidator: (schema: Schema, usesEpochTimestamps: boolean) => Validator;
};

const checkers = new WeakMap<FastifyInstance, ResponseChecker>();

export function checkResponse(app: FastifyInstance, restResponse: RestResponse): void {
  const { operations, getValidator } = getChecker(app);
  const path = restResponse.url.split('?')[0] ?? '';
  const operation = operations.find(
    ({ name, path: pattern }) => name.startsWith(`${restResponse.method} `) && pattern.test(path),
  );
  // Unknown routes and methods are not documented.
  if (!operation) return;
  const createError = (problem: string) =>
    new Error(`${operation.name} answered ${problem}:\n${restResponse.body.slice(0, 600)}`);
  const response = operation.responses[restResponse.status];
  if (!response) throw createError(`${restResponse.status}, which the document does not name`);
  const type = restResponse.contentType?.split(';')[0] ?? 'nothing';
  const content = response.content?.[type];
  if (!content) throw createError(`${restResponse.status} as ${type}`);
  const value = type.includes('json') ? JSON.parse(restResponse.body) : restResponse.body;
  const usesEpochTimestamps = restResponse.url.includes('timestamps=epoch');
  const [isValid, errors] = getValidator(content.schema, usesEpochTimestamps).Errors(value);
  const codes = response['x-error-codes'];
  if (codes && !codes.includes(value.code))
    throw createError(`${value.code}, which the document does not name`);
  if (!isValid)
    throw createError(`${restResponse.status} against its schema (${JSON.stringify(errors.slice(0, 3))})`);
}

function getChecker(app: FastifyInstance): ResponseChecker {
  const existing = checkers.get(app);
  if (existing) return existing;
  const document = dereference(app.swagger() as OpenApi);
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
      responses: responses as Record<string, DocumentedResponse>,
    })),
  );
  // Sorts /charges/hash before /charges/{id}, which also matches its path.
  operations.sort((a, b) => a.name.split('{').length - b.name.split('{').length);
  const isoValidators = new Map<Schema, Validator>();
  const epochValidators = new Map<Schema, Validator>();
  const getValidator = (schema: Schema, usesEpochTimestamps: boolean) => {
    const validators = usesEpochTimestamps ? epochValidators : isoValidators;
    const validator =
      validators.get(schema) ?? (Compile(usesEpochTimestamps ? withEpochTimes(schema) : schema) as Validator);
    validators.set(schema, validator);
    return validator;
  };
  const checker = { operations, getValidator };
  checkers.set(app, checker);
  return checker;
}

/** The document describes only the default format of times. */
function withEpochTimes(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_, node) =>
    node?.format === 'date-time' ? { type: 'integer' } : node,
  );
}
