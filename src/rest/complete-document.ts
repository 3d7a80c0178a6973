import { apiVersion } from '../http/version.ts';
import { type ErrorCode, errorCatalog } from '../kit/errors.ts';
import { type Deprecation, deprecations } from './deprecations.ts';
import { exampleResponses } from './example-responses.ts';
import { nameComponents } from './name-components.ts';
import { commonErrors, operations, type RestOperation } from './operations.ts';
import { documentedPagingSchemas } from './paging.ts';
import { describeWebhooks } from './webhook-schemas.ts';

/** The members of an OpenAPI document that this file changes. */
export type OpenApiDocument = {
  paths?: Record<string, Record<string, DocumentOperation>>;
  webhooks?: object;
  components?: { schemas?: Record<string, unknown> };
};
type OpenApiContent = Record<string, { example?: unknown; schema?: BodySchema }>;
type BodySchema = {
  [keyword: string]: unknown;
  properties?: Record<string, { [keyword: string]: unknown; deprecated?: boolean }>;
};
type DocumentOperation = {
  operationId?: string;
  deprecated?: boolean;
  parameters?: { name?: string; in?: string; schema?: object; deprecated?: boolean }[];
  requestBody?: { required?: boolean; content?: OpenApiContent };
  responses?: Record<string, { description?: string; headers?: object; content?: OpenApiContent }>;
  'x-restricted'?: boolean;
};

const textHeader = (description: string, example?: string) => ({
  description,
  schema: { type: 'string', ...(example !== undefined && { examples: [example] }) },
});
const integerHeader = (description: string) => ({ description, schema: { type: 'integer' } });

const commonHeaders = {
  'X-Request-Id': textHeader(
    'The ID of the request, which logs and error responses also contain.',
    'req_Zp1M3u0aQf8sT2Lx',
  ),
  'Causeway-Version': textHeader('The API version that handled the request.', apiVersion),
  'RateLimit-Limit': integerHeader('The number of requests that can be sent at once.'),
  'RateLimit-Remaining': integerHeader('The number of requests that can still be sent.'),
  'RateLimit-Reset': integerHeader('The number of seconds until all requests are available again.'),
};
const postHeaders = {
  'Idempotent-Replayed': textHeader(
    '`true` if the response to the first request with this `Idempotency-Key` is replayed.',
  ),
  'Ignored-Fields': textHeader('The unknown fields that were ignored, as JSON pointers.', '/customer/title'),
};
const errorHeaders: Record<number, object> = {
  401: { 'WWW-Authenticate': textHeader('The authentication scheme to use.', 'Basic realm="Causeway"') },
  429: { 'Retry-After': integerHeader('The number of seconds to wait before retrying.') },
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
 * Adds the webhooks, names the schemas, and adds to each operation its ID, headers, examples, errors and
 * deprecations.
 */
export function completeDocument<T extends OpenApiDocument>(document: T, announced = deprecations): T {
  for (const [path, operationsByMethod] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(operationsByMethod)) {
      const name = `${method.toUpperCase()} ${path}`;
      const definition = operations[name];
      if (definition) completeOperation(operation, method, definition);
      for (const deprecation of announced)
        if (deprecation.operation === name) deprecate(operation, deprecation);
    }
  }
  const schemas: Record<string, unknown> = {};
  document.paths = nameComponents(schemas, document.paths ?? {}) as NonNullable<T['paths']>;
  document.webhooks = nameComponents(schemas, describeWebhooks());
  document.components = { ...document.components, schemas };
  return document;
}

function completeOperation(operation: DocumentOperation, method: string, definition: RestOperation): void {
  const isPost = method === 'post';
  operation.operationId = definition.operationId;
  operation.parameters = [
    ...(operation.parameters ?? [])
      .filter(({ name }) => !undocumentedParameters.has(name))
      .map(withQueryType),
    versionParameter,
    ...(isPost ? [idempotencyParameter] : []),
  ];
  if (definition.isRestricted) operation['x-restricted'] = true;
  if (definition.acceptsFile) {
    const file = { schema: { type: 'string', format: 'binary' } };
    operation.requestBody = { required: true, content: { 'application/octet-stream': file } };
  }
  const body = operation.requestBody?.content?.['application/json'];
  if (body && definition.exampleRequest) body.example = definition.exampleRequest;
  const headers = { ...commonHeaders, ...(isPost && postHeaders) };
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    const example =
      exampleResponses[`${definition.operationId} ${status}`] ?? exampleResponses[definition.operationId];
    response.headers = headers;
    response.description = 'The request succeeded.';
    for (const content of Object.values(response.content ?? {}))
      if (example !== undefined) content.example = example;
  }
  operation.responses = { ...operation.responses, ...toErrorResponses(definition, method) };
}

