import { gunzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { expect } from 'vitest';
import type { ReceivedRequest, TestReceiver } from './receiver.ts';

/**
 * The OTLP 1.x JSON that a collector accepts at `/v1/traces`: the messages of opentelemetry-proto in the
 * mapping of the OTLP specification, with hexadecimal IDs, 64-bit numbers as text or number, enums as numbers,
 * and no additional members.
 */

const closed = { additionalProperties: false } as const;
const traceId = Type.String({ pattern: '^(?!0{32}$)[0-9a-f]{32}$' });
const spanId = Type.String({ pattern: '^(?!0{16}$)[0-9a-f]{16}$' });
const uint32 = Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 });
const uint64 = Type.Union([Type.String({ pattern: '^\\d{1,20}$' }), Type.Integer({ minimum: 0 })]);
const int64 = Type.Union([Type.String({ pattern: '^-?\\d{1,19}$' }), Type.Integer()]);

/** The types of attribute values that our spans use. */
const value = Type.Union([
  Type.Object({ stringValue: Type.String() }, closed),
  Type.Object({ boolValue: Type.Boolean() }, closed),
  Type.Object({ intValue: int64 }, closed),
  Type.Object({ doubleValue: Type.Number() }, closed),
]);
const attributes = Type.Optional(
  Type.Array(Type.Object({ key: Type.String({ minLength: 1 }), value }, closed)),
);
const dropped = Type.Optional(uint32);

const span = Type.Object(
  {
    traceId,
    spanId,
    parentSpanId: Type.Optional(spanId),
    traceState: Type.Optional(Type.String()),
    flags: Type.Optional(uint32),
    name: Type.String({ minLength: 1 }),
    kind: Type.Integer({ minimum: 1, maximum: 5 }),
    startTimeUnixNano: uint64,
    endTimeUnixNano: uint64,
    attributes,
    droppedAttributesCount: dropped,
    events: Type.Optional(
      Type.Array(
        Type.Object(
          { timeUnixNano: uint64, name: Type.String(), attributes, droppedAttributesCount: dropped },
          closed,
        ),
      ),
    ),
    droppedEventsCount: dropped,
    links: Type.Optional(Type.Array(Type.Never())),
    droppedLinksCount: dropped,
    status: Type.Optional(
      Type.Object(
        {
          code: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 })),
          message: Type.Optional(Type.String()),
        },
        closed,
      ),
    ),
  },
  closed,
);

const request = Compile(
  Type.Object(
    {
      resourceSpans: Type.Array(
        Type.Object(
          {
            resource: Type.Object({ attributes, droppedAttributesCount: dropped }, closed),
            scopeSpans: Type.Array(
              Type.Object(
                {
                  scope: Type.Object({ name: Type.String(), version: Type.Optional(Type.String()) }, closed),
                  spans: Type.Array(span, { minItems: 1 }),
                  schemaUrl: Type.Optional(Type.String()),
                },
                closed,
              ),
              { minItems: 1 },
            ),
            schemaUrl: Type.Optional(Type.String()),
          },
          closed,
        ),
        { minItems: 1 },
      ),
    },
    closed,
  ),
);

/** Returns the OTLP message of a request; throws if a collector would reject it. */
function parseOtlp({ method, path, headers, raw }: ReceivedRequest) {
  const type = headers['content-type'];
  if (method !== 'POST' || path !== '/v1/traces' || type !== 'application/json')
    throw new Error(`no request of OTLP: ${method} ${path} ${type}`);
  const bytes = headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
  const message: unknown = JSON.parse(bytes.toString('utf8'));
  const [, errors] = request.Errors(message);
  if (!request.Check(message)) throw new Error(`no OTLP: ${JSON.stringify(errors.slice(0, 5))}`);
  return message;
}

/** The service name in traces of tests. */
export const tracedServiceName = 'causeway of the test';

export type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number };
  attributes: Record<string, string | number>;
};

/** Returns all spans that a collector has received from `tracedServiceName`, after checking each request. */
export function readSpans({ requests }: TestReceiver): Span[] {
  return requests.flatMap((request) =>
    parseOtlp(request).resourceSpans.flatMap(({ resource, scopeSpans }) => {
      expect(toPlainAttributes(resource)['service.name']).toBe(tracedServiceName);
      const all = scopeSpans.flatMap(({ spans }) => spans);
      for (const { startTimeUnixNano, endTimeUnixNano } of all)
        expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
      return all.map((span) => ({ ...span, attributes: toPlainAttributes(span) }) as Span);
    }),
  );
}

type Tagged = { attributes?: { key: string; value: Record<string, unknown> }[] };
const toPlainAttributes = ({ attributes = [] }: Tagged) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
