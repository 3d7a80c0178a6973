import type { Event, Mode, Webhook } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { type CreateWebhookInput, createWebhook } from '../../src/domain/accounts/webhook/create-webhook.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import type { EventInput } from '../../src/event/event-row.ts';
import { recordEvent } from '../../src/event/record-event.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { transact } from '../../src/event/unit-of-work.ts';
import { noon } from './seed.ts';

/** Creates a webhook, by default a live one with user name and password. */
export async function seedWebhook(
  service: Service,
  merchant: NewMerchant,
  input: Partial<CreateWebhookInput> & { mode?: Mode } = {},
): Promise<Webhook> {
  const { mode = 'live', ...rest } = input;
  const { webhook } = await createWebhook(service, {
    merchantId: merchant.merchant.id,
    mode,
    input: { url: 'https://shop.example/hooks', username: 'shop', password: 'open sesame', ...rest },
    actor: 'user:test',
    now: noon,
  });
  return webhook;
}

export async function seedEvent(
  service: Service,
  merchant: NewMerchant,
  input: Partial<EventInput> = {},
): Promise<Event> {
  const objectId = input.objectId ?? `ch_${Math.random().toString(36).slice(2)}`;
  const event: EventInput = {
    merchantId: merchant.merchant.id,
    mode: 'live',
    type: 'CHARGE_COMPLETE',
    objectId,
    objectVersion: 1,
    payload: { chargeId: objectId },
    actor: 'key:test',
    now: noon,
    ...input,
  };
  await transact(service, async (uow) => recordEvent(uow, event));
  return service.prisma.event.findFirstOrThrow({
    where: { objectId, objectVersion: event.objectVersion },
  });
}

/** Merchant input with characters that are prone to encoding and signature errors. */
export const unusualInput = {
  notifyPayload: 'T3JkZXIgNyDinJM= "✓" \\ \u2028',
  orders: [{ id: 'o1', name: 'Tee – 茶', quantity: 2, amount: 64.25 }],
};

export async function seedDueNotifications(
  service: Service,
  merchant: NewMerchant,
  count: number,
): Promise<void> {
  for (let i = 0; i < count; i++) await seedEvent(service, merchant);
  await relayEvents(service, { now: new Date() });
}

/** Expires the leases of a killed worker, which otherwise last half a minute. */
export async function expireLeases({ prisma }: Service): Promise<void> {
  await prisma.notification.updateMany({
    where: { leasedUntil: { not: null } },
    data: { leasedUntil: new Date() },
  });
}
