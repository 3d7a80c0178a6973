import fc from 'fast-check';
import { expect } from 'vitest';
import { dereference } from '../../scripts/released-openapi.ts';
import { basicAuth } from '../setup/api.ts';
import { systemTimeAppTest } from '../setup/app-fixtures.ts';
import { checkResponse } from '../setup/check-response.ts';
import { fuzz } from '../setup/fuzz.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { seedCompletedCharge } from '../setup/seed.ts';

const test = systemTimeAppTest.extend(
  'knownIds',
  async ({ service, merchant }): Promise<Record<string, string[]>> => {
    const charge = await seedCompletedCharge(service, merchant, { now: new Date() });
    return {
      id: [charge.id, 'ch_none', 're_none', 'ses_none'],
      chargeId: [charge.id],
      apiKey: [merchant.keys.sandbox.publishableKey],
    };
  },
);

/**
 * Sends valid, nearly valid and hostile requests of the OpenAPI document. Each response must be documented,
 * and none may be 5xx.
 */

type Schema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minimum?: number;
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
};
type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
type Operation = {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
};

const hostile = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  1e21,
  1e-9,
  0.1 + 0.2,
  '',
  ' ',
  '0',
  '\0',
  '\ud800',
  '../../etc/passwd',
  "' OR 1=1 --",
  '<script>',
  'x'.repeat(5_000),
  '=cmd()',
  '%00',
  [],
  {},
  [[[]]],
  JSON.parse('{"__proto__":null,"a":1}'),
  Number.MAX_SAFE_INTEGER,
  '2026-02-30T00:00:00',
  '\u202e',
  'NaN',
);
const likely: Record<string, unknown[]> = {
  email: ['ada@example.com'],
  merchantAmount: [5, 96.5],
  amount: [5, 96.5],
  customerAmount: [1, 0.5],
  merchantCurrency: ['HKD', 'USD', 'IDR'],
  currency: ['HKD', 'USD', 'VND'],
  sourceCurrency: ['HKD', 'USD'],
  destinationCurrency: ['SGD', 'KRW'],
  sourceAmount: ['1', '12.50'],
  notifyUrl: ['https://shop.example/n'],
  redirectUrl: ['https://shop.example/'],
  startDate: ['2026-01-01T00:00:00'],
  endDate: ['2027-01-01T00:00:00Z'],
  customerPhone: ['85251234567'],
  page: ['1', '2', '99999999999'],
  limit: ['1', '50', '51'],
  code: ['+852', '012345'],
  phone: ['51234567'],
};

/** A valid value of the schema, usually a meaningful one. */
function arbitraryValue(
  knownIds: Record<string, string[]>,
  schema: Schema,
  name = '',
): fc.Arbitrary<unknown> {
  const meaningfulValues = [...(likely[name] ?? []), ...(knownIds[name] ?? [])];
  const isPlain = schema.type !== 'object' && schema.type !== 'array';
  if (meaningfulValues.length > 0 && isPlain) return fc.constantFrom(...meaningfulValues);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf)
    return fc.oneof(...schema.anyOf.map((alternative) => arbitraryValue(knownIds, alternative, name)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  switch (schema.type) {
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -5, max: 1_000 });
    case 'number':
      return fc.oneof(fc.integer({ min: 1, max: 10_000 }), fc.double({ noNaN: true }));
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(arbitraryValue(knownIds, schema.items ?? {}), { maxLength: 4 });
    case 'object':
      return arbitraryObject(knownIds, schema);
    case 'string':
      return fc.oneof(fc.string({ maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 40 }));
    default:
      return fc.jsonValue();
  }
}

function arbitraryObject(
  knownIds: Record<string, string[]>,
  { properties, required = [], patternProperties }: Schema,
): fc.Arbitrary<unknown> {
  if (patternProperties)
    return fc.dictionary(fc.constantFrom('HK', 'SG', 'XX'), fc.array(fc.constantFrom('fps', 'paynow', 'x')));
  const members = Object.entries(properties ?? {}).map(
    ([name, schema]) => [name, arbitraryValue(knownIds, schema, name)] as const,
  );
  return fc.record(Object.fromEntries(members), { requiredKeys: required as never[] });
}

