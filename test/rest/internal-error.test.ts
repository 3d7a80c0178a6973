import { expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '../../src/kit/log.ts';
import { callApi } from '../setup/api.ts';
import { setupApp } from '../setup/app.ts';
import { seedMerchant } from '../setup/seed.ts';

test('An unexpected error is logged, and returned as internal_error without its message', async () => {
  let logged = '';
  const write = (line: string) => {
    logged += line;
  };
  const { app, context } = await setupApp(onTestFinished, { log: createLogger('error', { write }) });
  const { keys } = await seedMerchant(context.service);
  const error = new Error('password of the database is hunter2');
  vi.spyOn(context.service.prisma.subscriptionPlan, 'findFirst').mockRejectedValueOnce(error);
  const { status, text, json } = await callApi(app, {
    method: 'GET',
    url: '/subscription-plans/pl_1',
    keys: keys.live,
  });
  expect(status).toBe(500);
  expect(json).toEqual({
    type: 'urn:causeway:error:internal_error',
    title: 'Something went wrong on our side',
    status: 500,
    detail: 'Something went wrong on our side',
    code: 'internal_error',
    requestId: expect.stringMatching(/^req_/),
  });
  expect(text).not.toContain('hunter2');
  expect(JSON.parse(logged)).toMatchObject({ reqId: json.requestId, err: { message: error.message } });
});
