import Fastify from 'fastify';
import type { Context } from '../src/context.ts';
import { registerRest } from '../src/rest/register.ts';

/** The OpenAPI document of the newest release; there is none before the first. */
export const releasedOpenApiFile = new URL('../docs/openapi-released.json', import.meta.url);

export type Schema = {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: unknown;
};
type Content = Record<string, { schema?: Schema }>;
type Operation = {
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[];
  requestBody?: { content?: Content };
  responses?: Record<string, { content?: Content }>;
};
/** What of an OpenAPI document is compared. */
export type OpenApi = { paths?: Record<string, Record<string, Operation>> };

/** The document as it is at present. Routes are only described: nothing is asked of the service. */
export async function presentOpenApi(): Promise<OpenApi> {
  const app = Fastify();
  const settings = { publicUrl: 'http://127.0.0.1:4000' };
  await registerRest(app, { service: { settings } } as Context);
  await app.ready();
  return app.swagger() as OpenApi;
}

/** What breaks whoever wrote to the released document, one sentence a change. What is only added breaks nobody. */
export function breakingChanges(released: OpenApi, now: OpenApi): string[] {
  return Object.entries(released.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, before]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const after = now.paths?.[path]?.[method];
      return after ? changesOf(name, before, after) : [`${name} is gone`];
    }),
  );
}

function changesOf(name: string, before: Operation, after: Operation): string[] {
  const [old, present] = [parametersOf(before), parametersOf(after)];
  const bodies = contentOf(before.requestBody?.content).flatMap(([type, schema]) => {
    const taken = after.requestBody?.content?.[type]?.schema;
    return taken ? inputChanges(`${name} body`, schema, taken) : [`${name} takes no ${type}`];
  });
  const answers = Object.entries(before.responses ?? {})
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, { content }]) =>
      contentOf(content).flatMap(([type, schema]) => {
        const given = after.responses?.[status]?.content?.[type]?.schema;
        return given
          ? answerChanges(`${name} ${status}`, schema, given)
          : [`${name} answers no ${status} ${type}`];
      }),
    );
  return [...inputChanges(`${name} parameters`, old, present), ...bodies, ...answers];
}

function contentOf(content: Content = {}): [type: string, schema: Schema][] {
  return Object.entries(content).map(([type, { schema = {} }]) => [type, schema]);
}

/** The parameters of an operation as members of one object. */
function parametersOf({ parameters = [] }: Operation): Schema {
  return {
    properties: Object.fromEntries(parameters.map(({ name, schema = {} }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** What was taken must be taken still, and no more be asked for. */
function inputChanges(at: string, before: Schema, after: Schema): string[] {
  const { properties: old = {}, required: wasRequired = [] } = before;
  const { properties: present = {}, required = [] } = after;
  return [
    ...lostTypes(before, after).map((type) => `${at} takes no ${type}`),
    ...lost(before.enum, after.enum ?? before.enum).map((word) => `${at} takes no ${word}`),
    ...lost(required, wasRequired).map((name) => `${at}/${name} is required`),
    ...Object.entries(old).flatMap(([name, schema]) => {
      const taken = present[name];
      if (taken) return inputChanges(`${at}/${name}`, schema, taken);
      return after.additionalProperties === false ? [`${at}/${name} is refused`] : [];
    }),
    ...(before.items && after.items ? inputChanges(`${at}[]`, before.items, after.items) : []),
  ];
}

/** What was told must be told still, in the same form. */
function answerChanges(at: string, before: Schema, after: Schema): string[] {
  const { properties: old = {}, required: wasRequired = [] } = before;
  return [
    ...lostTypes(after, before).map((type) => `${at} may be ${type}`),
    ...lost(wasRequired, after.required ?? []).map((name) => `${at}/${name} may be missing`),
    ...Object.entries(old).flatMap(([name, schema]) => {
      const told = after.properties?.[name];
      return told ? answerChanges(`${at}/${name}`, schema, told) : [`${at}/${name} is gone`];
    }),
    ...(before.items && after.items ? answerChanges(`${at}[]`, before.items, after.items) : []),
  ];
}

/** A schema that names no type lets all of them be. */
function lostTypes(before: Schema, after: Schema): string[] {
  const types = typesOf(after);
  return types.length === 0 ? [] : lost(typesOf(before), types);
}

function typesOf({ type, anyOf = [] }: Schema): string[] {
  return [...[type ?? []].flat(), ...anyOf.flatMap(typesOf)];
}

function lost<T>(before: readonly T[] = [], after: readonly T[] = []): T[] {
  return before.filter((one) => !after.includes(one));
}
