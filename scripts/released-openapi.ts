import Fastify from 'fastify';
import type { Context } from '../src/context.ts';
import { documentKeywords } from '../src/rest/name-components.ts';
import { registerRest } from '../src/rest/register.ts';

export type OpenApiSchema = {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: OpenApiSchema[];
  properties?: Record<string, OpenApiSchema>;
  required?: string[];
  items?: OpenApiSchema;
  additionalProperties?: unknown;
};
type OpenApiMediaTypes = Record<string, { schema?: OpenApiSchema }>;
type OpenApiOperation = {
  parameters?: { name: string; in: string; required?: boolean; schema?: OpenApiSchema }[];
  requestBody?: { content?: OpenApiMediaTypes };
  responses?: Record<string, { content?: OpenApiMediaTypes }>;
};
/** The part of an OpenAPI document that `listBreakingChanges` compares. */
export type OpenApi = {
  paths?: Record<string, Record<string, OpenApiOperation>>;
  /** The notifications, by their event types. Their bodies are what Causeway sends. */
  webhooks?: Record<string, Record<string, OpenApiOperation>>;
  components?: { schemas?: Record<string, OpenApiSchema> };
};

/** Builds the OpenAPI document of the current code. The routes are registered but not called, so settings suffice. */
export async function buildOpenApi(): Promise<OpenApi> {
  const app = Fastify({ ajv: { customOptions: { keywords: documentKeywords } } });
  const settings = { publicUrl: 'http://127.0.0.1:4000' };
  await registerRest(app, { service: { settings } } as Context);
  await app.ready();
  return app.swagger() as OpenApi;
}

/** Returns the document with each reference replaced by its component. No component contains itself. */
export function dereference<T extends OpenApi>(document: T): T {
  const { schemas = {} } = document.components ?? {};
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref } = node as { $ref?: string };
    if ($ref !== undefined) return resolve(schemas[$ref.slice('#/components/schemas/'.length)]);
    return Object.fromEntries(Object.entries(node).map(([name, member]) => [name, resolve(member)]));
  };
  return resolve(document) as T;
}

/** Lists changes that break clients of the released document, one sentence each. Additions are compatible. */
export function listBreakingChanges(released: OpenApi, current: OpenApi): string[] {
  const [before, after] = [dereference(released), dereference(current)];
  const operations = compareOperations(before.paths, after.paths, listOperationChanges);
  const notifications = compareOperations(before.webhooks, after.webhooks, (name, old, now) =>
    listSentChanges(name, old.requestBody?.content, now.requestBody?.content),
  );
  return [...operations, ...notifications];
}

function compareOperations(
  before: OpenApi['paths'] = {},
  after: OpenApi['paths'] = {},
  compare: (name: string, before: OpenApiOperation, after: OpenApiOperation) => string[],
): string[] {
  return Object.entries(before).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const now = after[path]?.[method];
      return now ? compare(name, operation, now) : [`${name} is gone`];
    }),
  );
}

function listOperationChanges(name: string, before: OpenApiOperation, after: OpenApiOperation): string[] {
  const [oldParameters, newParameters] = [toParameterSchema(before), toParameterSchema(after)];
  const bodyChanges = listContentSchemas(before.requestBody?.content).flatMap(([type, schema]) => {
    const acceptedSchema = after.requestBody?.content?.[type]?.schema;
    return acceptedSchema
      ? listInputChanges(`${name} body`, schema, acceptedSchema)
      : [`${name} takes no ${type}`];
  });
  const responseChanges = Object.entries(before.responses ?? {})
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, { content }]) =>
      listSentChanges(`${name} ${status}`, content, after.responses?.[status]?.content),
    );
  return [
    ...listInputChanges(`${name} parameters`, oldParameters, newParameters),
    ...bodyChanges,
    ...responseChanges,
  ];
}

/** Lists breaking changes of what Causeway sends: a response or a notification. */
function listSentChanges(name: string, before?: OpenApiMediaTypes, after?: OpenApiMediaTypes): string[] {
  return listContentSchemas(before).flatMap(([type, schema]) => {
    const sentSchema = after?.[type]?.schema;
    return sentSchema ? listResponseChanges(name, schema, sentSchema) : [`${name} has no ${type}`];
  });
}

function listContentSchemas(content: OpenApiMediaTypes = {}): [type: string, schema: OpenApiSchema][] {
  return Object.entries(content).map(([type, { schema = {} }]) => [type, schema]);
}

/** Returns the parameters of an operation as the properties of one object schema. */
function toParameterSchema({ parameters = [] }: OpenApiOperation): OpenApiSchema {
  return {
    properties: Object.fromEntries(parameters.map(({ name, schema = {} }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/**
 * Lists breaking changes of input: input that was accepted must still be accepted, without new required
 * members.
 */
function listInputChanges(at: string, before: OpenApiSchema, after: OpenApiSchema): string[] {
  const { properties: oldProperties = {}, required: wasRequired = [] } = before;
  const { properties: newProperties = {}, required = [] } = after;
  return [
    ...findMissingTypes(before, after).map((type) => `${at} takes no ${type}`),
    ...findMissing(before.enum, after.enum ?? before.enum).map((value) => `${at} takes no ${value}`),
    ...findMissing(required, wasRequired).map((name) => `${at}/${name} is required`),
    ...Object.entries(oldProperties).flatMap(([name, schema]) => {
      const acceptedSchema = newProperties[name];
      if (acceptedSchema) return listInputChanges(`${at}/${name}`, schema, acceptedSchema);
      return after.additionalProperties === false ? [`${at}/${name} is rejected`] : [];
    }),
    ...(before.items && after.items ? listInputChanges(`${at}[]`, before.items, after.items) : []),
  ];
}

/** Lists breaking changes of responses: members that were returned must still be returned, with the same types. */
function listResponseChanges(at: string, before: OpenApiSchema, after: OpenApiSchema): string[] {
  const { properties: oldProperties = {}, required: wasRequired = [] } = before;
  return [
    ...findMissingTypes(after, before).map((type) => `${at} may be ${type}`),
    ...findMissing(wasRequired, after.required ?? []).map((name) => `${at}/${name} may be missing`),
    ...Object.entries(oldProperties).flatMap(([name, schema]) => {
      const returnedSchema = after.properties?.[name];
      return returnedSchema
        ? listResponseChanges(`${at}/${name}`, schema, returnedSchema)
        : [`${at}/${name} is gone`];
    }),
    ...(before.items && after.items ? listResponseChanges(`${at}[]`, before.items, after.items) : []),
  ];
}

/** Returns the types that `before` allows and `after` does not. A schema without a type allows all types. */
function findMissingTypes(before: OpenApiSchema, after: OpenApiSchema): string[] {
  const types = listTypes(after);
  return types.length === 0 ? [] : findMissing(listTypes(before), types);
}

function listTypes({ type, anyOf = [] }: OpenApiSchema): string[] {
  return [...[type ?? []].flat(), ...anyOf.flatMap(listTypes)];
}

function findMissing<T>(before: readonly T[] = [], after: readonly T[] = []): T[] {
  return before.filter((item) => !after.includes(item));
}
