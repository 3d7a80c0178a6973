import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Amount } from '../../components/amount.tsx';
import { Link } from '../../components/link.tsx';
import { Section } from '../../components/section.tsx';
import { formatCount } from '../../format/count.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { subscriptionsUpdated } from '../subscription/subscription-row.ts';

const summaryQuery = graphql(`
  query SubscriptionSummary {
    subscriptionSummary {
      activeCount
      pausedCount
      dueSoonCount
      monthlyRecurringRevenue {
        currency
        amount
      }
    }
  }
`);

type SubscriptionSummaryData = ResultOf<typeof summaryQuery>['subscriptionSummary'];

/** Loads the summary in a separate query, because counting all subscriptions after each charge is expensive. */
export function useSubscriptionSummary() {
  const query = useCachedQuery(summaryQuery);
  useLiveUpdates(subscriptionsUpdated, {}, query.refresh);
  return query;
}

/** Shows the totals of subscriptions; renders nothing for a merchant without any. */
export function SubscriptionSummary({ summary }: { summary: SubscriptionSummaryData }) {
  const { activeCount, pausedCount, dueSoonCount, monthlyRecurringRevenue } = summary;
  if (activeCount === 0 && pausedCount === 0) return null;
  return (
    <Section
      title={t.common.subscriptions}
      aside={
        <Link to="/subscriptions" size="sm">
          {t.home.allSubscriptions}
        </Link>
      }
    >
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Metric title={t.common.active}>{formatCount(activeCount)}</Metric>
        <Metric title={t.common.paused}>{formatCount(pausedCount)}</Metric>
        <Metric title={t.home.dueWithin7Days}>{formatCount(dueSoonCount)}</Metric>
        <Metric title={t.home.monthlyRecurringRevenue}>
          <Stack gap={0}>
            {monthlyRecurringRevenue.length === 0 && t.common.none}
            {monthlyRecurringRevenue.map(({ currency, amount }) => (
              <Group key={currency}>
                <Amount value={amount} currency={currency} />
              </Group>
            ))}
          </Stack>
        </Metric>
      </SimpleGrid>
    </Section>
  );
}

function Metric({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Text size="sm" c="var(--causeway-muted)">
        {title}
      </Text>
      <Text size="lg" fw={650} component="div">
        {children}
      </Text>
    </div>
  );
}
