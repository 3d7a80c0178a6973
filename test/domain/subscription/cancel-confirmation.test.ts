import { expect, test } from 'vitest';
import type { Subscription } from '../../../prisma/client/client.ts';
import {
  confirmationLifetimeMs,
  createCancelConfirmation,
  isCancelConfirmation,
} from '../../../src/domain/billing/subscription/cancel-confirmation.ts';
import { newDataKey, openKeyring } from '../../../src/kit/secrets.ts';
import { noon } from '../../setup/seed.ts';
import { testSecrets } from '../../setup/service.ts';

/** The link by which a customer cancels a subscription is good for that one, as it stands, for an hour. */

const subscription = { id: 'sub_1', mode: 'live', linkVersion: 3 } as Subscription;
const text = createCancelConfirmation(testSecrets, subscription, noon);
const after = (ms: number) => new Date(noon.getTime() + ms);
const opens = (of: Partial<Subscription>, now: Date, given = text, secrets = testSecrets) =>
  isCancelConfirmation(secrets, { ...subscription, ...of }, { text: given, now });

test('it counts to the end of its hour', () => {
  expect([0, confirmationLifetimeMs, confirmationLifetimeMs + 1].map((ms) => opens({}, after(ms)))).toEqual([
    ...[true, true, false],
  ]);
});

test('it is valid neither for another subscription or mode, nor after its links ended, nor under another data key', async () => {
  expect(opens({ id: 'sub_2' }, noon)).toBe(false);
  expect(opens({ linkVersion: 4 }, noon)).toBe(false);
  expect(opens({ mode: 'sandbox' }, noon)).toBe(false);
  const others = await openKeyring(async () => ({ current: newDataKey(), others: [] }));
  expect(opens({}, noon, text, others)).toBe(false);
});

test('nor with another time, or none', () => {
  const [endsAt = '', signature = ''] = text.split('.');
  const later = `${Number(endsAt) + 1}.${signature}`;
  for (const forged of [
    later,
    `0${text}`,
    `.${signature}`,
    signature,
    endsAt,
    `1e99.${signature}`,
    `${text} `,
    '',
  ])
    expect([forged, opens({}, noon, forged)]).toEqual([forged, false]);
});
