import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { errorText } from '../../graphql/refusal.ts';
import { useRead } from '../../graphql/use-read.ts';
import { DemoBadge } from '../../parts/demo-badge.tsx';
import { amountOf, sent } from '../../parts/form.tsx';
import { QrCode } from '../../parts/qr-code.tsx';
import { useOutcome } from '../../parts/use-outcome.ts';
import classes from './account.module.css';
import { type AccountDetails, sampleQuery } from './receiving-accounts-query.ts';

/** The code that a customer would get for an amount, to be scanned before anybody else does. */
export function AccountPreview({ account }: { account: AccountDetails }) {
  const [amount, setAmount] = useState<string | null>(null);
  const { data, error, isLoading } = useRead(sampleQuery, { id: account.id, amount });
  const sample = data?.receivingAccount?.sampleDestination;
  const outcome = useOutcome(['amount']);
  const submit = sent((form) => {
    const written = outcome.read(() => amountOf(form, 'amount', account.currency));
    if (written === undefined) return;
    outcome.say();
    setAmount(written || null);
  });
  if (sample?.qrCode === '') {
    return (
      <Text size="sm" c="var(--causeway-muted)">
        This method has no QR code: customers type {sample.account}, {sample.accountName}, {sample.bank} and
        their reference into their bank’s app.
      </Text>
    );
  }
  return (
    <Stack>
      {sample && (
        <figure className={classes.preview}>
          <QrCode text={sample.qrCode} label={`Sample payment code of ${account.account}`} />
          <figcaption>
            {account.demo ? (
              <DemoBadge />
            ) : (
              <Text size="xs" c="var(--causeway-muted)">
                Scan it with your own app and check holder and amount. Money sent with it completes no charge.
              </Text>
            )}
          </figcaption>
        </figure>
      )}
      <form onSubmit={submit} ref={outcome.form}>
        <Group align="flex-end" gap="xs">
          <TextInput
            label={`Amount (${account.currency})`}
            name="amount"
            inputMode="decimal"
            placeholder="The smallest"
            error={outcome.faults.amount ?? (error && errorText(error))}
            flex="1 1 8rem"
          />
          <Button type="submit" variant="default" loading={isLoading}>
            Show code
          </Button>
        </Group>
      </form>
    </Stack>
  );
}
