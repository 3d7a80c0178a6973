import { Alert, List, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { fillText } from '../../../language/fill-text.ts';
import { Amount } from '../../components/amount.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Muted } from '../../components/muted.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PeriodPicker, usePeriod } from '../../components/period-picker.tsx';
import { Section } from '../../components/section.tsx';
import { formatAmount, isZero } from '../../format/amount.ts';
import { isWholeMonth, monthName } from '../../format/days.ts';
import { formatMethod } from '../../format/labels.ts';
import { formatMoment } from '../../format/moment.ts';
import { formatTimeZone } from '../../format/time-zones.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { serverNow } from '../../graphql/server-clock.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { AccountantHint } from '../books/accountant-hint.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { ExportProgress } from '../export/export-progress.tsx';
import { useExport } from '../export/use-export.ts';
import classes from './account-books.module.css';

export default function ReconciliationPage() {
  const [period, setPeriod] = usePeriod();
  const query = useCachedQuery(reconciliationQuery, period);
  const { start, ...exportJob } = useExport();
  // Ignores data of the period that was selected before.
  const report = query.isCurrent ? query.data?.reconciliation : undefined;
  const { dataAsOf } = query.data ?? {};
  const dataTime = formatMoment(dataAsOf ?? serverNow().toISOString(), 'long');
  return (
    <>
      <PageHeader
        title={t.reconciliation.reconciliation}
        badge={isWholeMonth(period.from, period.to) ? monthName(period.from) : undefined}
        text={
          report &&
          fillNodes(t.reconciliation.daysFollowTheTime, {
            timeZone: (
              <Link to="/settings" underline="always">
                {formatTimeZone(report.timeZone)}
              </Link>
            ),
            dataTime,
          })
        }
      >
        <ExportButton
          exportJob={{ start, ...exportJob }}
          input={{ kind: 'reconciliation', startDate: period.from, endDate: period.to }}
        />
      </PageHeader>
      <ExportProgress {...exportJob} />
      <AccountantHint />
      <PeriodPicker period={period} onChange={setPeriod} />
      <div aria-busy={query.isLoading}>
        <Loaded key={`${period.from} ${period.to}`} query={{ ...query, data: report }} lines={8}>
          {({ lines, statementGaps }) => (
            <>
              <StatementGaps gaps={statementGaps} />
              {lines.length > 0 ? (
                <>
                  <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg" mb="sm">
                    {lines.map((line) => (
                      <AccountReconciliation
                        key={`${line.receivingAccount.id} ${line.currency}`}
                        line={line}
                      />
                    ))}
                  </SimpleGrid>
                  <Muted>{t.reconciliation.theOpeningBalanceIs}</Muted>
                </>
              ) : (
                <Section title={t.reconciliation.accounts} isFlush>
                  <EmptyState title={t.reconciliation.noActivity}>
                    {t.reconciliation.noTransfersOrRefunds}
                  </EmptyState>
                </Section>
              )}
            </>
          )}
        </Loaded>
      </div>
    </>
  );
}

function formatBalance(amount: string, day: string | null, currency: string): string {
  const balance = formatAmount(amount, currency);
  return day === null
    ? balance
    : fillText(t.reconciliation.balanceOnDay, { balance, day: formatMoment(day, 'date') });
}

