import type { EventType, NotificationVersion } from '../../src/event/catalog.ts';
import { builder } from '../kit/builder.ts';

export const EventTypeEnum = builder.enumType('EventType', {
  description: 'The type of an event. More values may be added.',
  values: {
    CHARGE_COMPLETE: { description: 'A charge was paid, or was completed with `completeSandboxCharge`.' },
    charge_created: {
      description: 'A charge was created. Webhooks receive this event only for charges of subscriptions.',
    },
    charge_completed: {
      description:
        'A charge of a subscription was paid. The event is sent in addition to `CHARGE_COMPLETE`, which is sent for every paid charge.',
    },
    charge_expired: { description: 'A charge was not paid in time.' },
    charge_cancelled: {
      description:
        'The customer or you cancelled a charge, or a charge with another payment method replaced it.',
    },
    charge_extended: {
      description:
        'You gave the customer more time for the rest of a part payment. A charge that had expired is pending again. Webhooks do not receive this event.',
    },
    charge_part_paid: { description: 'Less than the amount of a charge has arrived.' },
    charge_overpaid: { description: 'More than the amount of a charge has arrived.' },
    session_created: { description: 'A session was created. Webhooks do not receive this event.' },
    session_initiated: {
      description:
        'A customer opened a session, and their browser claimed it. Until the session has a charge, another browser can claim it instead. Webhooks do not receive this event.',
    },
    session_charged: {
      description: 'The charge of a session was created. Webhooks do not receive this event.',
    },
    session_expired: { description: 'A session was not used in time.' },
    session_cancelled: { description: 'The customer or you cancelled a session.' },
    refund_initiated: {
      description: 'The customer was asked for bank details, because a refund was created or reopened.',
    },
    refund_processing: {
      description: 'The bank details of a refund were entered, and the refund can be paid.',
    },
    refund_completed: { description: 'A refund was paid.' },
    refund_cancelled: {
      description: 'A refund was cancelled by you, or because the bank reversed the payment.',
    },
    subscription_created: { description: 'A customer enrolled in a plan.' },
    subscription_invoice_due: { description: 'An invoice is due in `invoiceNoticeDays` days.' },
    subscription_paid: {
      description: 'A payment of a subscription was completed, or a subscription started without a payment.',
    },
    subscription_paused: {
      description:
        'The grace period of a subscription ended without a payment, or you paused the subscription.',
    },
    subscription_resumed: {
      description:
        'A subscription that you had paused resumed, because you resumed it or its `resumesAt` was reached.',
    },
    subscription_updated: {
      description:
        'You changed the plan or the price of a subscription, skipped a payment, or voided an invoice.',
    },
    subscription_cancelled: { description: 'The customer or you cancelled a subscription.' },
    subscription_completed: { description: 'The last payment of a subscription was completed.' },
    transfer_exception: {
      description: 'A transfer could not be matched automatically and needs your decision.',
    },
  } satisfies Record<EventType, object>,
});

export const NotificationVersionEnum = builder.enumType('NotificationVersion', {
  description: 'A version of the notifications. It determines the event types that a webhook can receive.',
  values: {
    v0_8: {
      value: '0.8',
      description: 'Notifications have version `0.8`. Webhooks can receive only `CHARGE_COMPLETE`.',
    },
    v0_9: {
      value: '0.9',
      description:
        'Notifications have version `0.9`. Webhooks can receive `CHARGE_COMPLETE` and the events of subscriptions.',
    },
    v1_0: {
      value: '1.0',
      description:
        'Notifications have version `1.0`. Webhooks can receive all event types, except those whose description excludes webhooks.',
    },
  } satisfies Record<string, { value: NotificationVersion; description: string }>,
});
