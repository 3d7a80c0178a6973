import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../../graphql/graphql.ts';
import { useLive } from '../../graphql/use-live.ts';
import { Amount } from '../../parts/amount.tsx';
import { Link } from '../../parts/link.tsx';
import { Section } from '../../parts/section.tsx';
import { subscriptionsUpdated } from '../subscription/subscription-row.ts';

const figuresQuery = graphql(`
  query SubscriptionFigures {
    subscriptionFigures {
      active
      paused
      dueSoon
      monthlyRevenue {
        currency
        amount
      }
    }
  }
`);

const count = new Intl.NumberFormat();

/** Subscriptions at a glance; nothing for a merchant without any. */
export function SubscriptionFigures() {
  const [{ data }, reload] = useQuery({ query: figuresQuery });
  useLive(subscriptionsUpdated, {}, () => reload({ requestPolicy: 'network-only' }));
  const figures = data?.subscriptionFigures;
  if (!figures || (figures.active === 0 && figures.paused === 0)) return null;
  const { active, paused, dueSoon, monthlyRevenue } = figures;
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
        <Figure title="Active">{count.format(active)}</Figure>
        <Figure title="Paused">{count.format(paused)}</Figure>
        <Figure title="Due within 7 days">{count.format(dueSoon)}</Figure>
        <Figure title="Revenue a month">
          <Stack gap={0}>
            {monthlyRevenue.length === 0 && 'None'}
            {monthlyRevenue.map(({ currency, amount }) => (
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
