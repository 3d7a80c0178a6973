import type { FastifyInstance } from 'fastify';
import { Compile, type Validator } from 'typebox/schema';

/** A response of the REST API. */
type RestResponse = {
  method: string;
  url: string;
  status: number;
  contentType: string | undefined;
  body: string;
};

type Schema = Record<string, unknown>;
type Response = { content?: Record<string, { schema: Schema }> };
type Operation = { name: string; path: RegExp; responses: Record<string, Response> };
type ResponseChecker = { operations: Operation[]; getValidator: (schema: Schema) => Validator };

const checkers = new WeakMap<FastifyInstance, ResponseChecker>();

/** Throws if the response does not match the OpenAPI document of the service. */
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
  const [isValid, errors] = getValidator(content.schema).Errors(value);
  if (!isValid)
    throw createError(`${restResponse.status} against its schema (${JSON.stringify(errors.slice(0, 3))})`);
}

function getChecker(app: FastifyInstance): ResponseChecker {
  const existing = checkers.get(app);
  if (existing) return existing;
  const document = app.swagger() as unknown as {
    paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
    components: { schemas: Record<string, Schema> };
  };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
      responses,
    })),
  );
  // /charges/hash before /charges/{id}.
  operations.sort((a, b) => a.name.split('{').length - b.name.split('{').length);
  const { Problem } = document.components.schemas;
  const validators = new Map<Schema, Validator>();
  const getValidator = (schema: Schema) => {
    const validator = validators.get(schema) ?? Compile(resolve(schema, Problem as Schema) as Schema);
    validators.set(schema, validator as Validator);
    return validator as Validator;
  };
  const checker = { operations, getValidator };
  checkers.set(app, checker);
  return checker;
}

/** The document has references to the problem schema only. */
function resolve(node: unknown, problem: Schema): unknown {
  if (Array.isArray(node)) return node.map((item) => resolve(item, problem));
  if (typeof node !== 'object' || node === null) return node;
  if ('$ref' in node) return problem;
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolve(value, problem)]));
}
