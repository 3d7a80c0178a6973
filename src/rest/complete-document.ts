import { apiVersion } from '../http/version.ts';
import { type ErrorCode, errorCatalogue } from '../kit/errors.ts';
import { type Deprecation, deprecations } from './deprecations.ts';
import { exampleAnswers } from './example-answers.ts';
import { commonErrors, type Operation, operations } from './operations.ts';
import { pagingTypes } from './paging.ts';

/** The parts of an OpenAPI document that are changed here. */
export type Document = {
  paths?: Record<string, Record<string, DocumentOperation>>;
  components?: { schemas?: Record<string, unknown> };
};
type Content = Record<string, { example?: unknown; schema?: BodySchema }>;
type BodySchema = { [word: string]: unknown; properties?: Record<string, { deprecated?: boolean }> };
type DocumentOperation = {
  operationId?: string;
  deprecated?: boolean;
  parameters?: { name?: string; in?: string; schema?: object; deprecated?: boolean }[];
  requestBody?: { required?: boolean; content?: Content };
  responses?: Record<string, { description?: string; headers?: object; content?: Content }>;
  'x-restricted'?: boolean;
};

const text = (description: string, example?: string) => ({
  description,
  schema: { type: 'string', ...(example !== undefined && { examples: [example] }) },
});
const whole = (description: string) => ({ description, schema: { type: 'integer' } });

const headersOfAll = {
  'X-Request-Id': text(
    'The ID of the request, which logs and error responses also contain.',
    'req_Zp1M3u0aQf8sT2Lx',
  ),
  'Causeway-Version': text('The API version that handled the request.', apiVersion),
  'RateLimit-Limit': whole('The number of requests that can be sent at once.'),
  'RateLimit-Remaining': whole('The number of requests that are left.'),
  'RateLimit-Reset': whole('The number of seconds until all requests are available again.'),
};
const headersOfPost = {
  'Idempotent-Replayed': text(
    '`true` if the response to the first request with this `Idempotency-Key` is replayed.',
  ),
  'Ignored-Fields': text('The unknown fields that were ignored, as JSON pointers.', '/customer/title'),
};
const headersOfRefusal: Record<number, object> = {
  401: { 'WWW-Authenticate': text('The authentication scheme to use.', 'Basic realm="Causeway"') },
  429: { 'Retry-After': whole('The number of seconds to wait before retrying.') },
};

const versionParameter = {
  name: 'Causeway-Version',
  in: 'header',
  description: 'The API version to use. Any other version is rejected.',
  schema: { type: 'string', enum: [apiVersion] },
};
const idempotencyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A unique key that makes the request safe to retry. A request with the same key and body returns the first response again, for 24 hours, or for 30 days for refunds.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/**
 * Adds to each operation its id, its headers, examples of its body and answers, every error it can give, and what of it
 * will be removed.
 */
export function completeDocument<Given extends Document>(document: Given, announced = deprecations): Given {
  for (const [path, byMethod] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(byMethod)) {
      const name = `${method.toUpperCase()} ${path}`;
      const known = operations[name];
      if (known) complete(operation, method, known);
      for (const one of announced) if (one.operation === name) deprecate(operation, one);
    }
  }
  const schemas = { ...document.components?.schemas, Problem: problemSchema };
  document.components = { ...document.components, schemas };
  return document;
}

function complete(operation: DocumentOperation, method: string, known: Operation): void {
  const isPost = method === 'post';
  operation.operationId = known.operationId;
  operation.parameters = [
    ...(operation.parameters ?? []).map(typed),
    versionParameter,
    ...(isPost ? [idempotencyParameter] : []),
  ];
  if (known.restricted) operation['x-restricted'] = true;
  if (known.takesFile) {
    const file = { schema: { type: 'string', format: 'binary' } };
    operation.requestBody = { required: true, content: { 'application/octet-stream': file } };
  }
  const body = operation.requestBody?.content?.['application/json'];
  if (body && known.request) body.example = known.request;
  const headers = { ...headersOfAll, ...(isPost && headersOfPost) };
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    const answer = exampleAnswers[`${known.operationId} ${status}`] ?? exampleAnswers[known.operationId];
    response.headers = headers;
    response.description = 'The request succeeded.';
    for (const content of Object.values(response.content ?? {}))
      if (answer !== undefined) content.example = answer;
  }
  operation.responses = { ...operation.responses, ...refusals(known, method) };
}

/** A query brings nothing but text; what is read from it as a number is told as one. */
function typed<Given extends { name?: string; in?: string }>(parameter: Given) {
  const schema = parameter.in === 'query' ? pagingTypes[parameter.name ?? ''] : undefined;
  return schema ? { ...parameter, schema } : parameter;
}

function deprecate(operation: DocumentOperation, { member }: Deprecation): void {
  const body = operation.requestBody?.content?.['application/json']?.schema;
  const parts =
    member === undefined
      ? [operation]
      : [operation.parameters?.find(({ name }) => name === member), body?.properties?.[member]];
  for (const part of parts) if (part) part.deprecated = true;
}

/** One response a status, with the codes that may stand in it. */
function refusals({ errors, restricted, operationId }: Operation, method: string) {
  const codes = new Set<ErrorCode>([
    ...commonErrors.all,
    ...(method === 'get' ? [] : commonErrors.withBody),
    ...(restricted ? commonErrors.restricted : []),
    ...errors,
    ...(method === 'post' ? commonErrors.post : []),
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = errorCatalogue[code];
    // What a session cannot be made for is 400, with the code of its own.
    const isBad = operationId === 'createSession' && errors.includes(code);
    const shown = isBad ? 400 : status;
    byStatus.set(shown, [...(byStatus.get(shown) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, of]) => [status, refusal(status, of)]));
}

function refusal(status: number, codes: ErrorCode[]) {
  const [first] = codes;
  const example = {
    type: `urn:causeway:error:${first}`,
    title: errorCatalogue[first!].title,
    status,
    detail: errorCatalogue[first!].title,
    code: first,
    requestId: 'req_Zp1M3u0aQf8sT2Lx',
  };
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].title}`).join('; '),
    headers: { 'X-Request-Id': headersOfAll['X-Request-Id'], ...headersOfRefusal[status] },
    content: {
      'application/problem+json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: codes } } }],
        },
        example,
      },
    },
  };
}

/** RFC 9457. */
const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string' },
    code: { type: 'string', description: 'The error code, which is stable and shared with GraphQL.' },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      description:
        'The invalid parts of the input: the location as a JSON pointer, and the rule that it breaks.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
};
