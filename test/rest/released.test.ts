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

test('nothing that breaks clients of the newest release goes unsaid; `npm run release:schema` writes its document', async () => {
  expect(existsSync(releasedOpenApiFile)).toBe(findNewestRelease(changelog) !== undefined);
  const present = await buildOpenApi();
  expect(Object.keys(present.paths ?? {})).toContain('/charges/{id}');
  const released = existsSync(releasedOpenApiFile)
    ? (JSON.parse(readFileSync(releasedOpenApiFile, 'utf8')) as OpenApi)
    : present;
  expect(findUnannounced(listBreakingChanges(released, present), changelog)).toEqual([]);
});

describe('since a release', () => {
  const time: OpenApiSchema = { anyOf: [{ type: 'string' }, { type: 'integer' }] };
  const body: OpenApiSchema = {
    type: 'object',
    required: ['amount'],
    properties: { amount: { type: 'number' }, method: { type: 'string', enum: ['fps', 'paynow'] } },
    additionalProperties: false,
  };
  const answer: OpenApiSchema = {
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
  const documentOf = (
    taken: OpenApiSchema,
    given: OpenApiSchema,
    parameters = [{ name: 'page', in: 'query' }],
  ): OpenApi => ({
    paths: {
      '/charges': {
        post: {
          parameters,
          requestBody: { content: { 'application/json': { schema: taken } } },
          responses: { 201: { content: { 'application/json': { schema: given } } }, 400: {} },
        },
      },
    },
  });
  const released = documentOf(body, answer);
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

  test('what is added breaks nobody', () => {
    const wider = changed(body, { note: { type: 'string' }, method: { enum: ['fps', 'paynow', 'toss'] } });
    const fuller = changed(answer, { fee: { type: 'number' } }, { required: ['id', 'refunds', 'fee'] });
    const now = documentOf({ ...wider, required: [] }, fuller, [
      { name: 'page', in: 'query' },
      { name: 'limit', in: 'query' },
    ]);
    expect(listBreakingChanges(released, { paths: { ...now.paths, '/refunds': {} } })).toEqual([]);
  });

  test.each<[string, OpenApi]>([
    ['POST /charges is gone', { paths: {} }],
    ['POST /charges parameters/page is refused', documentOf(body, answer, [])],
    ['POST /charges body/method is refused', documentOf(without(body, 'method'), answer)],
    [
      'POST /charges body/note is required',
      documentOf(changed(body, { note: {} }, { required: ['amount', 'note'] }), answer),
    ],
    [
      'POST /charges body/method takes no paynow',
      documentOf(changed(body, { method: { type: 'string', enum: ['fps'] } }), answer),
    ],
    [
      'POST /charges body/amount takes no number',
      documentOf(changed(body, { amount: { type: 'string' } }), answer),
    ],
    ['POST /charges 201/at is gone', documentOf(body, without(answer, 'at'))],
    ['POST /charges 201/id may be missing', documentOf(body, { ...answer, required: ['refunds'] })],
    [
      'POST /charges 201/id may be null',
      documentOf(body, changed(answer, { id: { type: ['string', 'null'] } })),
    ],
    [
      'POST /charges 201/refunds[]/id is gone',
      documentOf(
        body,
        changed(answer, { refunds: { type: 'array', items: { type: 'object', required: ['id'] } } }),
      ),
    ],
  ])('%s: said in the changelog, or refused', (change, now) => {
    expect(listBreakingChanges(released, now)).toEqual([change]);
    const log = (top: string) => `# Changelog\n\n## Unreleased\n\n${top}\n\n## 0.1.0\n\n- ${change}\n`;
    expect(findUnannounced([change], log(''))).toEqual([change]);
    expect(findUnannounced([change], log(`- Breaking: ${change}`))).toEqual([]);
  });
});
