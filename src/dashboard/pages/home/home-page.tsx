import { Stack } from '@mantine/core';
import { DataAge } from '../../components/data-age.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { getDisplayTimeZone } from '../../format/moment.ts';
import { graphql } from '../../graphql/graphql.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { useViewer } from '../../viewer.ts';
import { chargeRowFields, chargesUpdated } from '../charge/charge-row.ts';
import { ChargeTable } from '../charge/charge-table.tsx';
import { refundsUpdated } from '../refund/refund-row.ts';
import { transfersUpdated } from '../transfer/transfer-row.ts';
import { Attention } from './attention.tsx';
import { MethodsTable } from './methods-table.tsx';
import { PeriodControls, PeriodMetricCards, RateNotice, usePeriod } from './period-metrics.tsx';
import { periodSummaryFields } from './period-query.ts';
import { SandboxHint } from './sandbox-hint.tsx';
import { SellersTable } from './sellers-table.tsx';
import { SetupGuide } from './setup-guide.tsx';
import { SubscriptionSummary, useSubscriptionSummary } from './subscription-summary.tsx';

const homeQuery = graphql(
  `
    query Home($days: Int!, $timeZone: String!, $currency: CurrencyCode) {
      dataAsOf
      currencies
      summary: periodSummary(days: $days, timeZone: $timeZone, currency: $currency) {
        ...HomeSummary
      }
      waiting: transfers(filter: { statuses: [exception] }, first: 1) {
        totalCount
      }
      partlyPaid: charges(filter: { isPartlyPaid: true }, first: 1) {
        totalCount
      }
      payable: refundsAwaitingPayout(first: 1) {
        totalCount
      }
      failing: alerts(filter: { isDismissed: false }, first: 1) {
        totalCount
      }
      latest: charges(first: 8) {
        nodes {
          ...ChargeRow
        }
      }
    }
  `,
  [chargeRowFields, periodSummaryFields],
);

/** The polling interval for data without live updates: alerts, and the totals of a new day. */
const refreshMs = 60_000;

export default function HomePage() {
  const { merchant } = useViewer();
  const period = usePeriod();
  const { days, currency } = period;
  const query = useCachedQuery(homeQuery, { days, currency, timeZone: getDisplayTimeZone() });
  const subscriptions = useSubscriptionSummary();
  useLiveUpdates(chargesUpdated, {}, query.refresh);
  useLiveUpdates(transfersUpdated, {}, query.refresh);
  useLiveUpdates(refundsUpdated, {}, query.refresh);
  useInterval(refreshMs, query.refresh);
  const subscriptionSummary = subscriptions.data?.subscriptionSummary;
  // Ignores totals of the period or currency that was selected before.
  const data = query.isCurrent ? query.data : undefined;
  const combinedQuery = {
    data: data && subscriptionSummary && { ...data, subscriptionSummary },
    error: query.error ?? subscriptions.error,
    refresh: () => {
      query.refresh();
      subscriptions.refresh();
    },
  };
  return (
    <>
      <PageHeader title={t.home.home} text={merchant?.name}>
        <PeriodControls
          {...period}
          currencies={query.data?.currencies ?? []}
          summaryCurrency={data?.summary.currency}
        />
      </PageHeader>
      <Loaded key={`${days} ${currency}`} query={combinedQuery} lines={10}>
        {({ summary, waiting, partlyPaid, payable, failing, latest, subscriptionSummary, dataAsOf }) => (
          <Stack gap="lg">
            <Attention
              reviewCount={waiting.totalCount}
              partlyPaidCount={partlyPaid.totalCount}
              payoutCount={payable.totalCount}
              alertCount={failing.totalCount}
            />
            <SetupGuide onSampleData={combinedQuery.refresh} />
            {merchant?.isDemo && latest.nodes.length === 0 && <SandboxHint />}
            <PeriodMetricCards summary={summary} />
            <RateNotice summary={summary} />
            <MethodsTable summary={summary} />
            <SellersTable summary={summary} />
            <DataAge at={dataAsOf} />
            <SubscriptionSummary summary={subscriptionSummary} />
            <Section
              title={t.home.latestCharges}
              aside={
                <Link to="/charges" size="sm">
                  {t.home.allCharges}
                </Link>
              }
              isFlush
            >
              {latest.nodes.length > 0 ? (
                <ChargeTable label={t.home.latestCharges} charges={latest.nodes} />
              ) : (
                <EmptyState title={t.common.noChargesYet}>
                  {fillNodes(t.home.createAAndOpen, {
                    link: <Link to="/checkout-links">{t.home.checkoutLink}</Link>,
                  })}
                </EmptyState>
              )}
            </Section>
          </Stack>
        )}
      </Loaded>
    </>
  );
}
