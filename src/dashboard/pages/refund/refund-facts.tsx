import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { payerText } from '../../format/payer.ts';
import { Amount } from '../../parts/amount.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Link } from '../../parts/link.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Quiet } from '../../parts/quiet.tsx';
import { ShowButton } from '../../parts/reauthentication.tsx';
import { useMode } from '../../use-mode.ts';
import { useMay } from '../../viewer.ts';
import { useMethodName } from '../payment-methods.ts';
import { CustomerLink } from './customer-link.tsx';
import type { RefundDetails } from './refund-query.ts';

export function RefundFacts({ refund }: { refund: RefundDetails }) {
  const methodName = useMethodName();
  const { charge, createdAt, completedAt, payoutExportedAt } = refund;
  return (
    <Facts
      facts={[
        ['Amount', <Amount key="amount" value={refund.customerAmount} currency={refund.customerCurrency} />],
        [
          'Charge',
          <Link key="charge" to={`/charges/${charge.id}`}>
            {charge.id}
          </Link>,
        ],
        ['Customer', payerText(charge)],
        ['Was paid by', methodName(refund.method)],
        ['Made', <Moment key="made" at={createdAt} form="long" />],
        ['In a file for the bank', payoutExportedAt && <Moment at={payoutExportedAt} form="long" />],
        ...refund.payouts.map(payoutFact),
        ['Completed', completedAt && <Moment at={completedAt} form="long" />],
      ]}
    />
  );
}

/** Money that was sent, with the bank's lines of it. */
function payoutFact(payout: RefundDetails['payouts'][number]): readonly [string, ReactNode] {
  const { id, reference, paidAt, transfer, returnedTransfer } = payout;
  const sent = <Moment at={paidAt} form="long" />;
  return [
    `Sent with ${reference}`,
    <span key={id}>
      {transfer ? <Link to={`/transfers/${transfer.id}`}>{sent}</Link> : sent}
      {returnedTransfer && (
        <>
          , <Link to={`/transfers/${returnedTransfer.id}`}>came back</Link>
        </>
      )}
    </span>,
  ];
}

/** What the merchant's bank is to be told; or the link by which the customer tells it. */
export function RefundPayout({ refund, refresh }: { refund: RefundDetails; refresh: () => void }) {
  const mayRefund = useMay('refund');
  const { status, payoutDetails, payoutReference } = refund;
  if (status === 'initiated') return <Asking refund={refund} refresh={refresh} />;
  if (status === 'cancelled')
    return <Quiet>It was withdrawn before the customer told where the money goes.</Quiet>;
  if (!mayRefund) return <Quiet>Where the money goes is shown to those who may refund.</Quiet>;
  if (!payoutDetails) return <HiddenDetails refresh={refresh} />;
  const { bank, account, holder } = payoutDetails;
  return (
    <Facts
      facts={[
        ['Bank', bank && <CopyText text={bank} what="bank" />],
        ['Account', <CopyText key="account" text={account} what="account" />],
        ['Holder', <CopyText key="holder" text={holder} what="holder" />],
        ['Reference', <CopyText key="reference" text={payoutReference} what="reference" />],
      ]}
    />
  );
}

/** In live mode they are hidden without a recent re-authentication; afterwards there are none. */
function HiddenDetails({ refresh }: { refresh: () => void }) {
  const { mode } = useMode();
  const [isShown, setShown] = useState(false);
  if (mode === 'sandbox') return <Quiet>It was completed in the sandbox, without an account.</Quiet>;
  if (isShown) return <Quiet>They are no longer stored.</Quiet>;
  const show = () => {
    setShown(true);
    refresh();
  };
  return <ShowButton label="Show bank details" onReauthenticated={show} />;
}

function Asking({ refund, refresh }: { refund: RefundDetails; refresh: () => void }) {
  const { detailsUrl, reopenReason, charge } = refund;
  return (
    <>
      <Text size="sm" mb="sm">
        {reopenReason !== null && `The last payout came back: ${reopenReason}. `}
        The customer tells it on this page
        {charge.email === null ? '; hand on its link.' : `. Its link was mailed to ${charge.email}.`}
      </Text>
      <CustomerLink url={detailsUrl} refresh={refresh} />
    </>
  );
}
