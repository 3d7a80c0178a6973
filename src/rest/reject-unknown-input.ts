import type { FastifyInstance, preHandlerHookHandler, preValidationHookHandler } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { invalidInputError } from '../kit/errors.ts';
import { documentedAs } from './name-components.ts';

/** The relevant keywords of a route's schema. */
type InputShape = {
  properties?: Record<string, InputShape>;
  items?: InputShape;
  additionalProperties?: unknown;
  /** The shape of items that the route itself validates, each for its own result. */
  [documentedAs]?: InputShape;
};

const noQuery = Type.Object({}, { additionalProperties: false });

/** The maximum number and length of names in the header, which hostile bodies would otherwise make too large. */
const ignoredNamesMax = 20;
const nameLengthMax = 60;

/**
 * Treats null members of bodies as absent, because many serializers write absent values as null. Rejects
 * unknown members at the top level of query and body, including on routes that accept neither. Unknown nested
 * members (in `customer`, `phone`, an order) are ignored and listed in the header `Ignored-Fields`.
 */
export function rejectUnknownInput(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.schema = { querystring: noQuery as TSchema, ...route.schema };
    const shape = route.schema.body as InputShape | undefined;
    if (shape) route.preValidation = [omitNullsHook(shape), ...[route.preValidation ?? []].flat()];
    if (shape) route.preHandler = [...[route.preHandler ?? []].flat(), reportIgnoredFields(shape)];
    else route.preValidation = [...[route.preValidation ?? []].flat(), rejectBodyHook];
  });
}

function reportIgnoredFields(shape: InputShape): preHandlerHookHandler {
  return ({ body }, reply, done) => {
    const ignoredFields = findIgnoredFields(shape, body, '');
    if (ignoredFields.length > 0)
      reply.header('ignored-fields', ignoredFields.slice(0, ignoredNamesMax).join(', '));
    done();
  };
}

function omitNullsHook(shape: InputShape): preValidationHookHandler {
  return ({ body }, _reply, done) => {
    omitNulls(shape, body);
    done();
  };
}

function omitNulls(shape: InputShape, value: unknown): void {
  const { properties, items } = shape[documentedAs] ?? shape;
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (items) for (const item of value) omitNulls(items, item);
    return;
  }
  const members = value as Record<string, unknown>;
  for (const [name, member] of Object.entries(members)) {
    const memberShape = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (member === null && memberShape) delete members[name];
    else if (memberShape) omitNulls(memberShape, member);
  }
}

const rejectBodyHook: preValidationHookHandler = ({ body }, _reply, done) => {
  if (body != null) rejectBody(body);
  done();
};

function rejectBody(body: unknown): void {
  const [member] = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  if (member !== undefined)
    throw invalidInputError(`/${member}`, 'is unknown: this operation does not accept a body');
  if (typeof body !== 'object' || Array.isArray(body))
    throw invalidInputError('', 'must be empty: this operation does not accept a body', 'The body');
}

/** Returns JSON pointers of unknown members, percent-encoded for a header. */
function findIgnoredFields(shape: InputShape, value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    const { items } = shape;
    return items ? value.flatMap((item, i) => findIgnoredFields(items, item, `${path}/${i}`)) : [];
  }
  const { properties } = shape;
  if (!properties) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const memberShape = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (memberShape && !memberShape.properties && !memberShape.items) return [];
    const pointer = `${path}/${encodeURIComponent(name.slice(0, nameLengthMax).toWellFormed())}`;
    return memberShape ? findIgnoredFields(memberShape, member, pointer) : [pointer];
  });
}
