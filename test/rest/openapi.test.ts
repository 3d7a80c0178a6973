import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import Fastify from 'fastify';
import { Compile } from 'typebox/schema';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  dereference,
  listBreakingChanges,
  type OpenApi,
  type OpenApiSchema,
} from '../../scripts/released-openapi.ts';
import { findUnannounced } from '../../scripts/released-schema.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { eventTypes } from '../../src/event/catalog.ts';
import { completeDocument } from '../../src/rest/complete-document.ts';
import { type Deprecation, deprecations, setDeprecationHeaders } from '../../src/rest/deprecations.ts';
import { operations } from '../../src/rest/operations.ts';
import { basicAuth, callApi } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { systemTimeAppTest } from '../setup/app-fixtures.ts';
import { listUnknownMembers, type NotificationSchema } from '../setup/check-notification.ts';
import { checkResponse } from '../setup/check-response.ts';
import type { Json } from '../setup/graphql.ts';
import { seedCompletedCharge } from '../setup/seed.ts';
import { seedPlan } from '../setup/subscriptions.ts';
import { createTempDir } from '../setup/temp-dir.ts';

const openApiTest = systemTimeAppTest
  .extend(
    'document',
    { scope: 'file' },
    async ({ app }): Promise<Json> => (await app.app.inject('/openapi.json')).json(),
  )
  .extend('resolved', { scope: 'file' }, async ({ document }): Promise<Json> => dereference(document))
  .extend(
    'exampleIds',
    async ({ service, merchant }): Promise<Record<string, string>> => ({
      chargeId: (await seedCompletedCharge(service, merchant)).id,
      subscriptionPlanId: (await seedPlan(service, merchant, { mode: 'sandbox' })).id,
      apiKey: merchant.keys.sandbox.publishableKey,
    }),
  );

const post = (app: TestApp, merchant: NewMerchant, url: string, body: unknown) =>
  callApi(app.app, { method: 'POST', url, keys: merchant.keys.sandbox, body });

type Response = { content: Record<string, { schema: NotificationSchema; example?: unknown }> };

/** Lists the schemas of objects with known members that are not references to components. */
function listObjects(node: unknown): unknown[] {
  if (Array.isArray(node)) return node.flatMap(listObjects);
  if (typeof node !== 'object' || node === null) return [];
  const { example: _, ...schema } = node as {
    example?: unknown;
    type?: unknown;
    additionalProperties?: unknown;
  };
  const isObject = schema.type === 'object' && typeof schema.additionalProperties !== 'object';
  return isObject ? [schema] : Object.values(schema).flatMap(listObjects);
}

