import { type IdNoun, nounOfId } from '../../src/kit/id.ts';

/** The GraphQL type whose objects have ids of a noun's prefix. */
export const typeNames: Partial<Record<IdNoun, string>> = {
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
  webhook: 'Webhook',
  event: 'Event',
  notification: 'Notification',
  attempt: 'NotificationAttempt',
  message: 'Message',
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

const idForm = /^[a-z]+_[0-9a-z]+$/;

/** The GraphQL type an id speaks of; undefined when it is no id of ours. */
export function typeNameOf(id: string): string | undefined {
  const noun = idForm.test(id) ? nounOfId(id) : undefined;
  return noun && typeNames[noun];
}

/** There is one id: GraphQL's `id` is the very string of REST and events, and its prefix names the type. */
export const relayOptions = {
  encodeGlobalID: (_typename: string, id: string | number | bigint) => String(id),
  decodeGlobalID: (id: string) => ({ typename: typeNameOf(id) ?? '', id }),
  nodeQueryOptions: false,
  nodesQueryOptions: false,
  nodesOnConnection: { description: 'The objects of this page, without their cursors.' },
  nodeTypeOptions: { description: 'An object with an id. The prefix of the id names its type.' },
  idFieldOptions: {
    description: 'The id, the same string in REST, events and GraphQL.',
    // A member of its row as any other, which is read without a promise.
    extensions: { pothosExposedField: 'id' },
  },
  pageInfoTypeOptions: { description: 'Where a page stands in its list.' },
  hasNextPageFieldOptions: { description: 'Whether there is more after this page.' },
  hasPreviousPageFieldOptions: { description: 'Whether there is more before this page.' },
  startCursorFieldOptions: { description: 'Cursor of the first object; null on an empty page.' },
  endCursorFieldOptions: { description: 'Cursor of the last object; null on an empty page.' },
  pageInfoFieldOptions: { description: 'Where this page stands in the list.' },
  edgesFieldOptions: { nullable: false, description: 'The objects of this page, each with its cursor.' },
  nodeFieldOptions: { nullable: false, description: 'The object.' },
  cursorFieldOptions: { description: 'Where the object stands in the list: for `after` and `before`.' },
  firstArgOptions: { description: 'How many from the start, at most 50; 10 when left out.' },
  lastArgOptions: { description: 'How many from the end, at most 50.' },
  afterArgOptions: { description: 'Only what comes after this cursor.' },
  beforeArgOptions: { description: 'Only what comes before this cursor.' },
} as const;
