import { Accordion, Grid, Group, Stack, Text } from '@mantine/core';
import { Amount } from '../../components/amount.tsx';
import { BackLink } from '../../components/back-link.tsx';
import { createdColumn } from '../../components/columns.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { DemoBadge } from '../../components/demo-badge.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { Muted } from '../../components/muted.tsx';
import { ObjectNotFound } from '../../components/object-not-found.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatAmount, isZero, sumDecimals } from '../../format/amount.ts';
import type { ResultOf } from '../../graphql/graphql.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { Attempts } from '../notification/attempts.tsx';
import { notificationsUpdated } from '../notification/notifications-query.ts';
import { NewRefundButton } from '../refund/new-refund-button.tsx';
import { RefundActions } from '../refund/refund-actions.tsx';
import { refundsUpdated } from '../refund/refund-row.ts';
import { getTransferTitle, sourceTexts } from '../transfer/transfer-row.ts';
import { ChargeActions } from './charge-actions.tsx';
import classes from './charge-destination.module.css';
import { ChargeFacts } from './charge-facts.tsx';
import { type ChargeDetails, chargeQuery, chargeUpdated } from './charge-query.ts';
import { ChargeTimeline } from './charge-timeline.tsx';
import { SimulateTransferButton } from './simulate-transfer.tsx';

export default function ChargePage({ id }: { id: string }) {
  const query = useCachedQuery(chargeQuery, { id });
  useLiveUpdates(chargeUpdated, { id }, query.refresh);
  const concernsCharge = ({ notificationsUpdated: { event } }: ResultOf<typeof notificationsUpdated>) =>
    event.objectId === id;
  useLiveUpdates(notificationsUpdated, {}, query.refresh, concernsCharge);
  useLiveUpdates(refundsUpdated, {}, query.refresh);
  return (
    <Loaded query={query} lines={12}>
      {({ charge }) =>
        charge ? (
          <Details charge={charge} onChanged={query.refresh} />
        ) : (
          <ObjectNotFound objectType="charge" />
        )
      }
    </Loaded>
  );
}

