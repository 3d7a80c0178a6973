import type { FastifyInstance, preHandlerHookHandler, preValidationHookHandler } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { invalidInput } from '../kit/errors.ts';

/** What a route's schema says about a member, as far as it matters here. */
type InputShape = {
  properties?: Record<string, InputShape>;
  items?: InputShape;
  additionalProperties?: unknown;
};

const noQuery = Type.Object({}, { additionalProperties: false });

/** So many ignored members are named, so that a hostile body does not make a huge header. */
const ignoredNamesMax = 20;
const nameLengthMax = 60;

/**
 * What a route does not know is refused at the top level of its query and body, also where the route takes none; deeper
 * down (in `customer`, `phone`, an order) it is ignored and named in the header `Ignored-Fields`.
 */
export function rejectUnknownInput(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.schema = { querystring: noQuery as TSchema, ...route.schema };
    const shape = route.schema.body as InputShape | undefined;
    if (shape) route.preHandler = [...[route.preHandler ?? []].flat(), reportIgnoredFields(shape)];
    else route.preValidation = [...[route.preValidation ?? []].flat(), rejectBodyHook];
  });
}

function reportIgnoredFields(shape: InputShape): preHandlerHookHandler {
  return ({ body }, reply, done) => {
    const ignored = findIgnoredFields(shape, body, '');
    if (ignored.length > 0) reply.header('ignored-fields', ignored.slice(0, ignoredNamesMax).join(', '));
    done();
  };
}

const rejectBodyHook: preValidationHookHandler = ({ body }, _reply, done) => {
  if (body != null) rejectBody(body);
  done();
};

function rejectBody(body: unknown): void {
  const [member] = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  if (member !== undefined)
    throw invalidInput(`/${member}`, 'is unknown: this operation does not accept a body');
  if (typeof body !== 'object' || Array.isArray(body))
    throw invalidInput('', 'must be empty: this operation does not accept a body');
}

/** JSON pointers of the members that the shape does not know, percent-encoded as a header needs it. */
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
