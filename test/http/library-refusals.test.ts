import { expect, test } from 'vitest';
import { createLogger } from '../../src/kit/log.ts';
import { setupApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';

const onCleanup = cleanupAfterFile();

/** What the libraries that serve files refuse is the caller's doing: it is told so, and is no fault in the log. */

test.each([
  ['a range beyond the end of the file', { range: 'bytes=99999999-' }],
  ['a range without an end', { range: 'bytes=9-1' }],
  ['a precondition that does not hold', { 'if-match': '"x"' }],
  ['a file that must not have changed since', { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }],
])('%s answers 400 and not 500', async (_what, headers) => {
  const faults: string[] = [];
  const { app } = await setupApp(onCleanup, {
    log: createLogger('error', { write: (line) => void faults.push(line) }),
  });
  const answer = await app.inject({ url: '/docs/static/swagger-ui.css', headers });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: 'invalid_request' });
  expect(answer.body).not.toContain('node_modules');
  expect(faults).toEqual([]);
});

test('a range that the file has is sent', async () => {
  const { app } = await setupApp(onCleanup);
  const answer = await app.inject({ url: '/docs/static/swagger-ui.css', headers: { range: 'bytes=0-9' } });
  expect(answer.statusCode).toBe(206);
  expect(answer.rawPayload).toHaveLength(10);
});
