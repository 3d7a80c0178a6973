import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  buildOpenApi,
  listBreakingChanges,
  type OpenApi,
  type OpenApiSchema,
  releasedOpenApiFile,
} from '../../scripts/released-openapi.ts';
import { findNewestRelease, findUnannounced } from '../../scripts/released-schema.ts';

const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');

test('Every breaking change since the newest release is announced in the changelog', async () => {
  expect(existsSync(releasedOpenApiFile)).toBe(findNewestRelease(changelog) !== undefined);
  const present = await buildOpenApi();
  expect(Object.keys(present.paths ?? {})).toContain('/charges/{id}');
  const released = existsSync(releasedOpenApiFile)
    ? (JSON.parse(readFileSync(releasedOpenApiFile, 'utf8')) as OpenApi)
    : present;
  expect(findUnannounced(listBreakingChanges(released, present), changelog)).toEqual([]);
});

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
    ['POST /charges parameters/page is refused', createDocument(body, responseSchema, [])],
    ['POST /charges body/method is refused', createDocument(without(body, 'method'), responseSchema)],
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
        changed(responseSchema, { refunds: { type: 'array', items: { type: 'object', required: ['id'] } } }),
      ),
    ],
  ])('reports that %s, unless the changelog announces it', (change, now) => {
    expect(listBreakingChanges(released, now)).toEqual([change]);
    const log = (top: string) => `# Changelog\n\n## Unreleased\n\n${top}\n\n## 0.1.0\n\n- ${change}\n`;
    expect(findUnannounced([change], log(''))).toEqual([change]);
    expect(findUnannounced([change], log(`- Breaking: ${change}`))).toEqual([]);
  });
});