/** The value, possibly with a member removed, replaced by a hostile value, or added. */
function withChange(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const changes = fc.tuple(
    value,
    fc.constantFrom('keep', 'keep', 'lose', 'swap', 'add', 'replace'),
    fc.nat(),
    hostile,
  );
  return changes.map(([original, change, pick, hostileValue]) => {
    if (change === 'replace') return hostileValue;
    if (change === 'keep' || typeof original !== 'object' || original === null || Array.isArray(original))
      return original;
    const copy: Record<string, unknown> = { ...original };
    const names = Object.keys(copy);
    const name = names[pick % Math.max(names.length, 1)];
    if (change === 'add') copy[(JSON.stringify(hostileValue) ?? 'x').slice(0, 20)] = hostileValue;
    else if (name !== undefined && change === 'lose') delete copy[name];
    else if (name !== undefined) copy[name] = hostileValue;
    return copy;
  });
}

test('Random requests from the OpenAPI document get documented responses, and never 5xx', async ({
  app,
  merchant,
  knownIds,
}) => {
  const document = dereference((await app.app.inject('/openapi.json')).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const requests = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      arbitraryRequest(knownIds, method.toUpperCase(), path, operation),
    ),
  );
  const statuses = new Map<number, number>();
  await fuzz(
    fc.oneof(...requests),
    async ({ method, url, body, headers }) => {
      const response = await app.app.inject({
        method: method as 'POST',
        url,
        headers: {
          authorization: basicAuth(merchant.keys.sandbox),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { payload: JSON.stringify(body) ?? 'undefined' }),
      });
      const { statusCode: status } = response;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect(
        status,
        `${method} ${url} ${JSON.stringify(body)?.slice(0, 500)}: ${response.body.slice(0, 300)}`,
      ).toBeLessThan(500);
      checkResponse(app.app, {
        method,
        url,
        status,
        contentType: String(response.headers['content-type']),
        body: response.body,
      });
    },
    { short: 500 },
  );
  // Many requests must be accepted, or the test would check error responses only.
  const all = [...statuses.values()].reduce((sum, number) => sum + number);
  expect((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0)).toBeGreaterThan(0.1 * all);
  await expectInvariants(app.context.service);
}, 3_600_000);

function arbitraryRequest(
  knownIds: Record<string, string[]>,
  method: string,
  path: string,
  { parameters = [], requestBody }: Operation,
) {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const queryArbitrary = withChange(
    fc.record(
      Object.fromEntries(query.map(({ name, schema }) => [name, arbitraryValue(knownIds, schema, name)])),
      {
        requiredKeys: query.filter(({ required }) => required).map(({ name }) => name) as never[],
      },
    ),
  );
  const schema = requestBody?.content['application/json']?.schema;
  const bodyArbitrary = schema ? withChange(arbitraryValue(knownIds, schema)) : fc.constant(undefined);
  const id = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...knownIds.id!) },
    // Dot segments would be removed from the URL.
    { weight: 1, arbitrary: fc.string().filter((text) => text !== '.' && text !== '..') },
  );
  const key = fc.option(
    fc.oneof(
      fc.constant('the same key'),
      fc.string({ minLength: 1, maxLength: 300, unit: fc.constantFrom(...'abc-_ 123') }),
    ),
    { nil: undefined, freq: 3 },
  );
  return fc
    .tuple(queryArbitrary, bodyArbitrary, id, key)
    .map(([queryValues, body, objectId, idempotencyKey]) => {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries((queryValues ?? {}) as object)) {
        search.append(
          name,
          (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed(),
        );
      }
      const requestPath = path.replace('{id}', encodeURIComponent(objectId.toWellFormed()) || 'x');
      const url = search.size > 0 ? `${requestPath}?${search}` : requestPath;
      return {
        method,
        url,
        body,
        headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
      };
    });
}
