import { fillText } from '../../../language/fill-text.ts';
import { formatAmount } from '../../format/amount.ts';
import { formatCode } from '../../format/labels.ts';
import { t } from '../../language/texts.ts';
import type { BankFeedDetails, BankFeedKind } from './bank-feeds-query.ts';

export const feedRefreshMs = 5_000;

/** The senders in the order of the form. */
export const feedKindTexts: Record<BankFeedKind, string> = {
  sepay: t.bankFeed.sepayVietnam,
  casso_v2: t.bankFeed.cassoWebhookV2Vietnam,
  casso_v1: t.bankFeed.cassoWebhookV1Vietnam,
  airwallex: t.bankFeed.airwallex,
  anz: t.bankFeed.anzRealTimeNotification,
  monoova: t.bankFeed.monoovaAustralia,
  snap: t.bankFeed.snapIndonesia,
  scb: t.bankFeed.scbPaymentConfirmationThailand,
  wise: t.bankFeed.wise,
  akahu: t.bankFeed.akahuNewZealand,
  popbill: t.bankFeed.popbillSouthKorea,
  sftp: t.bankFeed.statementFilesOnAn,
  folder: t.bankFeed.statementFilesInA,
  custom: t.bankFeed.anotherSenderJson,
};

export const trustTexts: Record<BankFeedDetails['trust'], string> = {
  signature: t.bankFeed.aSignatureProvesThe,
  key: t.bankFeed.aStaticKeyProves,
  connection: t.bankFeed.theServiceFetchesThe,
  none: t.bankFeed.nothingProvesTheSender,
};

export const evidenceTexts: Record<BankFeedDetails['evidence'], string> = {
  verified: t.bankFeed.verifiedTestedWithData,
  documented: t.bankFeed.documentedBuiltFromThe,
  unverified: t.bankFeed.unverifiedCheckTheFirst,
};

const reasonTexts: Record<string, string> = {
  address_not_allowed: t.bankFeed.theSendersIpAddress,
  body_too_large: t.bankFeed.theBodyIsLarger,
  body_unreadable: t.bankFeed.theBodyCannotBe,
  credentials_invalid: t.bankFeed.theKeyIsNot,
  credentials_missing: t.bankFeed.theKeyIsMissing,
  api_error: t.bankFeed.theBanksApiResponded,
  api_repeats_page: t.bankFeed.theBanksApiReturned,
  confirmation_needed: t.bankFeed.theFileDoesNot,
  connection_failed: t.bankFeed.theConnectionFailed,
  credentials_rejected: t.bankFeed.theBanksApiRejected,
  fetched_again: t.bankFeed.theFileHasAlready,
  file_too_large: t.bankFeed.theFileIsLarger,
  file_truncated: t.bankFeed.theFileWasNot,
  file_unreadable: t.bankFeed.theFileCannotBe,
  folder_missing: t.bankFeed.theFolderCannotBe,
  host_key_changed: t.bankFeed.theServerPresentedA,
  host_key_unapproved: t.bankFeed.compareTheHostKey,
  import_cancelled: t.bankFeed.theImportOfThe,
  import_failed: t.bankFeed.theFileCouldNot,
  internal_error: t.bankFeed.anInternalErrorOccurred,
  login_rejected: t.bankFeed.theServerRejectedThe,
  mapping_missing: t.bankFeed.theColumnsOfThe,
  pgp_failed: t.bankFeed.theFileCannotBeDecrypted,
  timeout: t.bankFeed.theServerDidNot,
  too_many_uploads: t.bankFeed.tooManyUploadedFiles,
  invalid_transfer: t.bankFeed.aTransferHasAn,
  no_transfers: t.bankFeed.itContainsNoTransaction,
  not_confirmed: t.bankFeed.theBanksApiHas,
  signature_invalid: t.bankFeed.theSignatureDoesNot,
  signature_missing: t.bankFeed.theSignatureIsMissing,
  test: t.bankFeed.itIsATest,
  timestamp_missing: t.bankFeed.theSignatureHasNo,
  timestamp_stale: t.bankFeed.theTimestampOfThe,
  unknown_account: t.bankFeed.noReceivingAccountOf,
};

/** Explains why a delivery was rejected, ignored or failed. Unknown reasons are shown by their code. */
export function formatDeliveryReason(reason: string, detail: string | null): string {
  const text = reasonTexts[reason];
  if (text === undefined) return [formatCode(reason), detail].filter(Boolean).join(': ');
  return fillText(text, { detail: detail || t.common.unknown });
}

/** The statuses of deliveries as `StatusBadge` names them. */
export const deliveryStatuses = [
  { value: 'failed', label: t.common.failed },
  { value: 'rejected', label: t.bankFeed.rejected },
  { value: 'received', label: t.common.received },
  { value: 'observed', label: t.bankFeed.observed },
  { value: 'processed', label: t.common.recorded },
  { value: 'ignored', label: t.bankFeed.ignored },
] as const;

/** Returns the amount as the sender reported it, formatted unless it or the currency is invalid. */
export function formatReportedAmount({ amount, currency }: { amount: string; currency: string }): string {
  const isValid = /^\d+(?:\.\d+)?$/.test(amount) && /^[A-Z]{3}$/.test(currency);
  return isValid ? formatAmount(amount, currency) : `${amount} ${currency}`;
}
