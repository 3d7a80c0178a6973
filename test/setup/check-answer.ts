import type { FastifyInstance } from 'fastify';
import { Compile, type Validator } from 'typebox/schema';

/** An answer of the REST interface, as a test got it. */
type GivenAnswer = {
  method: string;
  url: string;
  status: number;
  contentType: string | undefined;
  body: string;
};

type Schema = Record<string, unknown>;
type Response = { content?: Record<string, { schema: Schema }> };
type Operation = { name: string; path: RegExp; responses: Record<string, Response> };
type Checker = { operations: Operation[]; validatorOf: (schema: Schema) => Validator };

const checkers = new WeakMap<FastifyInstance, Checker>();

/** Throws when the answer is not what the service's own OpenAPI document says of the operation. */
export function checkAnswer(app: FastifyInstance, answer: GivenAnswer): void {
  const { operations, validatorOf } = checkerOf(app);
  const path = answer.url.split('?')[0] ?? '';
  const operation = operations.find(
    ({ name, path: form }) => name.startsWith(`${answer.method} `) && form.test(path),
  );
  // No operation: an unknown route or method, or one that is not part of the interface.
  if (!operation) return;
  const fault = (what: string) =>
    new Error(`${operation.name} answered ${what}:\n${answer.body.slice(0, 600)}`);
  const response = operation.responses[answer.status];
  if (!response) throw fault(`${answer.status}, which the document does not name`);
  const type = answer.contentType?.split(';')[0] ?? 'nothing';
  const content = response.content?.[type];
  if (!content) throw fault(`${answer.status} as ${type}`);
  const value = type.includes('json') ? JSON.parse(answer.body) : answer.body;
  const [isValid, errors] = validatorOf(content.schema).Errors(value);
  if (!isValid) throw fault(`${answer.status} against its schema (${JSON.stringify(errors.slice(0, 3))})`);
}

function checkerOf(app: FastifyInstance): Checker {
  const known = checkers.get(app);
  if (known) return known;
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
  const validatorOf = (schema: Schema) => {
    const validator = validators.get(schema) ?? Compile(resolve(schema, Problem as Schema) as Schema);
    validators.set(schema, validator as Validator);
    return validator as Validator;
  };
  const checker = { operations, validatorOf };
  checkers.set(app, checker);
  return checker;
}

/** The only reference in the document is that to the problem. */
function resolve(node: unknown, problem: Schema): unknown {
  if (Array.isArray(node)) return node.map((item) => resolve(item, problem));
  if (typeof node !== 'object' || node === null) return node;
  if ('$ref' in node) return problem;
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolve(value, problem)]));
}
