import { formatAmount } from '../../format/amount.ts';
import type { BankFeedDetails, BankFeedKind } from './bank-feeds-query.ts';

/** How often the pages of feeds reload their data. */
export const feedRefreshMs = 5_000;

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
  wise: 'Wise',
  akahu: 'Akahu (New Zealand)',
  popbill: 'Popbill (South Korea)',
  sftp: 'Statement files on an SFTP server',
  folder: 'Statement files in a folder of the service',
  custom: 'Another sender (JSON)',
};

export const trustTexts: Record<BankFeedDetails['trust'], string> = {
  signature: 'A signature proves the sender and the content.',
  key: 'A static key proves the sender. This is weaker than a signature.',
  connection: 'The service fetches the transfers itself from the bank or provider.',
  none: 'Nothing proves the sender. Payments are recorded only after the bank’s API has confirmed them.',
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
  credentials_invalid: 'The key is not that of this feed.',
  credentials_missing: 'The key is missing.',
  api_error: 'The bank’s API responded with an error:',
  api_repeats_page: 'The bank’s API returned the same page again.',
  confirmation_needed:
    'The file does not match its control figures, so nothing is recorded yet. Open its statement, and confirm or cancel the import.',
  connection_failed: 'The connection failed:',
  credentials_rejected: 'The bank’s API rejected the credentials:',
  fetched_again: 'The file has already been fetched.',
  file_too_large: 'The file is larger than 256 MiB.',
  file_truncated: 'The file was not transmitted completely. It is fetched again:',
  file_unreadable: 'The file cannot be read:',
  folder_missing: 'The folder cannot be opened:',
  host_key_changed:
    'The server presented a host key that differs from the approved one. Ask the bank before you approve it.',
  host_key_unapproved:
    'Compare the host key of the server with the one that the bank published. Then approve it.',
  import_cancelled: 'The import of the file was cancelled.',
  import_failed: 'The file could not be imported:',
  internal_error: 'An internal error occurred. It will be retried automatically.',
  login_rejected: 'The server rejected the login:',
  mapping_missing: 'The columns of the file are unknown. Import a file of this account manually once:',
  pgp_failed: 'The file cannot be decrypted:',
  timeout: 'The server did not respond in time.',
  too_many_uploads: 'Too many uploaded files are waiting to be imported:',
  invalid_transfer: 'A transfer has an invalid value:',
  no_transfers: 'It contains no transaction.',
  not_confirmed: 'The bank’s API has not confirmed the payment:',
  signature_invalid: 'The signature does not match. Check the secret or public key of this feed.',
  signature_missing: 'The signature is missing.',
  test: 'It is a test message from the sender.',
  timestamp_missing: 'The signature has no timestamp.',
  timestamp_stale:
    'The timestamp of the signature differs from the current time by more than 5 minutes. Check the clocks.',
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

/** The amount as the sender reported it, formatted unless it or the currency is invalid. */
export function formatReportedAmount({ amount, currency }: { amount: string; currency: string }): string {
  const isValid = /^\d+(?:\.\d+)?$/.test(amount) && /^[A-Z]{3}$/.test(currency);
  return isValid ? formatAmount(amount, currency) : `${amount} ${currency}`;
}
