import { Alert, List, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Amount } from '../../components/amount.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PeriodPicker, usePeriod } from '../../components/period-picker.tsx';
import { Section } from '../../components/section.tsx';
import { formatAmount, isZero } from '../../format/amount.ts';
import { isWholeMonth, monthName } from '../../format/days.ts';
import { formatMoment } from '../../format/moment.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { ExportButton } from '../export/export-button.tsx';
import { ExportProgress } from '../export/export-progress.tsx';
import { useExport } from '../export/use-export.ts';
import { useMethodName } from '../payment-methods.ts';
import classes from './account-books.module.css';

/** Shows the amounts that each account received and returned in a period. */
export default function ReconciliationPage() {
  const [period, setPeriod] = usePeriod();
  const query = useCachedQuery(reconciliationQuery, period);
  const { start, ...exportJob } = useExport();
  // Ignores data of an earlier period.
  const { reconciliation: loadedReport } = query.data ?? {};
  const report =
    loadedReport?.startDate === period.from && loadedReport.endDate === period.to ? loadedReport : undefined;
  const { figuresAsOf } = query.data ?? {};
  const dataTime = figuresAsOf ? formatMoment(figuresAsOf, 'long') : 'now';
  return (
    <>
      <PageHeader
        title="Reconciliation"
        badge={isWholeMonth(period.from, period.to) ? monthName(period.from) : undefined}
        text={report && `Days follow the ${report.timeZone} time zone. Figures are as of ${dataTime}.`}
      >
        <ExportButton
          exportJob={{ start, ...exportJob }}
          input={{ kind: 'reconciliation', startDate: period.from, endDate: period.to }}
        />
      </PageHeader>
      <ExportProgress {...exportJob} />
      <PeriodPicker period={period} onChange={setPeriod} />
      <div aria-busy={query.isLoading}>
        <Loaded key={`${period.from} ${period.to}`} query={{ ...query, data: report }} lines={8}>
          {({ lines, statementGaps }) => (
            <>
              <StatementGaps gaps={statementGaps} />
              {lines.length > 0 ? (
                <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
                  {lines.map((line) => (
                    <AccountReconciliation key={`${line.receivingAccount.id} ${line.currency}`} line={line} />
                  ))}
                </SimpleGrid>
              ) : (
                <Section title="Accounts" isFlush>
                  <EmptyState title="No activity">
                    No transfers or refunds by the end of this period.
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

/** Lists the places where the balances of imported statements do not follow from each other. */
function StatementGaps({ gaps }: { gaps: readonly StatementGapRow[] }) {
  const methodName = useMethodName();
  if (gaps.length === 0) return null;
  return (
    <Alert color="amber" variant="light" title="Statements are missing or contradict each other" mb="lg">
      <List size="sm">
        {gaps.map((gap) => (
          <List.Item key={`${gap.previousStatementId} ${gap.nextStatementId} ${gap.openingBalance}`}>
            {methodName(gap.receivingAccount.method)} {gap.receivingAccount.account}:{' '}
            <Link to={`/statements/${gap.previousStatementId}`}>
              {formatAmount(gap.closingBalance, gap.currency)} on {gap.closedOn}
            </Link>
            , then{' '}
            <Link to={`/statements/${gap.nextStatementId}`}>
              {formatAmount(gap.openingBalance, gap.currency)} on {gap.openedOn}
            </Link>{' '}
            (difference {formatAmount(gap.difference, gap.currency)})
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** Shows the reconciliation of one account in one currency. */
function AccountReconciliation({ line }: { line: AccountReconciliationLine }) {
  const methodName = useMethodName();
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
      title={`${methodName(account.method)} · ${currency}`}
      aside={
        <Text size="sm" c="var(--causeway-muted)" span>
          {account.bank} {account.account}
        </Text>
      }
    >
      <table
        className={classes.books}
        aria-label={`Reconciliation of ${account.bank} ${account.account}, ${currency}`}
      >
        <tbody>
          {renderRow('Opening balance', line.openingBalance)}
          {renderRow('Received', line.receivedAmount)}
          {renderRow('Matched to charges', line.matchedAmount, 'part')}
          {renderRow('Partial payments', line.partialAmount, 'part')}
          {renderRow(
            isZero(line.exceptionAmount) ? (
              'Needs review'
            ) : (
              <Link to={`/transfers?status=exception&account=${account.id}`}>Needs review</Link>
            ),
            line.exceptionAmount,
            'part',
          )}
          {renderRow('Later returned or reversed', line.returnedAmount, 'part')}
          {renderRow('Not customer payments', line.otherIncomingAmount, 'part')}
          {renderRow('Less returned or reversed', line.returnedAmount)}
          {renderRow('Less refunds paid', line.refundedAmount)}
          {!isZero(line.feeAmount) && renderRow('Less fees deducted from batches', line.feeAmount)}
          {renderRow('Closing balance', line.closingBalance, 'total')}
          {!isZero(line.otherOutgoingAmount) &&
            renderRow('Other outgoing (not included)', line.otherOutgoingAmount, 'part')}
          {!isZero(line.possibleDuplicateAmount) &&
            renderRow(
              <Link to={`/transfers?status=exception&reason=possible_duplicate&account=${account.id}`}>
                Possible duplicates (not included)
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
    figuresAsOf
    reconciliation(startDate: $from, endDate: $to) {
      startDate
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
      endDate
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