describe('OpenAPI', () => {
  describe('OpenAPI document', () => {
    openApiTest('passes the linter without a warning', async ({ document }) => {
      const ref = join(await createTempDir(onTestFinished), 'openapi.json');
      await writeFile(ref, JSON.stringify(document));
      const config = await createConfig({
        extends: ['recommended'],
        // The interface has both /charges/hash and /charges/{id}.
        rules: { 'no-ambiguous-paths': 'off', 'no-server-example.com': 'off' },
      });
      const problems = await lint({ ref, config });
      expect(
        problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
      ).toEqual([]);
    });

    openApiTest('describes the operations of the table, and no others', ({ document }) => {
      const described = Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
      );
      expect(described.sort()).toEqual(Object.keys(operations).sort());
    });

    openApiTest('is displayed at /docs with resources of this origin only', async ({ app }) => {
      const page = await app.app.inject('/docs/');
      expect(page.statusCode).toBe(200);
      expect(page.body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    });

    openApiTest('describes `page` and `limit` of every list as numbers with bounds', ({ document }) => {
      for (const list of ['/charges', '/refunds', '/subscriptions', '/subscription-plans']) {
        const { parameters } = document.paths[list].get;
        const findParameter = (name: string) =>
          parameters.find((parameter: { name: string }) => parameter.name === name);
        expect([list, findParameter('page'), findParameter('limit')]).toMatchObject([
          list,
          { in: 'query', required: false, schema: { type: 'integer', minimum: 1, default: 1 } },
          { in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 50, default: 10 } },
        ]);
      }
    });

    openApiTest('can be read from other origins', async ({ app }) => {
      const { headers } = await app.app.inject('/openapi.json');
      expect(headers['access-control-allow-origin']).toBe('*');
    });

    openApiTest('has one named and described schema for each object', ({ document }) => {
      const { schemas } = document.components as { schemas: Record<string, NotificationSchema> };
      expect(Object.keys(schemas)).toEqual(
        expect.arrayContaining([
          'Charge',
          'Refund',
          'Session',
          'Subscription',
          'Invoice',
          'Customer',
          'Order',
        ]),
      );
      const members = Object.entries(schemas).flatMap(([name, { description, properties = {} }]) => [
        [name, { description } as NotificationSchema] as const,
        ...Object.entries(properties).map(([member, schema]) => [`${name}.${member}`, schema] as const),
      ]);
      expect(members.filter(([, { $ref, description }]) => !$ref && !description)).toEqual([]);
      const { paths, webhooks } = document;
      const inlineObjects = [paths, webhooks, ...members.map(([, schema]) => schema)].flatMap(listObjects);
      expect(inlineObjects).toEqual([schemas.Translation?.properties?.translation]);
    });

    openApiTest('describes times in the default format only', ({ document }) => {
      expect(document.components.schemas.Charge.properties.createdAt).toMatchObject({
        type: 'string',
        format: 'date-time',
      });
      expect(JSON.stringify(document)).not.toContain('timestamps');
    });

    openApiTest('describes one spelling of names', ({ document }) => {
      const { CustomerDetails } = document.components.schemas;
      expect(Object.keys(CustomerDetails.properties)).toEqual(['email', 'phone', 'firstName', 'lastName']);
      expect(JSON.stringify(document)).not.toContain('first_name');
    });

    openApiTest(
      'describes every notification that webhooks receive, with a valid example',
      ({ resolved }) => {
        const types = Object.entries(eventTypes).filter(([, { since }]) => since !== 'never');
        expect(Object.keys(resolved.webhooks)).toEqual(types.map(([type]) => type));
        for (const [type] of types) {
          const { schema, example } = resolved.webhooks[type].post.requestBody.content['application/json'];
          expect([type, Compile(schema).Errors(example)]).toEqual([type, [true, []]]);
          expect(listUnknownMembers(schema, example, type)).toEqual([]);
        }
      },
    );

    openApiTest('requires credentials except where a cancelToken replaces them', ({ document }) => {
      expect(document.security).toEqual([{ apiKey: [] }]);
      const ownSecurity = Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods as Record<string, { security?: object[] }>).flatMap(
          ([method, { security }]) => (security ? [[`${method} ${path}`, security]] : []),
        ),
      );
      expect(ownSecurity).toEqual([['patch /charges/{id}/cancel', [{ apiKey: [] }, {}]]]);
    });

    openApiTest.for(Object.entries(operations).filter(([, { exampleRequest }]) => exampleRequest))(
      'has a working example request for %s',
      async ([name], { app, merchant, document, exampleIds }) => {
        const [method, path = ''] = name.split(' ');
        const { requestBody } = document.paths[path][method!.toLowerCase()];
        const { example } = requestBody.content['application/json'];
        const body = JSON.parse(JSON.stringify(example), (key, value) => exampleIds[key] ?? value);
        if (name === 'POST /customers/phone/verify')
          await post(app, merchant, '/customers/phone/verification', { phone: body.phone });
        const { status, json } = await post(app, merchant, path, body);
        // The example code is not the code of the SMS.
        if (name === 'POST /customers/phone/verify') expect(json.code).toBe('verification_code_invalid');
        else expect([status, json]).toEqual([expect.toBeOneOf([200, 201]), json]);
      },
    );

    openApiTest.for(Object.keys(operations))(
      'has an example response of %s that matches its schema',
      (name, { app, resolved }) => {
        const [method = '', path = ''] = name.split(' ');
        const { responses } = resolved.paths[path][method.toLowerCase()];
        for (const [status, { content }] of Object.entries<Response>(responses)) {
          if (!status.startsWith('2')) continue;
          for (const [contentType, { schema, example }] of Object.entries(content)) {
            if (schema.format === 'binary') continue;
            expect([status, example]).toEqual([status, expect.anything()]);
            const body = contentType.includes('json') ? JSON.stringify(example) : String(example);
            checkResponse(app.app, { method, url: path, status: Number(status), contentType, body });
            expect(listUnknownMembers(schema, example, '')).toEqual([]);
          }
        }
      },
    );
  });
});

