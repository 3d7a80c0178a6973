import type { Export } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { checkDayRange } from '../../../kit/check-day-range.ts';
import { isCurrencyCode } from '../../../kit/currency.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { newId } from '../../../kit/id.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { unsupportedCurrencyError } from '../../../kit/money.ts';
import { checkNonEmpty } from '../../../kit/text.ts';
import { toLocalDate } from '../../../kit/time-zone.ts';
import { type RequestContext, requirePermission } from '../../accounts/api-key/permissions.ts';
import { requireRecentTwoFactor } from '../../accounts/user/require-recent-two-factor.ts';
import type { JournalAccount } from '../../money-in/books/postings-sql.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import { claimRefundsForFile, type PayoutFileInput } from '../payout/claim-refunds-for-file.ts';
import type { ExportFormat } from '../payout/write-payouts.ts';
import { defaultXeroCodes } from './default-xero-codes.ts';
import { type ExportRequest, getExportPermission } from './export-request.ts';

/** How long an export is stored: after its completion or, if it failed, after its request. */
export const exportRetentionMs = dayMs;

type ListKind = 'charges' | 'refunds' | 'transfers' | 'customers';

export type CreateExportInput = { includeByteOrderMark?: boolean | null | undefined } & (
  | {
      kind: ListKind;
      where: object;
      reverse?: boolean | null | undefined;
    }
  | { kind: 'reconciliation'; from: string; to: string }
  | ({ kind: 'journal' } & JournalInput)
  | ({ kind: 'payouts'; format: ExportFormat } & PayoutFileInput)
);

/**
 * Requests an export, which a job builds: a filtered list, a reconciliation, a journal, or refund payouts.
 * The refunds of a payout file are marked as exported, so each refund is in only one file unless
 * `includeExported` is set. The audit trail records the request. Throws `permission_denied`,
 * `two_factor_code_required`, `invalid_request`, `currency_unsupported` or `receiving_account_not_found`.
 */
export async function createExport(
  db: Db,
  options: RequestContext & { input: CreateExportInput },
): Promise<Export> {
  const { caller, ipAddress, input, now } = options;
  requirePermission(caller, getExportPermission(input.kind));
  if (input.kind === 'payouts') requireRecentTwoFactor(caller, { rule: 'live', now });
  const scope = { merchantId: caller.merchant.id, mode: caller.mode };
  return transact(db, async (uow) => {
    const request = await buildRequest(uow.tx, { ...scope, input, now });
    const format = request.kind === 'payouts' ? request.format : 'csv';
    const day = toLocalDate(now, caller.merchant.timeZone);
    const row = await uow.tx.export.create({
      data: {
        ...scope,
        id: newId('export', now),
        kind: input.kind,
        format,
        options: request,
        fileName: `${input.kind}-${formatPeriod(request) ?? day}${format === 'csv' ? '.csv' : `.${format}.xml`}`,
        createdBy: caller.actor,
        createdAt: now,
        expiresAt: new Date(now.getTime() + exportRetentionMs),
      },
    });
    const detail = {
      kind: input.kind,
      format,
      ...(request.kind === 'payouts' && { refunds: request.refundIds }),
    };
    await recordAudit(uow, {
      ...scope,
      actor: caller.actor,
      ipAddress,
      action: 'export.created',
      objectId: row.id,
      detail,
      now,
    });
    return row;
  });
}

async function buildRequest(
  tx: Tx,
  options: MerchantScope & { input: CreateExportInput; now: Date },
): Promise<ExportRequest> {
  const { input, ...scope } = options;
  const includeByteOrderMark = input.includeByteOrderMark === true;
  if (input.kind === 'payouts') {
    const selection = await claimRefundsForFile(tx, { ...scope, input });
    return {
      kind: 'payouts',
      format: input.format,
      ...selection,
      payingAccountId: input.payingAccountId ?? null,
      includeByteOrderMark,
    };
  }
  if (input.kind === 'journal') return parseJournalRequest({ ...input, includeByteOrderMark });
  if (input.kind === 'reconciliation') {
    const { kind, from, to } = input;
    checkDayRange({ from, to });
    return { kind, from, to, includeByteOrderMark };
  }
  const { kind } = input;
  const reverse = input.reverse === true;
  // The filter is stored as JSON, in which dates become ISO strings; Prisma accepts these in a filter.
  const filter = JSON.parse(JSON.stringify(input.where)) as object;
  const where = reverse ? { AND: [filter, await excludeLaterRows(tx, { ...scope, kind })] } : filter;
  return { kind, where, reverse, includeByteOrderMark };
}

/** Returns a condition that excludes rows created after the request, which an export in ascending order would reach. */
async function excludeLaterRows(
  tx: Tx,
  { merchantId, mode, kind }: MerchantScope & { kind: ListKind },
): Promise<{ id: { lte: string } }> {
  const query = { where: { merchantId, mode }, orderBy: { id: 'desc' }, select: { id: true } } as const;
  const find = {
    charges: () => tx.charge.findFirst(query),
    refunds: () => tx.refund.findFirst(query),
    transfers: () => tx.transfer.findFirst(query),
    customers: () => tx.customer.findFirst(query),
  };
  return { id: { lte: (await find[kind]())?.id ?? '' } };
}

function formatPeriod(request: ExportRequest): string | undefined {
  if (request.kind !== 'reconciliation' && request.kind !== 'journal') return undefined;
  const days = request.from === request.to ? request.from : `${request.from}-to-${request.to}`;
  return request.kind === 'journal' && request.format === 'xero' ? `xero-${request.currency}-${days}` : days;
}

type XeroInput = {
  currency: string;
  /** The full name of the tax rate in Xero. */
  taxRateName?: string | null | undefined;
  accountCodes?: readonly { account: JournalAccount; code: string }[] | null | undefined;
};

type JournalInput = { from: string; to: string; xero?: XeroInput | null | undefined };

const codeLengthMax = 10;
const taxRateNameLengthMax = 50;

function parseJournalRequest(
  input: JournalInput & { includeByteOrderMark: boolean },
): Extract<ExportRequest, { kind: 'journal' }> {
  const { from, to, xero, includeByteOrderMark } = input;
  checkDayRange({ from, to });
  const request = { kind: 'journal' as const, from, to, includeByteOrderMark };
  if (!xero) return { ...request, format: 'csv' };
  const { currency, taxRateName = null } = xero;
  if (!isCurrencyCode(currency)) throw unsupportedCurrencyError(currency);
  const codes = (xero.accountCodes ?? []).map(({ account, code }, i) => [
    account,
    checkNonEmpty(code, `/xero/accountCodes/${i}/code`, { max: codeLengthMax }),
  ]);
  const accountCodes = {
    ...(defaultXeroCodes satisfies Record<Exclude<JournalAccount, 'bank'>, string>),
    ...(Object.fromEntries(codes) as Record<JournalAccount, string>),
  };
  if (new Set(codes.map(([account]) => account)).size < codes.length)
    throw invalidInputError('/xero/accountCodes', 'must have each account at most once');
  if (!('bank' in accountCodes)) throw invalidInputError('/xero/accountCodes', 'must have a code for bank');
  return {
    ...request,
    format: 'xero',
    currency,
    taxRateName: checkNonEmpty(taxRateName ?? 'Tax Exempt', '/xero/taxRateName', {
      max: taxRateNameLengthMax,
    }),
    accountCodes,
  };
}
