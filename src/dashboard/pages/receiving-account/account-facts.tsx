import { Alert, Stack, Text } from '@mantine/core';
import { CopyText } from '../../components/copy-text.tsx';
import { Facts } from '../../components/facts.tsx';
import { Moment } from '../../components/moment.tsx';
import { formatAmount } from '../../format/amount.ts';
import { formatTimeZone } from '../../format/time-zones.ts';
import classes from './account.module.css';
import type { ReceivingAccountDetails } from './receiving-accounts-query.ts';

/** Longer values are codes, which are shown separately, in small type, and may break anywhere. */
const shortDetailLengthMax = 60;

export function AccountFacts({ account }: { account: ReceivingAccountDetails }) {
  const details = account.details.filter(({ name }) => name !== 'bank');
  const codes = details.filter(({ value }) => value.length > shortDetailLengthMax);
  const shortDetails = details.filter(({ value }) => value.length <= shortDetailLengthMax);
  return (
    <Stack gap="sm">
      <Facts
        facts={[
          ...shortDetails.map(({ name, description, value }) => {
            const label = getDetailLabel(description);
            return [label, <CopyText key={name} text={value} label={label} />] as const;
          }),
          ['Holder', account.accountName],
          ['Bank or wallet', account.bank],
          ['Currency', account.currency],
          ['Added', <Moment key="added" at={account.createdAt} format="long" />],
          [
            'Deactivated',
            account.retiredAt !== null && <Moment key="retired" at={account.retiredAt} format="long" />,
          ],
        ]}
      />
      {codes.map(({ name, description, value }) => (
        <div key={name}>
          <Text size="sm" c="var(--causeway-muted)">
            {getDetailLabel(description)}
          </Text>
          <code className={classes.code}>{value}</code>
        </div>
      ))}
    </Stack>
  );
}

function getDetailLabel(description: string): string {
  return description.split(': ')[0] ?? description;
}

export function ChargeSettingsFacts({ account }: { account: ReceivingAccountDetails }) {
  const { currency, minAmount, maxAmount, paymentWindowMinutes, weight, timeZone } = account;
  const formatLimit = (limit: string | null) =>
    limit === null ? 'Method default' : formatAmount(limit, currency);
  return (
    <Stack>
      {!account.canCarryReference && <AmountNote account={account} />}
      <Facts
        facts={[
          ['Minimum amount', formatLimit(minAmount)],
          ['Maximum amount', formatLimit(maxAmount)],
          [
            'Payment window',
            paymentWindowMinutes === null ? 'From settings' : `${paymentWindowMinutes} minutes`,
          ],
          ['Traffic weight', weight],
          ['Time zone', formatTimeZone(timeZone)],
          ['Bank fees', formatBankFees(account)],
          ['Bank references', account.reusesBankReferences ? 'Reused by the bank' : 'Unique'],
          ['Unique amounts', account.canCarryReference ? null : formatUniqueAmounts(account)],
        ]}
      />
    </Stack>
  );
}

function formatBankFees({ maxBankFee, maxBankFeeRate, currency }: ReceivingAccountDetails): string {
  const limits = [
    ...(maxBankFee === null ? [] : [formatAmount(maxBankFee, currency)]),
    ...(maxBankFeeRate === null ? [] : [formatPercent(maxBankFeeRate)]),
  ];
  return limits.length === 0 ? 'None accepted' : `Up to ${limits.join(' or ')} per payment`;
}

function formatPercent(rate: string): string {
  return new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 }).format(Number(rate));
}

function formatUniqueAmounts({ maxAmountOffset, currency }: ReceivingAccountDetails): string {
  if (maxAmountOffset === null) return 'Off';
  return `Up to ${maxAmountOffset} ${currency} added`;
}

/** Explains how payments are matched if only their amounts distinguish them. */
function AmountNote({ account }: { account: ReceivingAccountDetails }) {
  return (
    <Alert color={account.maxAmountOffset === null ? 'amber' : 'blue'} variant="light">
      {account.maxAmountOffset === null
        ? 'Payments to this account carry no reference. Turn on unique amounts to match payments automatically; otherwise you’ll assign each transfer manually.'
        : 'Payments to this account carry no reference. If another open charge has the same amount, at most 1 % is added to make the amount unique, and customers are informed.'}
    </Alert>
  );
}
