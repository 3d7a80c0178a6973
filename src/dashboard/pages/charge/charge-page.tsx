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
import { NoteSection } from '../../components/note-section.tsx';
import { ObjectNotFound } from '../../components/object-not-found.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatAmount, isZero, sumDecimals } from '../../format/amount.ts';
import type { ResultOf } from '../../graphql/graphql.ts';
import { useLiveUpdates } from '../../graphql/use-live-updates.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { Attempts } from '../notification/attempts.tsx';
import { notificationsUpdated } from '../notification/notifications-query.ts';
import { NewRefundButton } from '../refund/new-refund-button.tsx';
import { RefundActions } from '../refund/refund-actions.tsx';
import { refundsUpdated } from '../refund/refund-row.ts';
import { getTransferTitle, sourceTexts } from '../transfer/transfer-row.ts';
import { ChargeActions } from './charge-actions.tsx';
import classes from './charge-destination.module.css';
import { ChargeFacts } from './charge-facts.tsx';
import {
  type ChargeDetails,
  chargeQuery,
  chargeUpdatedSubscription,
  updateChargeNoteMutation,
} from './charge-query.ts';
import { getChargeBadge } from './charge-row.ts';
import { ChargeTimeline } from './charge-timeline.tsx';
import { NoTransfersYet } from './no-transfers-yet.tsx';
import { PartPayment } from './part-payment.tsx';
import { SimulateTransferButton } from './simulate-transfer.tsx';

export default function ChargePage({ id }: { id: string }) {
  const query = useCachedQuery(chargeQuery, { id });
  useLiveUpdates(chargeUpdatedSubscription, { id }, query.refresh);
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
          <ObjectNotFound title={t.charge.notFound} />
        )
      }
    </Loaded>
  );
}

function Details({ charge, onChanged }: { charge: ChargeDetails; onChanged: () => void }) {
  return (
    <>
      <BackLink to="/charges">{t.common.charges}</BackLink>
      <PageHeader
        title={formatAmount(charge.customerAmount, charge.customerCurrency)}
        objectType={t.common.charge}
        badge={<StatusBadge status={getChargeBadge(charge)} />}
        text={<CopyText text={charge.id} label={t.components.copyId} />}
      >
        <ChargeActions charge={charge} />
        <SimulateTransferButton charge={charge} onDone={onChanged} />
        <NewRefundButton charge={charge} onCreated={onChanged} />
      </PageHeader>
      <PartPayment charge={charge} onChanged={onChanged} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            <Section title={t.common.details}>
              <ChargeFacts charge={charge} />
            </Section>
            <Section title={t.common.timeline}>
              <ChargeTimeline charge={charge} />
            </Section>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="lg">
            <ChargeNote charge={charge} onChanged={onChanged} />
            <Section title={t.charge.paymentInstructions}>
              <ChargeDestination charge={charge} />
            </Section>
          </Stack>
        </Grid.Col>
        <Grid.Col span={12}>
          <Stack gap="lg">
            <Section title={t.common.transfers} isFlush>
              <ChargeTransfers charge={charge} onChanged={onChanged} />
            </Section>
            {charge.refunds.length > 0 && (
              <Section title={t.common.refunds} isFlush>
                <ChargeRefunds charge={charge} onChanged={onChanged} />
              </Section>
            )}
            <Section title={t.common.notifications}>
              <ChargeNotifications charge={charge} />
            </Section>
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function ChargeNote({ charge: { id, note }, onChanged }: { charge: ChargeDetails; onChanged: () => void }) {
  const update = useMutationAction(updateChargeNoteMutation, onChanged);
  return <NoteSection note={note} onSave={(newNote) => update({ input: { id, note: newNote } })} />;
}

type ChargeRefund = ChargeDetails['refunds'][number];

function ChargeRefunds({ charge, onChanged }: { charge: ChargeDetails; onChanged: () => void }) {
  const columns: TableColumn<ChargeRefund>[] = [
    {
      title: t.common.amount,
      cell: ({ id, customerAmount, customerCurrency }) => (
        <Link to={`/refunds/${id}`} fw={600}>
          <Amount value={customerAmount} currency={customerCurrency} />
        </Link>
      ),
    },
    { title: t.common.status, cell: ({ status }) => <StatusBadge status={`refund_${status}`} /> },
    { title: t.common.reference, cell: ({ payoutReference }) => payoutReference },
    createdColumn(),
    {
      title: t.common.actions,
      cell: (refund) => <RefundActions refund={refund} onChanged={onChanged} isInRow />,
    },
  ];
  return <DataTable label={t.common.refunds} columns={columns} rows={charge.refunds} />;
}

function ChargeDestination({ charge }: { charge: ChargeDetails }) {
  const { destination, receivingAccount } = charge;
  return (
    <Stack gap="md">
      {destination.qrCode !== null && charge.status === 'pending' && (
        <figure className={classes.code}>
          <QrCode text={destination.qrCode} label={t.charge.qrCodeShownTo} />
          {receivingAccount?.isDemo && (
            <figcaption>
              <DemoBadge />
              <Text size="xs" mt={4}>
                {t.charge.fictionalAccountItCannot}
              </Text>
            </figcaption>
          )}
        </figure>
      )}
      <Facts
        facts={[
          [
            t.common.reference,
            <CopyText
              key="payment-reference"
              text={destination.paymentReference}
              label={t.charge.copyPaymentReference}
            />,
          ],
          [
            t.common.account,
            <CopyText key="account" text={destination.account} label={t.components.copyAccount} />,
          ],
          [t.charge.accountHolder, destination.accountName],
          [t.common.bank, destination.bank],
        ]}
      />
    </Stack>
  );
}

function ChargeNotifications({ charge }: { charge: ChargeDetails }) {
  const { notifications } = charge;
  if (!notifications?.length) {
    return <EmptyState title={t.charge.noNotificationsSent}>{t.charge.webhooksAndTheCharges}</EmptyState>;
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
                  {notification.kind === 'webhook' ? t.common.webhook : t.charge.callback} {notification.url}
                </Text>
              </div>
              <StatusBadge status={notification.status} />
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <Attempts attempts={notification.attempts} nextAttemptAt={notification.nextAttemptAt} />
            <Link to={`/notifications/${notification.id}`} size="sm">
              {t.charge.viewNotification}
            </Link>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

type ChargeTransferRow = NonNullable<ChargeDetails['allocations']>[number]['transfer'] & {
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
    title: t.common.fromPayer,
    cell: (transfer) => <Link to={`/transfers/${transfer.id}`}>{getTransferTitle(transfer)}</Link>,
  },
  { title: t.common.status, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: t.common.paidAt,
    cell: ({ paidAt, isPaidAtDateOnly }) => (
      <Moment at={paidAt} format={isPaidAtDateOnly ? 'date' : 'short'} />
    ),
  },
  {
    title: t.charge.transferred,
    isEndAligned: true,
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
  },
  {
    title: t.charge.applied,
    isEndAligned: true,
    cell: ({ applied, currency }) =>
      isZero(applied) ? <Muted>{t.charge.notApplied}</Muted> : <Amount value={applied} currency={currency} />,
  },
  { title: t.common.source, cell: ({ source }) => <Muted>{sourceTexts[source]}</Muted> },
];

function ChargeTransfers({ charge, onChanged }: { charge: ChargeDetails; onChanged: () => void }) {
  const { allocations } = charge;
  if (!allocations?.length) return <NoTransfersYet charge={charge} onRecorded={onChanged} />;
  return (
    <DataTable label={t.common.transfers} columns={transferColumns} rows={toTransferRows(allocations)} />
  );
}
