import { gunzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { expect } from 'vitest';
import type { ReceivedRequest, Receiver } from './receiver.ts';

/**
 * What a collector takes at `/v1/traces` as OTLP 1.x in JSON: the messages of opentelemetry-proto
 * (`ExportTraceServiceRequest` and what it is made of) in the mapping of the OTLP specification, so ids in hexadecimal,
 * 64-bit numbers as text or number, enums as numbers, and no member that the messages do not have.
 */

const closed = { additionalProperties: false } as const;
const traceId = Type.String({ pattern: '^(?!0{32}$)[0-9a-f]{32}$' });
const spanId = Type.String({ pattern: '^(?!0{16}$)[0-9a-f]{16}$' });
const uint32 = Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 });
const uint64 = Type.Union([Type.String({ pattern: '^\\d{1,20}$' }), Type.Integer({ minimum: 0 })]);
const int64 = Type.Union([Type.String({ pattern: '^-?\\d{1,19}$' }), Type.Integer()]);

/** Of the kinds of values those that spans of ours have: one of them, and nothing beside. */
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

/** The message of a request, as a collector reads it. Throws for what a collector refuses. */
function readOtlp({ method, path, headers, raw }: ReceivedRequest) {
  const type = headers['content-type'];
  if (method !== 'POST' || path !== '/v1/traces' || type !== 'application/json')
    throw new Error(`no request of OTLP: ${method} ${path} ${type}`);
  const bytes = headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
  const message: unknown = JSON.parse(bytes.toString('utf8'));
  const [, faults] = request.Errors(message);
  if (!request.Check(message)) throw new Error(`no OTLP: ${JSON.stringify(faults.slice(0, 5))}`);
  return message;
}

/** What a service that is traced in a test is called. */
export const tracedName = 'causeway of the test';

export type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number };
  attributes: Record<string, string | number>;
};

/** What a collector has been sent, each request as OTLP says it must be, by a service of the name `tracedName`. */
export function spansOf({ requests }: Receiver): Span[] {
  return requests.flatMap((request) =>
    readOtlp(request).resourceSpans.flatMap(({ resource, scopeSpans }) => {
      expect(plain(resource)['service.name']).toBe(tracedName);
      const all = scopeSpans.flatMap(({ spans }) => spans);
      for (const { startTimeUnixNano, endTimeUnixNano } of all)
        expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
      return all.map((span) => ({ ...span, attributes: plain(span) }) as Span);
    }),
  );
}

type Tagged = { attributes?: { key: string; value: Record<string, unknown> }[] };
const plain = ({ attributes = [] }: Tagged) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
