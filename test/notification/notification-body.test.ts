import { expect, test } from 'vitest';
import { toNotificationBody } from '../../src/notification/notification-body.ts';
import { noon } from '../setup/seed.ts';

const event = {
  id: 'ev_1',
  merchantId: 'mer_1',
  type: 'CHARGE_COMPLETE',
  objectId: 'ch_1',
  objectVersion: 2,
  payload: '{"chargeId":"ch_1","merchantAmount":128.5,"notifyPayload":"Zür\\u0041\\"ich"}',
  createdAt: new Date(noon.getTime() + 45),
} as const;

test('the body has the documented members, and the payload as the very text that was stored', () => {
  expect(toNotificationBody(event, { version: '0.9' })).toBe(
    '{"merchantId":"mer_1","timestamp":1794916800.045,"eventId":"ev_1","notificationVersion":"0.9",' +
      '"objectVersion":2,"chargeId":"ch_1","message":"CHARGE_COMPLETE","payload":' +
      '{"chargeId":"ch_1","merchantAmount":128.5,"notifyPayload":"Zür\\u0041\\"ich"}}',
  );
});

test('a callback has the signature last', () => {
  const body = toNotificationBody(event, { version: '0.9', signature: 'c2lnbmVk' });
  expect(Object.keys(JSON.parse(body)).at(-1)).toBe('signature');
  expect(JSON.parse(body).signature).toBe('c2lnbmVk');
});

test('the timestamp has a fraction also at a full second', () => {
  const body = toNotificationBody({ ...event, createdAt: noon }, { version: '0.9' });
  expect(body).toContain('"timestamp":1794916800.000,');
  expect(JSON.parse(body).timestamp).toBe(noon.getTime() / 1_000);
});

test('messages of other objects have no chargeId at the top', () => {
  const body = toNotificationBody(
    { ...event, type: 'session_expired', objectId: 'ses_1' },
    { version: '1.0' },
  );
  expect(JSON.parse(body)).not.toHaveProperty('chargeId');
});