describe('Released OpenAPI document', () => {
  describe('listBreakingChanges', () => {
    const time: OpenApiSchema = { anyOf: [{ type: 'string' }, { type: 'integer' }] };
    const body: OpenApiSchema = {
      type: 'object',
      required: ['amount'],
      properties: { amount: { type: 'number' }, method: { type: 'string', enum: ['fps', 'paynow'] } },
      additionalProperties: false,
    };
    const responseSchema: OpenApiSchema = {
      type: 'object',
      required: ['id', 'refunds'],
      properties: {
        id: { type: 'string' },
        at: time,
        refunds: {
          type: 'array',
          items: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
        },
      },
    };
    const createDocument = (
      requestSchema: OpenApiSchema,
      responseBody: OpenApiSchema,
      parameters = [{ name: 'page', in: 'query' }],
    ): OpenApi => ({
      paths: {
        '/charges': {
          post: {
            parameters,
            requestBody: { content: { 'application/json': { schema: requestSchema } } },
            responses: { 201: { content: { 'application/json': { schema: responseBody } } }, 400: {} },
          },
        },
      },
    });
    const released = createDocument(body, responseSchema);
    const changed = (
      of: OpenApiSchema,
      properties: Record<string, OpenApiSchema>,
      more: OpenApiSchema = {},
    ): OpenApiSchema => ({
      ...of,
      ...more,
      properties: { ...of.properties, ...properties },
    });
    const without = (of: OpenApiSchema, name: string): OpenApiSchema => {
      const { [name]: _, ...properties } = of.properties ?? {};
      return { ...of, properties };
    };

    test('reports no additions', () => {
      const wider = changed(body, { note: { type: 'string' }, method: { enum: ['fps', 'paynow', 'toss'] } });
      const fuller = changed(
        responseSchema,
        { fee: { type: 'number' } },
        { required: ['id', 'refunds', 'fee'] },
      );
      const now = createDocument({ ...wider, required: [] }, fuller, [
        { name: 'page', in: 'query' },
        { name: 'limit', in: 'query' },
      ]);
      expect(listBreakingChanges(released, { paths: { ...now.paths, '/refunds': {} } })).toEqual([]);
    });

    test.each<[string, OpenApi]>([
      ['POST /charges is gone', { paths: {} }],
      ['POST /charges parameters/page is rejected', createDocument(body, responseSchema, [])],
      ['POST /charges body/method is rejected', createDocument(without(body, 'method'), responseSchema)],
      [
        'POST /charges body/note is required',
        createDocument(changed(body, { note: {} }, { required: ['amount', 'note'] }), responseSchema),
      ],
      [
        'POST /charges body/method takes no paynow',
        createDocument(changed(body, { method: { type: 'string', enum: ['fps'] } }), responseSchema),
      ],
      [
        'POST /charges body/amount takes no number',
        createDocument(changed(body, { amount: { type: 'string' } }), responseSchema),
      ],
      ['POST /charges 201/at is gone', createDocument(body, without(responseSchema, 'at'))],
      [
        'POST /charges 201/id may be missing',
        createDocument(body, { ...responseSchema, required: ['refunds'] }),
      ],
      [
        'POST /charges 201/id may be null',
        createDocument(body, changed(responseSchema, { id: { type: ['string', 'null'] } })),
      ],
      [
        'POST /charges 201/refunds[]/id is gone',
        createDocument(
          body,
          changed(responseSchema, {
            refunds: { type: 'array', items: { type: 'object', required: ['id'] } },
          }),
        ),
      ],
    ])('reports that %s, unless the changelog announces it', (change, now) => {
      expect(listBreakingChanges(released, now)).toEqual([change]);
      const log = (top: string) => `# Changelog\n\n## Unreleased\n\n${top}\n\n## 0.1.0\n\n- ${change}\n`;
      expect(findUnannounced([change], log(''))).toEqual([change]);
      expect(findUnannounced([change], log(`- Breaking: ${change}`))).toEqual([]);
    });

    test('reports a member that a notification no longer has, and a notification that is gone', () => {
      const createNotification = (schema: OpenApiSchema): OpenApi => ({
        webhooks: {
          charge_expired: { post: { requestBody: { content: { 'application/json': { schema } } } } },
        },
      });
      const sent = createNotification(responseSchema);
      expect([
        ...listBreakingChanges(sent, createNotification(changed(responseSchema, { note: {} }))),
        ...listBreakingChanges(sent, createNotification(without(responseSchema, 'at'))),
        ...listBreakingChanges(sent, { webhooks: {} }),
      ]).toEqual(['POST charge_expired/at is gone', 'POST charge_expired is gone']);
    });
  });
});

