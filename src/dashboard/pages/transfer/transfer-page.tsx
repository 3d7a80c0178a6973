import { Grid, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { Amount } from '../../components/amount.tsx';
import { BackLink } from '../../components/back-link.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { Facts } from '../../components/facts.tsx';
import { textOf } from '../../components/form.tsx';
import { History } from '../../components/history.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { NoSuch } from '../../components/no-such.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Quiet } from '../../components/quiet.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useAct } from '../../components/use-act.ts';
import { formatAmount, isNegative, isZero } from '../../format/amount.ts';
import { payerText } from '../../format/payer.ts';
import { actorText, capitalised } from '../../format/words.ts';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useMay, useViewer } from '../../viewer.ts';
import { useMethodName } from '../payment-methods.ts';
import { AssignButton } from './assign-button.tsx';
import { TransferActions } from './transfer-actions.tsx';
import { type TransferDetails, transferQuery, unassignTransferMutation } from './transfer-query.ts';
import { transferReasonText } from './transfer-reasons.ts';
import { sourceTexts, transfersUpdated } from './transfer-row.ts';

/** One transfer: what came, what it counts for, and what to decide. */
export default function TransferPage({ id }: { id: string }) {
  const read = useRead(transferQuery, { id });
  useLive(transfersUpdated, {}, read.refresh);
  return (
    <Loaded read={read} lines={10}>
      {({ transfer }) =>
        transfer ? <Details transfer={transfer} onChanged={read.refresh} /> : <NoSuch noun="transfer" />
      }
    </Loaded>
  );
}