/**
 * The document describes the default format of times only (see `timestampSchema`), and the header with which a
 * `cancelToken` stays out of URLs.
 */
const undocumentedParameters = new Set<string | undefined>(['timestamps', 'cancelToken']);

/** Documents integer query parameters as integers, although the schemas that validate them are text. */
function withQueryType<T extends { name?: string; in?: string }>(parameter: T) {
  const schema = parameter.in === 'query' ? documentedPagingSchemas[parameter.name ?? ''] : undefined;
  return schema ? { ...parameter, schema } : parameter;
}

function deprecate(operation: DocumentOperation, { member }: Deprecation): void {
  const body = operation.requestBody?.content?.['application/json']?.schema;
  const targets =
    member === undefined
      ? [operation]
      : [operation.parameters?.find(({ name }) => name === member), body?.properties?.[member]];
  for (const target of targets) if (target) target.deprecated = true;
}

/** Returns one response per status, with the possible error codes. */
function toErrorResponses({ errors, isRestricted, operationId }: RestOperation, method: string) {
  const codes = new Set<ErrorCode>([
    ...commonErrors.all,
    ...(method === 'get' ? [] : commonErrors.withBody),
    ...(isRestricted ? commonErrors.restricted : []),
    ...errors,
    ...(method === 'post' ? commonErrors.post : []),
  ]);
  const codesByStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = errorCatalog[code];
    // `asBadRequest` maps the errors of this operation to 400.
    const isMappedTo400 = operationId === 'createSession' && errors.includes(code);
    const responseStatus = isMappedTo400 ? 400 : status;
    codesByStatus.set(responseStatus, [...(codesByStatus.get(responseStatus) ?? []), code]);
  }
  return Object.fromEntries(
    [...codesByStatus].map(([status, statusCodes]) => [status, toErrorResponse(status, statusCodes)]),
  );
}

function toErrorResponse(status: number, codes: ErrorCode[]) {
  const [firstCode] = codes;
  const example = {
    type: `urn:causeway:error:${firstCode}`,
    title: errorCatalog[firstCode!].title,
    status,
    detail: errorCatalog[firstCode!].title,
    code: firstCode,
    requestId: 'req_Zp1M3u0aQf8sT2Lx',
  };
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalog[code].title}`).join('; '),
    'x-error-codes': codes,
    headers: { 'X-Request-Id': commonHeaders['X-Request-Id'], ...errorHeaders[status] },
    content: {
      'application/problem+json': {
        schema: problemSchema,
        example,
      },
    },
  };
}

/** The schema of error responses (RFC 9457). */
const problemSchema = {
  title: 'Problem',
  description: 'An error (RFC 9457).',
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'A URN that contains the error code.' },
    title: {
      type: 'string',
      description: 'A short text for the error code, which is the same for every occurrence.',
    },
    status: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status of the response.' },
    detail: {
      type: 'string',
      description: 'A human-readable explanation of this occurrence. Its wording may change.',
    },
    code: {
      type: 'string',
      description:
        'The machine-readable error code, which is stable and shared with GraphQL. Base your error handling on it.',
    },
    requestId: { type: 'string', description: 'The ID of the request. Include it when you ask for help.' },
    errors: {
      type: 'array',
      description: 'The invalid parts of the input, at most 50.',
      items: {
        title: 'InvalidInput',
        description: 'An invalid part of the input.',
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: { type: 'string', description: 'A JSON pointer to the invalid part of the input.' },
          message: { type: 'string', description: 'The rule that the value at this path must satisfy.' },
        },
      },
    },
  },
};
