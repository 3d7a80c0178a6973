import { type TProperties, Type } from 'typebox';
import { type EventType, eventTypes, notificationVersions } from '../event/catalog.ts';
import { chargeSchema, orderSchema } from './charge-json.ts';
import { createExampleEvent } from './example-events.ts';
import { enumSchema } from './inputs.ts';
import { refundOfChargeSchema } from './refund-json.ts';
import { sessionSchema } from './sessions.ts';
import { invoiceSchema, subscriptionSchema } from './subscription-json.ts';
import { isoTimeSchema } from './timestamp.ts';

type ObjectKind = (typeof eventTypes)[EventType]['object'];

const merchantId = Type.String({ description: 'The ID of your account, `mer_…`.' });

const chargeProperties = Type.Pick(chargeSchema, [
  'merchantAmount',
  'merchantCurrency',
  'customerAmount',
  'customerCurrency',
  'amountReceived',
  'status',
  'sessionId',
  'subscriptionId',
  'metadata',
]).properties;

/** Only the response that creates a session has the token. */
const sessionProperties = Type.Omit(sessionSchema, ['clientToken']).properties;

const orderOfEventSchema = Type.Object(
  {
    ...orderSchema.properties,
    currency: Type.String({ description: 'The ISO 4217 code of the currency of `amount`.' }),
  },
  { title: 'OrderOfEvent', description: 'An order line in an event.' },
);

/** The members of each kind of payload, as the domain records them. */
const payloadProperties: Record<ObjectKind, TProperties> = {
  charge: {
    chargeId: Type.String({ description: 'The ID of the charge, `ch_…`.' }),
    merchantId,
    ...chargeProperties,
    paymentMethod: Type.String({ description: 'The code of the payment method, `method` in responses.' }),
    orders: Type.Array(orderOfEventSchema, { description: 'The order lines that the customer pays for.' }),
  },
  session: {
    sessionId: Type.String({ description: 'The ID of the session, `ses_…`, the same as `id`.' }),
    merchantId,
    ...sessionProperties,
  },
  refund: refundOfChargeSchema.properties,
  subscription: {
    ...subscriptionSchema.properties,
    chargeId: Type.Optional(
      Type.String({
        description:
          'The ID of the charge that was paid, `ch_…`. Only in `subscription_paid` and `subscription_completed`, if there was a payment.',
      }),
    ),
  },
  invoice: invoiceSchema.properties,
  transfer: {
    id: Type.String({ description: 'The ID of the transfer, `tr_…`.' }),
    merchantId,
    bankReference: Type.Optional(
      Type.String({
        description:
          'The bank’s own reference of the transfer, such as its transaction ID. Omitted if the bank gave none.',
      }),
    ),
    receivingAccountId: Type.String({ description: 'The ID of the receiving account, `acc_…`.' }),
    amount: Type.Number({ description: 'The amount of the transfer, in `currency`.' }),
    currency: Type.String({ description: 'The ISO 4217 code of the currency of `amount`.' }),
    reference: Type.String({ description: 'The text that the payer wrote.' }),
    payerName: Type.Optional(Type.String({ description: 'The name of the payer, if the bank reported it.' })),
    status: Type.String({ description: 'The status of the transfer, `exception`.' }),
    reason: Type.Optional(Type.String({ description: 'The reason why the transfer needs review.' })),
    paidAt: isoTimeSchema('The time of the payment.'),
  },
};

/** Returns the members of every payload, which follow those of its object. */
function getEventProperties(types: EventType[]): TProperties {
  return {
    mode: enumSchema(['live', 'sandbox'], 'The mode of the object. No real money is paid in the sandbox.'),
    eventId: Type.String({ description: 'The ID of the event, `ev_…`, the same in every attempt.' }),
    eventType: enumSchema(types, 'The event type, the same as `message`.'),
    timestamp: Type.Number({ description: 'The time of the event, in seconds since 1970.' }),
    notifyPayload: Type.Optional(
      Type.String({
        description: 'Your reference for the charge, session or subscription. Omitted if there is none.',
      }),
    ),
  };
}

/** Returns the schema of the body of notifications about one kind of object. */
function createNotificationSchema(kind: ObjectKind) {
  const types = listTypes().filter((type) => eventTypes[type].object === kind);
  const name = `${kind[0]!.toUpperCase()}${kind.slice(1)}`;
  const payload = Type.Object(
    { ...payloadProperties[kind], ...getEventProperties(types) },
    { title: `${name}EventPayload`, description: `The ${kind} at the time of the event.` },
  );
  return Type.Object(
    {
      merchantId,
      timestamp: Type.Number({ description: 'The time of the event, in seconds since 1970.' }),
      eventId: Type.String({
        description: 'The ID of the event, `ev_…`, the same in every attempt. Process each event once.',
      }),
      notificationVersion: enumSchema(notificationVersions, 'The version that the webhook is set to.'),
      objectVersion: Type.Integer({
        description: 'The version of the object, which increases with each of its events.',
      }),
      ...(kind === 'charge' && { chargeId: Type.String({ description: 'The ID of the charge, `ch_…`.' }) }),
      message: enumSchema(types, 'The event type.'),
      payload,
      ...(kind === 'charge' && {
        signature: Type.Optional(
          Type.String({
            description: 'The signature of `payload` with your certificate, in base64. Only in callbacks.',
          }),
        ),
      }),
    },
    { title: `${name}Notification`, description: `The body of notifications about ${kind}s.` },
  );
}

/** The event types that webhooks can receive. */
function listTypes(): EventType[] {
  return (Object.keys(eventTypes) as EventType[]).filter((type) => eventTypes[type].since !== 'never');
}

const header = (name: string, required: boolean, description: string) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
});
const webhookHeaders = [
  header('webhook-id', true, 'The `eventId`.'),
  header('webhook-timestamp', true, 'The time of the attempt, in whole seconds since 1970.'),
  header('webhook-signature', false, 'The signature (Standard Webhooks), if the webhook is signed.'),
  header('webhook-test', false, '`true` in tests that you send.'),
];

/** Describes the request that a webhook receives for each event type. */
export function describeWebhooks(): Record<string, object> {
  const schemas = new Map<ObjectKind, object>();
  return Object.fromEntries(
    listTypes().map((type) => {
      const { object: kind, since } = eventTypes[type];
      const schema = schemas.get(kind) ?? createNotificationSchema(kind);
      schemas.set(kind, schema);
      const description = `Sent to webhooks from version ${since}. Verify the signature, store the event by its ID, and respond with any 2xx status within 15 seconds.`;
      return [
        type,
        {
          post: {
            operationId: `on_${type}`,
            summary: `The event ${type}`,
            description,
            tags: ['Webhooks'],
            parameters: webhookHeaders,
            requestBody: {
              required: true,
              content: { 'application/json': { schema, example: createExampleEvent(type) } },
            },
            responses: { '2XX': { description: 'The notification was received, and is not sent again.' } },
          },
        },
      ];
    }),
  );
}
