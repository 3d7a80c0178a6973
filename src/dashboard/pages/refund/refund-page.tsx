import { Alert, Grid } from '@mantine/core';
import { formatAmount } from '../../format/amount.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { History } from '../../parts/history.tsx';
import { Link } from '../../parts/link.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { NoSuch } from '../../parts/no-such.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useMay, useViewer } from '../../viewer.ts';
import { RefundActions } from './refund-actions.tsx';
import { RefundFacts, RefundPayout } from './refund-facts.tsx';
import { refundHistory } from './refund-history.ts';
import { type RefundDetails, refundQuery, refundUpdated } from './refund-query.ts';

/** One refund: how much, where to, what has happened. */
export default function RefundPage({ id }: { id: string }) {
  const variables = { id, mayRefund: useMay('refund') };
  const read = useRead(refundQuery, variables);
  useLive(refundUpdated, { id }, read.refresh);
  return (
    <Loaded read={read} lines={10}>
      {({ refund }) =>
        refund ? <Details refund={refund} onChanged={read.refresh} /> : <NoSuch noun="refund" />
      }
    </Loaded>
  );
}

function Details({ refund, onChanged }: { refund: RefundDetails; onChanged: () => void }) {
  const { user } = useViewer();
  return (
    <>
      <BackLink to="/refunds">Refunds</BackLink>
      <PageHeader
        title={formatAmount(refund.customerAmount, refund.customerCurrency)}
        noun="Refund"
        badge={<StatusBadge status={`refund_${refund.status}`} />}
        text={<CopyText text={refund.id} what="refund id" />}
      >
        <RefundActions refund={refund} onChanged={onChanged} />
      </PageHeader>
      {refund.returnedPayout && (
        <Alert color="amber" variant="light" title="The bank sent this money back" mb="lg">
          A <Link to={`/transfers/${refund.returnedPayout.id}`}>payment that came back</Link> carries its
          reference and amount. Ask the customer again where the money should go.
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title="Where the money goes">
            <RefundPayout refund={refund} refresh={onChanged} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Section title="Details">
            <RefundFacts refund={refund} />
          </Section>
        </Grid.Col>
        <Grid.Col span={12}>
          <Section title="What happened">
            <History entries={refundHistory(refund.events, user.id)} />
          </Section>
        </Grid.Col>
      </Grid>
    </>
  );
}
