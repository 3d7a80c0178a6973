import type { BankFeedDetails, BankFeedKind } from './bank-feeds-query.ts';

/** The senders in the order of the form. */
export const feedKindTexts: Record<BankFeedKind, string> = {
  sepay: 'SePay (Vietnam)',
  casso_v2: 'Casso, webhook V2 (Vietnam)',
  casso_v1: 'Casso, webhook V1 (Vietnam)',
  airwallex: 'Airwallex',
  anz: 'ANZ Real-Time Notification (Australia, Singapore)',
  monoova: 'Monoova (Australia)',
  snap: 'SNAP (Indonesia)',
  scb: 'SCB Payment Confirmation (Thailand)',
  custom: 'Another sender of JSON',
};

export const trustTexts: Record<BankFeedDetails['trust'], string> = {
  signature: 'A signature proves the sender and the content.',
  key: 'A static key proves the sender. This is weaker than a signature.',
  none: 'Nothing proves the sender. A payment counts only after the bank’s API has confirmed it.',
};

export const evidenceTexts: Record<BankFeedDetails['evidence'], string> = {
  verified: 'Verified: tested with data that the sender published.',
  documented: 'Documented: built from the sender’s public documentation.',
  unverified: 'Unverified: check the first deliveries before you confirm the feed.',
};

const reasonTexts: Record<string, string> = {
  address_not_allowed: 'The sender’s IP address is not allowed.',
  body_too_large: 'The body is larger than 1 MiB.',
  body_unreadable: 'The body cannot be read:',
  credentials_invalid: 'The key differs from the one of this feed.',
  credentials_missing: 'The key is missing.',
  internal_error: 'An internal error occurred. A worker tries again.',
  invalid_transfer: 'A transfer has an invalid value:',
  no_transfers: 'It contains no movement of money.',
  not_confirmed: 'The bank’s API has not confirmed the payment:',
  signature_invalid: 'The signature does not match. Check the secret or public key of this feed.',
  signature_missing: 'The signature is missing.',
  test: 'It is a test of the sender.',
  timestamp_missing: 'The time of the signature is missing.',
  timestamp_stale: 'It was signed more than 5 minutes ago or ahead. Check the clocks.',
  unknown_account: 'No receiving account of this feed has the account',
};

/** Explains why a delivery was rejected, ignored or failed. Unknown reasons are shown by their code. */
export function formatDeliveryReason(reason: string, detail: string | null): string {
  const text = reasonTexts[reason] ?? `${reason.replaceAll('_', ' ')}:`;
  return detail === null || !/[:t]$/.test(text) ? text : `${text} ${detail}`;
}

/** The statuses of deliveries as `StatusBadge` names them. */
export const deliveryStatuses = [
  { value: 'failed', label: 'Failed' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'received', label: 'Received' },
  { value: 'observed', label: 'Observed' },
  { value: 'processed', label: 'Recorded' },
  { value: 'ignored', label: 'Ignored' },
] as const;
