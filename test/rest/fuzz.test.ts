import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { basic } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { checkAnswer } from '../setup/check-answer.ts';
import { fuzz } from '../setup/fuzz.ts';
import { makeCompletedCharge, makeMerchant } from '../setup/makers.ts';
import { expectSound } from '../setup/sound.ts';

/**
 * Requests made from the OpenAPI document: valid, nearly valid, and hostile. None is answered 5xx, and every answer is as
 * the document says.
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

let app: TestApp;
let merchant: NewMerchant;
let known: Record<string, string[]>;

beforeAll(async () => {
  app = await testApp();
  merchant = await makeMerchant(app.context.service);
  const charge = await makeCompletedCharge(app.context.service, merchant, { now: new Date() });
  known = {
    id: [charge.id, 'ch_none', 're_none', 'ses_none'],
    chargeId: [charge.id],
    apiKey: [merchant.keys.sandbox.publishableKey],
  };
});

const nasty = fc.constantFrom<unknown>(
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

/** A value that the schema allows, most of the time one that means something. */
function fitting(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const meant = [...(likely[name] ?? []), ...(known[name] ?? [])];
  const isPlain = schema.type !== 'object' && schema.type !== 'array';
  if (meant.length > 0 && isPlain) return fc.constantFrom(...meant);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => fitting(one, name)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  switch (schema.type) {
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -5, max: 1_000 });
    case 'number':
      return fc.oneof(fc.integer({ min: 1, max: 10_000 }), fc.double({ noNaN: true }));
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fitting(schema.items ?? {}), { maxLength: 4 });
    case 'object':
      return fittingObject(schema);
    case 'string':
      return fc.oneof(fc.string({ maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 40 }));
    default:
      return fc.jsonValue();
  }
}

function fittingObject({ properties, required = [], patternProperties }: Schema): fc.Arbitrary<unknown> {
  if (patternProperties)
    return fc.dictionary(fc.constantFrom('HK', 'SG', 'XX'), fc.array(fc.constantFrom('fps', 'paynow', 'x')));
  const members = Object.entries(properties ?? {}).map(
    ([name, schema]) => [name, fitting(schema, name)] as const,
  );
  return fc.record(Object.fromEntries(members), { requiredKeys: required as never[] });
}

/** The value as it is, or with one of its members lost, swapped for something nasty, or an unknown one added. */
function bent(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const bending = fc.tuple(
    value,
    fc.constantFrom('keep', 'keep', 'lose', 'swap', 'add', 'replace'),
    fc.nat(),
    nasty,
  );
  return bending.map(([given, how, pick, bad]) => {
    if (how === 'replace') return bad;
    if (how === 'keep' || typeof given !== 'object' || given === null || Array.isArray(given)) return given;
    const copy: Record<string, unknown> = { ...given };
    const names = Object.keys(copy);
    const name = names[pick % Math.max(names.length, 1)];
    if (how === 'add') copy[(JSON.stringify(bad) ?? 'x').slice(0, 20)] = bad;
    else if (name !== undefined && how === 'lose') delete copy[name];
    else if (name !== undefined) copy[name] = bad;
    return copy;
  });
}

test('requests made from the document are answered as it says, and never 5xx', async () => {
  const document = (await app.app.inject('/openapi.json')).json() as {
    paths: Record<string, Record<string, Operation>>;
  };
  const requests = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => requestOf(method.toUpperCase(), path, operation)),
  );
  const statuses = new Map<number, number>();
  await fuzz(
    fc.oneof(...requests),
    async ({ method, url, body, headers }) => {
      const answer = await app.app.inject({
        method: method as 'POST',
        url,
        headers: {
          authorization: basic(merchant.keys.sandbox),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { payload: JSON.stringify(body) ?? 'undefined' }),
      });
      const { statusCode: status } = answer;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect(
        status,
        `${method} ${url} ${JSON.stringify(body)?.slice(0, 500)}: ${answer.body.slice(0, 300)}`,
      ).toBeLessThan(500);
      checkAnswer(app.app, {
        method,
        url,
        status,
        contentType: String(answer.headers['content-type']),
        body: answer.body,
      });
    },
    { short: 500 },
  );
  // The run is worth something only when much of it gets through.
  const all = [...statuses.values()].reduce((sum, number) => sum + number);
  expect((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0)).toBeGreaterThan(0.1 * all);
  await expectSound(app.context.service);
}, 3_600_000);

function requestOf(method: string, path: string, { parameters = [], requestBody }: Operation) {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const queryArbitrary = bent(
    fc.record(Object.fromEntries(query.map(({ name, schema }) => [name, fitting(schema, name)])), {
      requiredKeys: query.filter(({ required }) => required).map(({ name }) => name) as never[],
    }),
  );
  const schema = requestBody?.content['application/json']?.schema;
  const bodyArbitrary = schema ? bent(fitting(schema)) : fc.constant(undefined);
  const id = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...known.id!) },
    // Dots alone are taken out of an address before it is asked for: it would be another one.
    { weight: 1, arbitrary: fc.string().filter((text) => text !== '.' && text !== '..') },
  );
  const key = fc.option(
    fc.oneof(
      fc.constant('the same key'),
      fc.string({ minLength: 1, maxLength: 300, unit: fc.constantFrom(...'abc-_ 123') }),
    ),
    { nil: undefined, freq: 3 },
  );
  return fc.tuple(queryArbitrary, bodyArbitrary, id, key).map(([given, body, objectId, idempotencyKey]) => {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries((given ?? {}) as object)) {
      search.append(name, (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed());
    }
    const at = path.replace('{id}', encodeURIComponent(objectId.toWellFormed()) || 'x');
    const url = search.size > 0 ? `${at}?${search}` : at;
    return {
      method,
      url,
      body,
      headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
    };
  });
}
