import { Button, Grid, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { BackLink } from '../../components/back-link.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { DemoBadge } from '../../components/demo-badge.tsx';
import { amountOf, sent } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { NoSuch } from '../../components/no-such.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useAct } from '../../components/use-act.ts';
import { useOutcome } from '../../components/use-outcome.ts';
import { errorText } from '../../graphql/refusal.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useMay } from '../../viewer.ts';
import { methodsContext, useMethodName } from '../payment-methods.ts';
import classes from './account.module.css';
import { AccountFacts, TermsFacts } from './account-facts.tsx';
import { ChangeTerms } from './change-terms.tsx';
import {
  type AccountDetails,
  receivingAccountQuery,
  sampleQuery,
  updateAccountMutation,
} from './receiving-accounts-query.ts';

/** One receiving account: what it is, on what terms it takes charges, and what its customers see. */
export default function ReceivingAccountPage({ id }: { id: string }) {
  const read = useRead(receivingAccountQuery, { id });
  return (
    <Loaded read={read} lines={10}>
      {({ receivingAccount }) =>
        receivingAccount ? (
          <Details account={receivingAccount} onChanged={read.refresh} />
        ) : (
          <NoSuch noun="receiving account" />
        )
      }
    </Loaded>
  );
}

function Details({ account, onChanged }: { account: AccountDetails; onChanged: () => void }) {
  const methodName = useMethodName();
  const mayManage = useMay('manage');
  const isActive = account.status === 'active';
  return (
    <>
      <BackLink to="/receiving-accounts">Receiving accounts</BackLink>
      <PageHeader
        title={`${methodName(account.method)} ${account.account}`}
        noun="Account"
        badge={
          <>
            <StatusBadge status={account.status} />
            {account.demo && <DemoBadge />}
          </>
        }
        text={<CopyText text={account.id} what="account id" />}
      >
        {mayManage && <AccountActions account={account} onChanged={onChanged} />}
      </PageHeader>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: isActive ? 7 : 12 }}>
          <Stack gap="lg">
            <Section title="Account details">
              <AccountFacts account={account} />
            </Section>
            <Section title="Settings">
              <TermsFacts account={account} />
            </Section>
          </Stack>
        </Grid.Col>
        {isActive && (
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Section title="Customer QR code">
              <AccountPreview key={account.updatedAt} account={account} />
            </Section>
          </Grid.Col>
        )}
      </Grid>
    </>
  );
}

/** What can be done with an account: change its terms, retire it, take it up again. */
function AccountActions({ account, onChanged }: { account: AccountDetails; onChanged: () => void }) {
  const { id } = account;
  const [editing, edit] = useDisclosure();
  const update = useAct(updateAccountMutation, onChanged);
  const set = (status: 'active' | 'retired') => update({ input: { id, status } }, methodsContext);
  if (account.status === 'retired') {
    return (
      <ConfirmButton label="Reactivate" title="Reactivate this account?" onConfirm={() => set('active')}>
        <Text size="sm">New charges can ask customers to pay to {account.account} again.</Text>
      </ConfirmButton>
    );
  }
  return (
    <>
      <Button variant="default" onClick={edit.open}>
        Edit
      </Button>
      <ConfirmButton
        label="Deactivate"
        title="Deactivate this account?"
        confirm="Deactivate account"
        variant="default"
        isDanger
        onConfirm={() => set('retired')}
      >
        <Text size="sm">
          It won’t be used for new charges. Its open charges still complete when they’re paid, and its
          transfers and charges are kept. If it’s the only account of its method, that method will no longer
          be offered.
        </Text>
      </ConfirmButton>
      <ChangeTerms opened={editing} account={account} onClose={edit.close} onSaved={onChanged} />
    </>
  );
}

/** The code that a customer would get for an amount, to be scanned before anybody else does. */
function AccountPreview({ account }: { account: AccountDetails }) {
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
        This method has no QR code. Customers enter {sample.account}, {sample.accountName}, {sample.bank} and
        their payment reference in their bank’s app.
      </Text>
    );
  }
  return (
    <Stack>
      {sample && (
        <figure className={classes.preview}>
          <QrCode text={sample.qrCode} label={`Sample QR code for ${account.account}`} />
          <figcaption>
            {account.demo ? (
              <DemoBadge />
            ) : (
              <Text size="xs" c="var(--causeway-muted)">
                Scan it with your own app and check the holder and the amount. Money sent with it won’t
                complete a charge.
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
            placeholder="Minimum"
            error={outcome.faults.amount ?? (error && errorText(error))}
            flex="1 1 8rem"
          />
          <Button type="submit" variant="default" loading={isLoading}>
            Show QR code
          </Button>
        </Group>
      </form>
    </Stack>
  );
}