function Details({ transfer, onChanged }: { transfer: TransferDetails; onChanged: () => void }) {
  const waits = transfer.status === 'exception';
  return (
    <>
      <BackLink to="/transfers">Transfers</BackLink>
      <PageHeader
        title={formatAmount(transfer.amount, transfer.currency)}
        noun="Transfer"
        badge={<StatusBadge status={transfer.status} />}
        text={<CopyText text={transfer.id} what="transfer id" />}
      >
        {waits && <TransferActions transfer={transfer} onChanged={onChanged} />}
      </PageHeader>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Section title="Transfer">
            <TransferFacts transfer={transfer} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            {waits && (
              <Section title="Needs review">
                <Stack gap="md">
                  <Text size="sm">{transfer.reason && transferReasonText(transfer.reason)}.</Text>
                  {!isZero(transfer.amountOpen) && (
                    <TransferSuggestions transfer={transfer} onChanged={onChanged} />
                  )}
                </Stack>
              </Section>
            )}
            <Section title="Applied to">
              <TransferCounts transfer={transfer} onChanged={onChanged} />
            </Section>
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function TransferFacts({ transfer }: { transfer: TransferDetails }) {
  const methodName = useMethodName();
  const { receivingAccount: account, currency, amountOpen } = transfer;
  const isIn = transfer.direction === 'credit';
  return (
    <Facts
      facts={[
        ['Amount', <Amount key="amount" value={transfer.amount} currency={currency} />],
        [
          'Unallocated',
          !isZero(amountOpen) && transfer.status === 'exception' && (
            <Amount value={amountOpen} currency={currency} />
          ),
        ],
        [
          isIn ? 'Paid' : 'Sent',
          <Moment key="at" at={transfer.paidAt} form={transfer.paidAtIsDate ? 'date' : 'long'} />,
        ],
        [isIn ? 'From' : 'To', transfer.payerName],
        ['Reference', transfer.reference && <CopyText text={transfer.reference} what="reference" />],
        ['Account', `${methodName(account.method)}, ${account.account}`],
        ['Source', sourceTexts[transfer.source]],
        ['Bank reference', <CopyText key="bank" text={transfer.bankReference} what="bank reference" />],
        ['Recorded', <Moment key="created" at={transfer.createdAt} form="long" />],
      ]}
    />
  );
}

type Suggestion = TransferDetails['suggestions'][number];

const reasonTexts: Record<Suggestion['reasons'][number], string> = {
  same_nonce: 'payment reference matches',
  near_nonce: 'payment reference is one typo away',
  same_payer: 'payer name matches the customer',
  same_amount: 'amount matches exactly',
};

/** The charges that may have been meant; a person decides. */
function TransferSuggestions(props: { transfer: TransferDetails; onChanged: () => void }) {
  const { transfer, onChanged } = props;
  const mayTransfer = useMay('transfers');
  if (transfer.suggestions.length === 0) {
    return (
      <Text size="sm" c="var(--causeway-muted)">
        No suggested matches.
      </Text>
    );
  }
  return (
    <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Suggestions">
      {transfer.suggestions.map(({ charge, reasons }) => (
        <Paper key={charge.id} component="li" withBorder p="sm">
          <Group justify="space-between" align="center" gap="sm">
            <Stack gap={2} flex="1 1 14rem" miw={0}>
              <Group gap="xs">
                <Link to={`/charges/${charge.id}`} fw={600}>
                  {payerText(charge)}
                </Link>
                <StatusBadge status={charge.status} />
              </Group>
              <Text size="sm" component="div">
                <Amount value={charge.customerAmount} currency={charge.customerCurrency} />, created{' '}
                <Moment at={charge.createdAt} />
              </Text>
              <Text size="sm" c="var(--causeway-muted)">
                {sentence(reasons.map((reason) => reasonTexts[reason] ?? reason))}
              </Text>
            </Stack>
            {mayTransfer && <AssignButton transfer={transfer} charge={charge} onChanged={onChanged} />}
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}

function sentence(parts: string[]): string {
  return `${capitalised(new Intl.ListFormat('en').format(parts))}.`;
}

type Allocation = TransferDetails['allocations'][number];

const words: Record<string, string> = {
  matched: 'Matched',
  assigned: 'Assigned',
  shortfall_accepted: 'Accepted as full payment',
  returned: 'Returned to payer',
  reversed: 'Reversed by the bank',
  unassigned: 'Unassigned',
  charge_expired: 'Released: the charge expired',
  charge_cancelled: 'Released: the charge was cancelled',
};

/** Every decision about the money, oldest first; those that still hold can be corrected. */
function TransferCounts(props: { transfer: TransferDetails; onChanged: () => void }) {
  const { transfer, onChanged } = props;
  const { user } = useViewer();
  const mayTransfer = useMay('transfers');
  const { allocations, status } = transfer;
  if (allocations.length === 0) {
    const text = { duplicate: 'Duplicate. Not applied to any charge.', outgoing: 'Outgoing transfer.' }[
      status as string
    ];
    return <Quiet>{text ?? 'Not applied yet.'}</Quiet>;
  }
  const entries = allocations.map((allocation) => ({
    id: allocation.id,
    at: allocation.createdAt,
    text: `${formatAmount(allocation.amount, transfer.currency)} · ${words[allocation.reason] ?? allocation.reason}`,
    by: actorText(allocation.actor, user.id, { isTold: true }),
    more: (
      <>
        {allocation.charge && (
          <Link to={`/charges/${allocation.charge.id}`} size="sm">
            Charge of {payerText(allocation.charge)}
          </Link>
        )}
        {allocation.note && <Text size="sm">“{allocation.note}”</Text>}
        {mayTransfer && holds(allocation, transfer) && (
          <TakeBackButton transfer={transfer} allocation={allocation} onChanged={onChanged} />
        )}
      </>
    ),
  }));
  return <History entries={entries} />;
}

/** Whether it is the latest word about its charge, and can be taken back. */
function holds(allocation: Allocation, { allocations }: TransferDetails): boolean {
  const same = allocations.filter(({ charge }) => charge?.id === allocation.charge?.id);
  const isReversed = allocations.some(({ reason }) => reason === 'reversed');
  return !isReversed && same.at(-1)?.id === allocation.id && !isNegative(allocation.amount);
}

function TakeBackButton(props: { transfer: TransferDetails; allocation: Allocation; onChanged: () => void }) {
  const { transfer, allocation, onChanged } = props;
  const unassign = useAct(unassignTransferMutation, onChanged);
  const { charge } = allocation;
  const run = (form: FormData) =>
    unassign({
      input: { id: transfer.id, chargeId: charge?.id ?? null, note: textOf(form, 'note') || null },
    });
  return (
    <ConfirmButton
      label={charge ? 'Unassign' : 'Undo return'}
      title={charge ? 'Unassign this transfer from the charge?' : 'Undo this return?'}
      variant="default"
      size="compact-sm"
      isDanger
      onConfirm={run}
    >
      <Text size="sm">
        {charge?.status === 'completed'
          ? 'The charge stays completed but shows a lower received amount. The transfer needs review again.'
          : 'The transfer needs review again.'}
      </Text>
      <TextInput label="Note" name="note" placeholder="Reason" maxLength={500} />
    </ConfirmButton>
  );
}
