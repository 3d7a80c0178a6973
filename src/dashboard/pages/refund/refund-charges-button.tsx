import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { Amount } from '../../components/amount.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, getText, SubmitButton } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { formatAmount, isZero, sumDecimals } from '../../format/amount.ts';
import { pluralize } from '../../format/count.ts';
import { formatPayer } from '../../format/payer.ts';
import { getErrorMessage } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { type ChargeRow, chargeRowFields } from '../charge/charge-row.ts';
import { createRefundMutation } from './refund-query.ts';
import { RefundReasonFields } from './refund-reason-fields.tsx';
import type { RefundReasonCode } from './refund-reason-texts.ts';

/** The API returns at most this number of objects at once. */
export const refundsAtOnceMax = 50;

/** Refunds the rest of each selected charge, after one confirmation. */
export function RefundChargesButton(props: { charges: readonly ChargeRow[]; onDone: () => void }) {
  const { charges, onDone } = props;
  const [opened, dialog] = useDisclosure();
  const [hasTried, setTried] = useState(false);
  const close = () => {
    dialog.close();
    if (hasTried) onDone();
  };
  return (
    <>
      <Button size="compact-sm" onClick={dialog.open} disabled={charges.length > refundsAtOnceMax}>
        {pluralize(charges.length, t.refund.refundCharges)}
      </Button>
      <Dialog opened={opened} onClose={close} title={t.refund.refundTheSelectedCharges}>
        <RefundCharges ids={charges.map(({ id }) => id)} onTried={() => setTried(true)} onDone={close} />
      </Dialog>
    </>
  );
}

function RefundCharges(props: { ids: readonly string[]; onTried: () => void; onDone: () => void }) {
  const { ids, onTried, onDone } = props;
  const query = useCachedQuery(refundableQuery, { ids: [...ids] });
  return (
    <Loaded query={query} lines={4}>
      {({ nodes }) => (
        <RefundForm
          charges={nodes.filter((node) => node?.__typename === 'Charge')}
          onTried={() => {
            query.refresh();
            onTried();
          }}
          onDone={onDone}
        />
      )}
    </Loaded>
  );
}

/** The result for a charge: the ID of its refund, or the error. */
type RefundResult = { refundId: string } | { error: string };

function RefundForm(props: {
  charges: readonly ChargeToRefund[];
  /** Called after an attempt, to show what is left to refund. */
  onTried: () => void;
  onDone: () => void;
}) {
  const { charges, onTried, onDone } = props;
  const [, create] = useMutation(createRefundMutation);
  const [reason, setReason] = useState<RefundReasonCode | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [results, setResults] = useState<ReadonlyMap<string, RefundResult>>(new Map());
  const refundable = charges.filter(({ amountRefundable }) => !isZero(amountRefundable ?? '0'));
  const open = refundable.filter(({ id }) => !('refundId' in (results.get(id) ?? {})));
  const failedCount = open.filter(({ id }) => results.has(id)).length;
  const createdCount = [...results.values()].filter((result) => 'refundId' in result).length;

  // Each refund is an operation of its own, so that one failure does not affect the others.
  const submit = async (form: FormData) => {
    const note = getText(form, 'note') || null;
    setBusy(true);
    for (const { id, amountRefundable } of open) {
      const input = { chargeId: id, customerAmount: amountRefundable ?? '0', reason, note };
      const response = await create({ input });
      const payload = response.data?.createRefund;
      const result =
        payload?.__typename === 'CreateRefundSuccess'
          ? { refundId: payload.refund.id }
          : { error: getErrorMessage(response) ?? t.refund.theRefundCouldNot };
      setResults((previous) => new Map(previous).set(id, result));
    }
    setBusy(false);
    onTried();
  };
  return (
    <Form state={{ formRef: { current: null }, error: undefined, remedy: undefined }} onSubmit={submit}>
      <Text size="sm">{t.refund.eachChargeIsRefunded}</Text>
      <Stack
        component="ul"
        gap="xs"
        p={0}
        m={0}
        style={{ listStyle: 'none' }}
        aria-label={t.refund.chargesToRefund}
      >
        {charges.map((charge) => (
          <ChargeItem key={charge.id} charge={charge} result={results.get(charge.id)} />
        ))}
      </Stack>
      {open.length > 1 && (
        <Text size="sm" fw={600}>
          {fillText(t.refund.inTotal, { amounts: formatTotals(open) })}
        </Text>
      )}
      {open.length > 0 && <RefundReasonFields reason={reason} onReasonChange={setReason} />}
      <Text size="sm" role="status">
        {!isBusy && results.size > 0 && formatOutcome(createdCount, results.size - createdCount)}
      </Text>
      {open.length > 0 ? (
        <SubmitButton isBusy={isBusy} aside={results.size > 0 && !isBusy && <DoneButton onDone={onDone} />}>
          {failedCount > 0 && !isBusy
            ? pluralize(failedCount, t.refund.tryAgain)
            : pluralize(open.length, t.refund.createRefunds)}
        </SubmitButton>
      ) : (
        <Group justify="flex-end">
          <DoneButton onDone={onDone} />
        </Group>
      )}
    </Form>
  );
}

function DoneButton({ onDone }: { onDone: () => void }) {
  return (
    <Button variant="default" onClick={onDone}>
      {t.common.done}
    </Button>
  );
}

function formatTotals(charges: readonly ChargeToRefund[]): string {
  const byCurrency = Map.groupBy(charges, ({ customerCurrency }) => customerCurrency);
  return [...byCurrency]
    .map(([currency, rows]) =>
      formatAmount(sumDecimals(rows.map(({ amountRefundable }) => amountRefundable ?? '0')), currency),
    )
    .join(' + ');
}

function formatOutcome(createdCount: number, failedCount: number): string {
  const created = pluralize(createdCount, t.refund.refundsCreated);
  return failedCount === 0 ? created : `${created} ${pluralize(failedCount, t.refund.refundsFailed)}`;
}

function ChargeItem({ charge, result }: { charge: ChargeToRefund; result: RefundResult | undefined }) {
  const { amountRefundable, customerCurrency } = charge;
  const amount = amountRefundable ?? '0';
  return (
    <li>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" truncate>
          {formatPayer(charge)}
        </Text>
        {result && 'refundId' in result ? (
          <Link to={`/refunds/${result.refundId}`}>{t.refund.refundCreated}</Link>
        ) : isZero(amount) ? (
          <Text size="sm" c="var(--causeway-muted)">
            {t.refund.nothingLeftToRefund}
          </Text>
        ) : (
          <Amount value={amount} currency={customerCurrency} />
        )}
      </Group>
      {result && 'error' in result && (
        <Text size="sm" c="var(--mantine-color-error)">
          {result.error}
        </Text>
      )}
    </li>
  );
}

const refundableQuery = graphql(
  `
    query RefundableCharges($ids: [ID!]!) {
      nodes(ids: $ids) {
        __typename
        ... on Charge {
          ...ChargeRow
          amountRefundable
        }
      }
    }
  `,
  [chargeRowFields],
);

type ChargeToRefund = Extract<ResultOf<typeof refundableQuery>['nodes'][number], { __typename: 'Charge' }>;
