import type { FastifyInstance, preHandlerHookHandler, preValidationHookHandler } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { invalidInput } from '../kit/errors.ts';

/** What a route's schema says about a member, as far as it matters here. */
type Shape = { properties?: Record<string, Shape>; items?: Shape; additionalProperties?: unknown };

const noQuery = Type.Object({}, { additionalProperties: false });

/** So many ignored members are named, so that a hostile body does not make a huge header. */
const namedMax = 20;
const nameLengthMax = 60;

/**
 * What a route does not know is refused at the top level of its query and body, also where the route takes none; deeper
 * down (in `customer`, `phone`, an order) it is ignored and named in the header `Ignored-Fields`.
 */
export function refuseUnknownInput(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.schema = { querystring: noQuery as TSchema, ...route.schema };
    const shape = route.schema.body as Shape | undefined;
    if (shape) route.preHandler = [...[route.preHandler ?? []].flat(), tellIgnored(shape)];
    else route.preValidation = [...[route.preValidation ?? []].flat(), refuseBodies];
  });
}

function tellIgnored(shape: Shape): preHandlerHookHandler {
  return ({ body }, reply, done) => {
    const ignored = ignoredIn(shape, body, '');
    if (ignored.length > 0) reply.header('ignored-fields', ignored.slice(0, namedMax).join(', '));
    done();
  };
}

const refuseBodies: preValidationHookHandler = ({ body }, _reply, done) => {
  if (body != null) refuseBody(body);
  done();
};

function refuseBody(body: unknown): void {
  const [unknown] = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  if (unknown !== undefined)
    throw invalidInput(`/${unknown}`, 'is unknown: this operation does not accept a body');
  if (typeof body !== 'object' || Array.isArray(body))
    throw invalidInput('', 'must be empty: this operation does not accept a body');
}

/** JSON pointers of the members that the shape does not know, percent-encoded as a header needs it. */
function ignoredIn(shape: Shape, value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    const { items } = shape;
    return items ? value.flatMap((item, i) => ignoredIn(items, item, `${path}/${i}`)) : [];
  }
  const { properties } = shape;
  if (!properties) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known && !known.properties && !known.items) return [];
    const at = `${path}/${encodeURIComponent(name.slice(0, nameLengthMax).toWellFormed())}`;
    return known ? ignoredIn(known, member, at) : [at];
  });
}