/** A gap is where an opening balance differs from the closing balance of the previous imported statement. */
function StatementGaps({ gaps }: { gaps: readonly StatementGapRow[] }) {
  if (gaps.length === 0) return null;
  return (
    <Alert color="amber" variant="light" title={t.reconciliation.statementsAreMissingOr} mb="lg">
      <List size="sm">
        {gaps.map((gap) => (
          <List.Item key={`${gap.previousStatementId} ${gap.nextStatementId} ${gap.openingBalance}`}>
            {fillNodes(t.reconciliation.thenDifference, {
              methodName: formatMethod(gap.receivingAccount.method),
              account: gap.receivingAccount.account,
              closing: (
                <Link to={`/statements/${gap.previousStatementId}`}>
                  {formatBalance(gap.closingBalance, gap.closedOn, gap.currency)}
                </Link>
              ),
              opening: (
                <Link to={`/statements/${gap.nextStatementId}`}>
                  {formatBalance(gap.openingBalance, gap.openedOn, gap.currency)}
                </Link>
              ),
              difference: formatAmount(gap.difference, gap.currency),
            })}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function AccountReconciliation({ line }: { line: AccountReconciliationLine }) {
  const { receivingAccount: account, currency } = line;
  const renderRow = (name: ReactNode, value: string, variant?: 'part' | 'total') => (
    <tr className={variant && classes[variant]}>
      <th scope="row">{name}</th>
      <td>
        <Amount value={value} currency={currency} />
      </td>
    </tr>
  );
  return (
    <Section
      title={`${formatMethod(account.method)} · ${currency}`}
      aside={
        <Text size="sm" c="var(--causeway-muted)" span>
          {account.bank} {account.account}
        </Text>
      }
    >
      <table
        className={classes.books}
        aria-label={fillText(t.reconciliation.reconciliationOf, {
          bank: account.bank,
          account: account.account,
          currency,
        })}
      >
        <tbody>
          {renderRow(t.reconciliation.openingBalance, line.openingBalance)}
          {renderRow(t.common.receivedAmount, line.receivedAmount)}
          {renderRow(t.reconciliation.matchedToCharges, line.matchedAmount, 'part')}
          {renderRow(t.reconciliation.partialPayments, line.partialAmount, 'part')}
          {renderRow(
            isZero(line.exceptionAmount) ? (
              t.common.needsReview
            ) : (
              <Link to={`/transfers?status=exception&account=${account.id}`}>{t.common.needsReview}</Link>
            ),
            line.exceptionAmount,
            'part',
          )}
          {renderRow(t.reconciliation.laterReturnedOrReversed, line.returnedAmount, 'part')}
          {renderRow(t.reconciliation.notCustomerPayments, line.otherIncomingAmount, 'part')}
          {renderRow(t.reconciliation.lessReturnedOrReversed, line.returnedAmount)}
          {renderRow(t.reconciliation.lessRefundsPaid, line.refundedAmount)}
          {!isZero(line.feeAmount) && renderRow(t.reconciliation.lessFeesDeductedFrom, line.feeAmount)}
          {renderRow(t.reconciliation.closingBalance, line.closingBalance, 'total')}
          {!isZero(line.otherOutgoingAmount) &&
            renderRow(t.reconciliation.otherOutgoingNotIncluded, line.otherOutgoingAmount, 'part')}
          {!isZero(line.possibleDuplicateAmount) &&
            renderRow(
              <Link to={`/transfers?status=exception&reason=possible_duplicate&account=${account.id}`}>
                {t.reconciliation.possibleDuplicatesNotIncluded}
              </Link>,
              line.possibleDuplicateAmount,
              'part',
            )}
        </tbody>
      </table>
    </Section>
  );
}

const reconciliationQuery = graphql(`
  query Reconciliation($from: Date!, $to: Date!) {
    dataAsOf
    reconciliation(startDate: $from, endDate: $to) {
      statementGaps {
        receivingAccount {
          id
          method
          account
        }
        currency
        closingBalance
        closedOn
        openingBalance
        openedOn
        difference
        previousStatementId
        nextStatementId
      }
      timeZone
      lines {
        currency
        openingBalance
        receivedAmount
        matchedAmount
        partialAmount
        exceptionAmount
        returnedAmount
        otherIncomingAmount
        refundedAmount
        feeAmount
        closingBalance
        otherOutgoingAmount
        possibleDuplicateAmount
        receivingAccount {
          id
          method
          bank
          account
        }
      }
    }
  }
`);

type AccountReconciliationLine = ResultOf<typeof reconciliationQuery>['reconciliation']['lines'][number];

type StatementGapRow = NonNullable<
  ResultOf<typeof reconciliationQuery>['reconciliation']
>['statementGaps'][number];
