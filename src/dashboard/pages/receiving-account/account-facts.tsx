import { Alert, Stack, Text } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { CopyText } from '../../components/copy-text.tsx';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Moment } from '../../components/moment.tsx';
import { formatAmount } from '../../format/amount.ts';
import { pluralize } from '../../format/count.ts';
import { formatMethod } from '../../format/labels.ts';
import { formatTimeZone } from '../../format/time-zones.ts';
import { language, locale, t } from '../../language/texts.ts';

import classes from './account.module.css';
import type { ReceivingAccountDetails } from './receiving-accounts-query.ts';
import { translateFormText } from './translate-form-text.ts';

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
            return [
              label,
              <CopyText key={name} text={value} label={fillText(t.components.copyField, { field: label })} />,
            ] as const;
          }),
          [t.receivingAccount.holder, account.accountName],
          [t.receivingAccount.bankOrWallet, account.bank],
          [t.common.currency, account.currency],
          [
            t.receivingAccount.sameBankAccountAs,
            account.sameBankAccounts.length > 0 && (
              <SameBankAccounts key="same" accounts={account.sameBankAccounts} />
            ),
          ],
          [t.receivingAccount.added, <Moment key="added" at={account.createdAt} format="long" />],
          [
            t.receivingAccount.deactivatedAt,
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

/** Links to the other receiving accounts that are the same bank account. */
function SameBankAccounts({ accounts }: { accounts: ReceivingAccountDetails['sameBankAccounts'] }) {
  return (
    <Stack gap={2}>
      {accounts.map(({ id, method, account }) => (
        <Link key={id} to={`/receiving-accounts/${id}`}>
          {`${formatMethod(method)} ${account}`}
        </Link>
      ))}
    </Stack>
  );
}

function getDetailLabel(description: string): string {
  return translateFormText(description).split(': ')[0]!;
}

export function ChargeSettingsFacts({ account }: { account: ReceivingAccountDetails }) {
  const { currency, minAmount, maxAmount, paymentWindowMinutes, weight, timeZone } = account;
  const formatLimit = (limit: string | null) =>
    limit === null ? t.receivingAccount.methodDefault : formatAmount(limit, currency);
  return (
    <Stack>
      {!account.canCarryReference && <AmountNote account={account} />}
      <Facts
        facts={[
          [t.receivingAccount.minimumAmount, formatLimit(minAmount)],
          [t.receivingAccount.maximumAmount, formatLimit(maxAmount)],
          [
            t.receivingAccount.paymentWindow,
            paymentWindowMinutes === null
              ? t.receivingAccount.fromSettings
              : pluralize(paymentWindowMinutes, t.common.minuteCount),
          ],
          [t.receivingAccount.trafficWeight, weight],
          [t.receivingAccount.timeZone, formatTimeZone(timeZone)],
          [t.receivingAccount.bankFees, formatBankFees(account)],
          [
            t.receivingAccount.bankReferences,
            account.reusesBankReferences ? t.receivingAccount.reusedByTheBank : t.receivingAccount.unique,
          ],
          [t.receivingAccount.uniqueAmounts, account.canCarryReference ? null : formatUniqueAmounts(account)],
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
  return limits.length === 0
    ? t.receivingAccount.noneAccepted
    : fillText(t.receivingAccount.upToPerPayment, {
        limits: new Intl.ListFormat(language, { type: 'disjunction' }).format(limits),
      });
}

function formatPercent(rate: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(Number(rate));
}

function formatUniqueAmounts({ maxAmountOffset, currency }: ReceivingAccountDetails): string {
  if (maxAmountOffset === null) return t.common.off;
  return fillText(t.receivingAccount.upToAdded, { maxAmountOffset, currency });
}

function AmountNote({ account }: { account: ReceivingAccountDetails }) {
  return (
    <Alert color={account.maxAmountOffset === null ? 'amber' : 'blue'} variant="light">
      {account.maxAmountOffset === null
        ? t.receivingAccount.paymentsToThisAccount
        : t.receivingAccount.paymentsToThisAccountCarry}
    </Alert>
  );
}
