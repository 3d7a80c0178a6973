import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Amount } from '../../components/amount.tsx';
import { Link } from '../../components/link.tsx';
import { Section } from '../../components/section.tsx';
import { formatCount } from '../../format/count.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { subscriptionsUpdated } from '../subscription/subscription-row.ts';

const figuresQuery = graphql(`
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

type SubscriptionFiguresData = ResultOf<typeof figuresQuery>['subscriptionSummary'];

/** A separate query, because counting all subscriptions again after each charge would be expensive. */
export function useSubscriptionFigures() {
  const query = useCachedQuery(figuresQuery);
  useLiveUpdates(subscriptionsUpdated, {}, query.refresh);
  return query;
}

/** Shows key figures of subscriptions; renders nothing for a merchant without any. */
export function SubscriptionFigures({ figures }: { figures: SubscriptionFiguresData }) {
  const { activeCount, pausedCount, dueSoonCount, monthlyRecurringRevenue } = figures;
  if (activeCount === 0 && pausedCount === 0) return null;
  return (
    <Section
      title="Subscriptions"
      aside={
        <Link to="/subscriptions" size="sm">
          All subscriptions
        </Link>
      }
    >
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Figure title="Active">{formatCount(activeCount)}</Figure>
        <Figure title="Paused">{formatCount(pausedCount)}</Figure>
        <Figure title="Due within 7 days">{formatCount(dueSoonCount)}</Figure>
        <Figure title="Monthly recurring revenue">
          <Stack gap={0}>
            {monthlyRecurringRevenue.length === 0 && 'None'}
            {monthlyRecurringRevenue.map(({ currency, amount }) => (
              <Group key={currency}>
                <Amount value={amount} currency={currency} />
              </Group>
            ))}
          </Stack>
        </Figure>
      </SimpleGrid>
    </Section>
  );
}

function Figure({ title, children }: { title: string; children: ReactNode }) {
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
