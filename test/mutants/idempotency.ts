import type { Mutant } from './mutant.ts';

export const idempotency: Mutant[] = [
  {
    promise: 'An idempotency key belongs to one path and query',
    file: 'src/rest/idempotency.ts',
    find: 'request.url, request.body',
    replace: "request.url.split('?')[0], request.body",
    tests: ['test/rest/idempotency.test.ts'],
  },
  {
    promise: 'An idempotency key belongs to one body',
    file: 'src/domain/platform/idempotency/stored-response.ts',
    find: 'row.fingerprint !== sha256(content)',
    replace: 'row.fingerprint.length !== sha256(content).length',
    tests: ['test/rest/idempotency.test.ts'],
  },
  {
    promise: 'An idempotency key belongs to one mode',
    file: 'src/domain/platform/idempotency/stored-response.ts',
    find: 'AND mode = $2::mode AND',
    replace: "AND ($2 = 'live' OR $2 = 'sandbox') AND",
    tests: ['test/rest/idempotency.test.ts'],
  },
  {
    promise: 'Responses are stored for 24 hours',
    file: 'src/domain/platform/idempotency/with-idempotency-key.ts',
    find: 'export const responseRetentionMs = dayMs',
    replace: 'export const responseRetentionMs = dayMs / 24',
    tests: ['test/rest/idempotency.test.ts'],
  },
  {
    promise: 'Responses of refunds are stored for 30 days',
    file: 'src/domain/platform/idempotency/with-idempotency-key.ts',
    find: 'refundResponseRetentionMs = 30 * dayMs',
    replace: 'refundResponseRetentionMs = 3 * dayMs',
    tests: ['test/rest/refunds.test.ts'],
  },
  {
    promise: 'Stored responses are encrypted',
    file: 'src/domain/platform/idempotency/stored-response.ts',
    find: "secrets.encrypt(body, 'idempotency_key.response_encrypted', [merchantId, mode, key])",
    replace: 'secrets && body',
    tests: ['test/rest/idempotency.test.ts'],
  },
  {
    promise: 'A replayed response has a header that says so',
    file: 'src/rest/idempotency.ts',
    find: "'idempotent-replayed', 'true'",
    replace: "'idempotent-replayed', 'false'",
    tests: ['test/rest/refunds.test.ts'],
  },
  {
    promise: 'A replayed response has the status of the first',
    file: 'src/rest/idempotency.ts',
    find: 'reply.code(response.status)',
    replace: 'reply.code(200)',
    tests: ['test/rest/idempotency.test.ts'],
  },
  {
    promise: 'An idempotency key has at most 255 characters',
    file: 'src/http/idempotency-key.ts',
    find: 'keyLengthMax = 255',
    replace: 'keyLengthMax = 256',
    tests: ['test/rest/idempotency.test.ts'],
  },
];