describe('Deprecations', () => {
  const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');

  /** Deprecations that are announced too late, or not in the changelog. */
  function findUnannounced(announced: readonly Deprecation[], log: string): string[] {
    return announced.flatMap(({ operation, member, since, sunset }) => {
      const soonest = new Date(since);
      soonest.setUTCFullYear(soonest.getUTCFullYear() + 1);
      const isInChangelog = log
        .split('\n')
        .some((line) => [operation, member ?? '', sunset].every((word) => line.includes(word)));
      return [
        ...(operation in operations ? [] : [`${operation} is no operation`]),
        ...(new Date(sunset) >= soonest ? [] : [`${operation} ends within 12 months`]),
        ...(isInChangelog ? [] : [`${operation} is missing from the changelog`]),
      ];
    });
  }

  test('Every deprecation is announced a year before its sunset, and in the changelog', () => {
    expect(findUnannounced(deprecations, changelog)).toEqual([]);
  });

  describe('Deprecation', () => {
    const complete = { operation: 'GET /charges/{id}', since: '2027-01-01', sunset: '2028-03-01' };
    const member = { operation: 'POST /charges', member: 'hash', since: '2027-01-01', sunset: '2028-01-01' };
    const parameter = {
      operation: 'GET /charges/{id}',
      member: 'timestamps',
      since: '2027-02-01',
      sunset: '2028-02-01',
    };
    const announced = [complete, member, parameter];

    test('is reported when it is announced late or missing from the changelog', () => {
      const log = '- `GET /charges/{id}` goes on 2028-03-01\n- `hash` of POST /charges goes on 2028-01-01\n';
      expect(findUnannounced([complete, member], log)).toEqual([]);
      expect(findUnannounced([{ ...complete, sunset: '2027-12-31' }], log)).toEqual([
        'GET /charges/{id} ends within 12 months',
        'GET /charges/{id} is missing from the changelog',
      ]);
      expect(findUnannounced([{ ...member, operation: 'POST /charge' }], '')).toContain(
        'POST /charge is no operation',
      );
    });

    test('is sent with every response to a request that uses the member, and with no other', async () => {
      const app = Fastify();
      setDeprecationHeaders(app, announced);
      app.get('/charges/:id', async () => ({}));
      app.post('/charges', async () => Promise.reject(new Error('rejected')));
      const readHeaders = async (url: string, body?: object) => {
        const { headers } = await app.inject({
          url,
          ...(body ? { method: 'POST', body } : { method: 'GET' }),
        });
        return [headers.deprecation, headers.sunset];
      };
      expect(await readHeaders('/charges/ch_1')).toEqual(['@1798761600', 'Wed, 01 Mar 2028 00:00:00 GMT']);
      expect(await readHeaders('/charges/ch_1?timestamps=epoch')).toEqual([
        '@1801440000',
        'Tue, 01 Feb 2028 00:00:00 GMT',
      ]);
      expect(await readHeaders('/charges', { hash: 'a' })).toEqual([
        '@1798761600',
        'Sat, 01 Jan 2028 00:00:00 GMT',
      ]);
      expect(await readHeaders('/charges', { email: 'ada@example.com' })).toEqual([undefined, undefined]);
      expect(await readHeaders('/charge')).toEqual([undefined, undefined]);
    });

    test('is marked in the OpenAPI document', () => {
      const schema = { properties: { hash: {}, email: {} } };
      const document = completeDocument(
        {
          paths: {
            '/charges/{id}': { get: { parameters: [{ name: 'expand' }] } },
            '/charges': { post: { requestBody: { content: { 'application/json': { schema } } } } },
          },
        },
        [complete, member, { ...parameter, member: 'expand' }],
      );
      const { '/charges/{id}': charge, '/charges': all } = document.paths;
      expect([charge.get, all.post]).toMatchObject([
        { deprecated: true, parameters: expect.arrayContaining([{ name: 'expand', deprecated: true }]) },
        {
          requestBody: {
            content: {
              'application/json': { schema: { properties: { hash: { deprecated: true }, email: {} } } },
            },
          },
        },
      ]);
      expect(all.post).not.toHaveProperty('deprecated');
    });
  });
});

describe('API version', () => {
  const test = systemTimeAppTest;

  const get = (app: TestApp, merchant: NewMerchant, url: string, headers?: Record<string, string>) =>
    callApi(app.app, { method: 'GET', url, keys: merchant.keys.live, ...(headers && { headers }) });

  test.for([
    ['an answer', 'GET', '/currencies', 200],
    ['an error', 'GET', '/charges?page=0', 400],
    ['an unknown object', 'GET', '/refunds/re_none', 404],
    ['another method', 'PUT', '/charges', 405],
    ['no route', 'GET', '/charge', 404],
    ['GraphQL', 'POST', '/graphql', 200],
  ] as const)('is returned with %s', async ([_, method, url, status], { app, merchant }) => {
    const response = await app.app.inject({
      method,
      url,
      headers: { authorization: basicAuth(merchant.keys.live) },
      ...(url === '/graphql' && { payload: { query: '{ me { id } }' } }),
    });
    expect([response.statusCode, response.headers['causeway-version']]).toEqual([status, '2026-11']);
  });

  test('can be requested, and an unknown one is rejected', async ({ app, merchant }) => {
    expect((await get(app, merchant, '/currencies', { 'causeway-version': '2026-11' })).status).toBe(200);
    const { status, json } = await get(app, merchant, '/currencies', { 'causeway-version': '2025-01' });
    expect([status, json.code, json.errors[0].path]).toEqual([
      400,
      'invalid_request',
      '/headers/Causeway-Version',
    ]);
  });

  test('is that of the OpenAPI 3.1 document', async ({ app }) => {
    const { openapi, info } = (await app.app.inject('/openapi.json')).json();
    expect([openapi, info.version]).toEqual(['3.1.0', '2026-11']);
  });
});