function Details({ charge, onChanged }: { charge: ChargeDetails; onChanged: () => void }) {
  return (
    <>
      <BackLink to="/charges">Charges</BackLink>
      <PageHeader
        title={formatAmount(charge.customerAmount, charge.customerCurrency)}
        objectType="Charge"
        badge={<StatusBadge status={charge.status} />}
        text={<CopyText text={charge.id} label="charge id" />}
      >
        <ChargeActions charge={charge} />
        <SimulateTransferButton charge={charge} onDone={onChanged} />
        <NewRefundButton charge={charge} onCreated={onChanged} />
      </PageHeader>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            <Section title="Details">
              <ChargeFacts charge={charge} />
            </Section>
            <Section title="Timeline">
              <ChargeTimeline charge={charge} />
            </Section>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Section title="Payment instructions">
            <ChargeDestination charge={charge} />
          </Section>
        </Grid.Col>
        <Grid.Col span={12}>
          <Stack gap="lg">
            <Section title="Transfers" isFlush>
              <ChargeTransfers charge={charge} />
            </Section>
            {charge.refunds.length > 0 && (
              <Section title="Refunds" isFlush>
                <ChargeRefunds charge={charge} onChanged={onChanged} />
              </Section>
            )}
            <Section title="Notifications">
              <ChargeNotifications charge={charge} />
            </Section>
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

type ChargeRefund = ChargeDetails['refunds'][number];

/** Lists the refunds of the charge, with the action to create one. */
function ChargeRefunds({ charge, onChanged }: { charge: ChargeDetails; onChanged: () => void }) {
  const columns: TableColumn<ChargeRefund>[] = [
    {
      title: 'Amount',
      cell: ({ id, customerAmount, customerCurrency }) => (
        <Link to={`/refunds/${id}`} fw={600}>
          <Amount value={customerAmount} currency={customerCurrency} />
        </Link>
      ),
    },
    { title: 'Status', cell: ({ status }) => <StatusBadge status={`refund_${status}`} /> },
    { title: 'Reference', cell: ({ payoutReference }) => payoutReference },
    createdColumn(),
    {
      title: 'Actions',
      cell: (refund) => <RefundActions refund={refund} onChanged={onChanged} isInRow />,
    },
  ];
  return <DataTable label="Refunds" columns={columns} rows={charge.refunds} />;
}

/** Shows the payment instructions that the customer sees: code, account and payment reference. */
function ChargeDestination({ charge }: { charge: ChargeDetails }) {
  const { destination, receivingAccount } = charge;
  return (
    <Stack gap="md">
      {destination.qrCode !== null && (
        <figure className={classes.code} data-ended={charge.status !== 'pending' || undefined}>
          <QrCode text={destination.qrCode} label="QR code shown to the customer" />
          {receivingAccount?.isDemo && (
            <figcaption>
              <DemoBadge />
              <Text size="xs" mt={4}>
                Fictional account. It cannot receive payments.
              </Text>
            </figcaption>
          )}
        </figure>
      )}
      <Facts
        facts={[
          [
            'Reference',
            <CopyText
              key="payment-reference"
              text={destination.paymentReference}
              label="payment reference"
            />,
          ],
          ['Account', <CopyText key="account" text={destination.account} label="account" />],
          ['Account holder', destination.accountName],
          ['Bank', destination.bank],
        ]}
      />
    </Stack>
  );
}

/** Lists the notifications about the charge with all delivery attempts. */
function ChargeNotifications({ charge }: { charge: ChargeDetails }) {
  const { notifications } = charge;
  if (!notifications?.length) {
    return (
      <EmptyState title="No notifications sent">
        Webhooks and the charge’s callback URL are notified of events.
      </EmptyState>
    );
  }
  return (
    <Accordion variant="contained" multiple>
      {notifications.map((notification) => (
        <Accordion.Item key={notification.id} value={notification.id}>
          <Accordion.Control>
            <Group justify="space-between" gap={4} pe="sm">
              <div style={{ flex: '1 1 14rem' }}>
                <Text size="sm" fw={600}>
                  {notification.event.type}
                </Text>
                <Text size="sm" c="var(--causeway-muted)">
                  {notification.kind === 'webhook' ? 'Webhook' : 'Callback'} {notification.url}
                </Text>
              </div>
              <StatusBadge status={notification.status} />
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <Attempts attempts={notification.attempts} nextAttemptAt={notification.nextAttemptAt} />
            <Link to={`/notifications/${notification.id}`} size="sm">
              View notification
            </Link>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

type ChargeTransferRow = NonNullable<ChargeDetails['allocations']>[number]['transfer'] & {
  /** What of the transfer is applied to the charge now. */
  applied: string;
};

/** Returns each transfer once, with the sum of its allocations. */
function toTransferRows(allocations: NonNullable<ChargeDetails['allocations']>): ChargeTransferRow[] {
  const byTransfer = Map.groupBy(allocations, ({ transfer }) => transfer.id);
  return [...byTransfer.values()].map((parts) => ({
    ...parts[0]!.transfer,
    applied: sumDecimals(parts.map(({ amount }) => amount)),
  }));
}

const transferColumns: TableColumn<ChargeTransferRow>[] = [
  {
    title: 'From',
    cell: (transfer) => <Link to={`/transfers/${transfer.id}`}>{getTransferTitle(transfer)}</Link>,
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: 'Paid',
    cell: ({ paidAt, isPaidAtDateOnly }) => (
      <Moment at={paidAt} format={isPaidAtDateOnly ? 'date' : 'short'} />
    ),
  },
  {
    title: 'Transferred',
    isEndAligned: true,
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
  },
  {
    title: 'Applied',
    isEndAligned: true,
    cell: ({ applied, currency }) =>
      isZero(applied) ? <Muted>Not applied</Muted> : <Amount value={applied} currency={currency} />,
  },
  { title: 'Source', cell: ({ source }) => <Muted>{sourceTexts[source]}</Muted> },
];

/** Lists the transfers that were applied to the charge. */
function ChargeTransfers({ charge }: { charge: ChargeDetails }) {
  const { allocations } = charge;
  if (!allocations?.length) {
    return (
      <EmptyState title="No transfers yet">
        Transfers with reference {charge.destination.paymentReference} are matched automatically.
      </EmptyState>
    );
  }
  return <DataTable label="Transfers" columns={transferColumns} rows={toTransferRows(allocations)} />;
}
