import { getIdType, type IdType } from '../../src/kit/id.ts';

/** The GraphQL type of each ID type. */
export const typeNames: Partial<Record<IdType, string>> = {
  charge: 'Charge',
  refund: 'Refund',
  session: 'CheckoutSession',
  checkoutLink: 'CheckoutLink',
  plan: 'SubscriptionPlan',
  subscription: 'SubscriptionContract',
  invoice: 'Invoice',
  customer: 'Customer',
  transfer: 'Transfer',
  allocation: 'Allocation',
  receivingAccount: 'ReceivingAccount',
  statement: 'Statement',
  bankFeed: 'BankFeed',
  feedDelivery: 'FeedDelivery',
  webhook: 'Webhook',
  event: 'Event',
  notification: 'Notification',
  attempt: 'NotificationAttempt',
  message: 'OutboundMessage',
  alert: 'Alert',
  certificate: 'Certificate',
  merchant: 'Merchant',
  testClock: 'TestClock',
  user: 'MerchantUser',
  userInvitation: 'UserInvitation',
  userSession: 'UserSession',
  apiKey: 'ApiKey',
  audit: 'AuditEntry',
  export: 'Export',
  payout: 'RefundPayout',
};

const idPattern = /^[a-z]+_[0-9a-z]+$/;

/** Returns the GraphQL type that the prefix of an ID identifies; undefined for an unknown format or prefix. */
export function getTypeName(id: string): string | undefined {
  const noun = idPattern.test(id) ? getIdType(id) : undefined;
  return noun && typeNames[noun];
}

/** IDs are not encoded: GraphQL uses the same IDs as REST and events, and their prefix identifies the type. */
export const relayOptions = {
  encodeGlobalID: (_typename: string, id: string | number | bigint) => String(id),
  decodeGlobalID: (id: string) => ({ typename: getTypeName(id) ?? '', id }),
  nodeQueryOptions: false,
  nodesQueryOptions: false,
  nodesOnConnection: {
    description:
      'The objects on this page, without their cursors. Select `edges` instead if you need the cursors.',
  },
  nodeTypeOptions: { description: 'An object with an ID. The prefix of the ID identifies its type.' },
  idFieldOptions: {
    description: 'The unique ID of the object. REST, events and GraphQL use the same ID.',
    // Makes the ID a plain property, which resolves without a promise.
    extensions: { pothosExposedField: 'id' },
  },
  pageInfoTypeOptions: {
    description:
      'The first and last cursor of a page, and whether the list has further objects before and after the page.',
  },
  hasNextPageFieldOptions: { description: 'Whether the list has more objects after this page.' },
  hasPreviousPageFieldOptions: { description: 'Whether the list has more objects before this page.' },
  startCursorFieldOptions: {
    description: 'The cursor of the first object on the page. Null if the page is empty.',
  },
  endCursorFieldOptions: {
    description: 'The cursor of the last object on the page. Null if the page is empty.',
  },
  pageInfoFieldOptions: {
    description:
      'The first and last cursor of this page, and whether the list has further objects before and after the page.',
  },
  edgesFieldOptions: { nullable: false, description: 'The objects on this page, each with its cursor.' },
  nodeFieldOptions: { nullable: false, description: 'The object at this position of the list.' },
  cursorFieldOptions: {
    description: 'The cursor of the object, which can be passed as `after` or `before`.',
  },
  firstArgOptions: {
    description:
      'The number of objects to return from the start of the list, at most 50. The default is 10 unless `last` is given.',
  },
  lastArgOptions: {
    description:
      'The number of objects to return from the end of the list, at most 50. Cannot be combined with `first`.',
  },
  afterArgOptions: { description: 'Returns only objects after this cursor.' },
  beforeArgOptions: { description: 'Returns only objects before this cursor.' },
} as const;
