import { isZero } from '../../format/amount.ts';
import { Amount } from '../../parts/amount.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { useMethodName } from '../payment-methods.ts';
import type { TransferDetails } from './transfer-query.ts';
import { sourceTexts } from './transfer-row.ts';

export function TransferFacts({ transfer }: { transfer: TransferDetails }) {
  const methodName = useMethodName();
  const { receivingAccount: account, currency, amountOpen } = transfer;
  const isIn = transfer.direction === 'credit';
  return (
    <Facts
      facts={[
        ['Amount', <Amount key="amount" value={transfer.amount} currency={currency} />],
        [
          'Still open',
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
        ['Told by', sourceTexts[transfer.source]],
        ['Bank reference', <CopyText key="bank" text={transfer.bankReference} what="bank reference" />],
        ['Learned of', <Moment key="created" at={transfer.createdAt} form="long" />],
      ]}
    />
  );
}
