/** All kinds of messages. They are stored in the database, so do not rename them. */
export const messageKinds = [
  'account-notice',
  'bank-feed',
  'cancel-subscription',
  'email-change',
  'endpoint-alert',
  'invitation',
  'invoice-due',
  'invoice-paused',
  'invoice-reminder',
  'notice',
  'password-reset',
  'phone-code',
  'receipt',
  'receiving-account',
  'references-low',
  'refund-link',
  'refund-sent',
  'subscription-changed',
] as const;
export type MessageKind = (typeof messageKinds)[number];
