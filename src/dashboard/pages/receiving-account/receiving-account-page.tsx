import { Button, Grid, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { BackLink } from '../../components/back-link.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CopyText } from '../../components/copy-text.tsx';
import { DemoBadge } from '../../components/demo-badge.tsx';
import { getAmount, handleSubmit } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { ObjectNotFound } from '../../components/object-not-found.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatError } from '../../graphql/errors.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useHasPermission } from '../../viewer.ts';
import { methodsContext, useMethodName } from '../payment-methods.ts';
import classes from './account.module.css';
import { AccountFacts, ChargeSettingsFacts } from './account-facts.tsx';
import { EditAccountDialog } from './edit-account-dialog.tsx';
import {
  accountSampleQuery,
  type ReceivingAccountDetails,
  receivingAccountQuery,
  updateAccountMutation,
} from './receiving-accounts-query.ts';

/** Shows a receiving account: its details, its settings for new charges, and the QR code that customers get. */
export default function ReceivingAccountPage({ id }: { id: string }) {
  const query = useCachedQuery(receivingAccountQuery, { id });
  return (
    <Loaded query={query} lines={10}>
      {({ receivingAccount }) =>
        receivingAccount ? (
          <Details account={receivingAccount} onChanged={query.refresh} />
        ) : (
          <ObjectNotFound objectType="receiving account" />
        )
      }
    </Loaded>
  );
}

function Details({ account, onChanged }: { account: ReceivingAccountDetails; onChanged: () => void }) {
  const methodName = useMethodName();
  const canManage = useHasPermission('manage');
  const isActive = account.status === 'active';
  return (
    <>
      <BackLink to="/receiving-accounts">Receiving accounts</BackLink>
      <PageHeader
        title={`${methodName(account.method)} ${account.account}`}
        objectType="Account"
        badge={
          <>
            <StatusBadge status={account.status} />
            {account.isDemo && <DemoBadge />}
          </>
        }
        text={<CopyText text={account.id} label="account id" />}
      >
        {canManage && <AccountActions account={account} onChanged={onChanged} />}
      </PageHeader>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: isActive ? 7 : 12 }}>
          <Stack gap="lg">
            <Section title="Account details">
              <AccountFacts account={account} />
            </Section>
            <Section title="Settings">
              <ChargeSettingsFacts account={account} />
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

/** The actions on an account: edit, deactivate, reactivate. */
function AccountActions({ account, onChanged }: { account: ReceivingAccountDetails; onChanged: () => void }) {
  const { id } = account;
  const [isEditing, editDialog] = useDisclosure();
  const update = useMutationAction(updateAccountMutation, onChanged);
  const setStatus = (status: 'active' | 'retired') => update({ input: { id, status } }, methodsContext);
  if (account.status === 'retired') {
    return (
      <ConfirmButton
        label="Reactivate"
        title="Reactivate this account?"
        onConfirm={() => setStatus('active')}
      >
        <Text size="sm">New charges can ask customers to pay to {account.account} again.</Text>
      </ConfirmButton>
    );
  }
  return (
    <>
      <Button variant="default" onClick={editDialog.open}>
        Edit
      </Button>
      <ConfirmButton
        label="Deactivate"
        title="Deactivate this account?"
        confirmLabel="Deactivate account"
        variant="default"
        isDanger
        onConfirm={() => setStatus('retired')}
      >
        <Text size="sm">
          It won’t be used for new charges. Its open charges still complete when they’re paid, and its
          transfers and charges are kept. If it’s the only account of its method, that method will no longer
          be offered.
        </Text>
      </ConfirmButton>
      <EditAccountDialog
        opened={isEditing}
        account={account}
        onClose={editDialog.close}
        onSaved={onChanged}
      />
    </>
  );
}

/** Shows the code that customers would get for an amount, so that the merchant can test it. */
function AccountPreview({ account }: { account: ReceivingAccountDetails }) {
  const [amount, setAmount] = useState<string | null>(null);
  const { data, error, isLoading } = useCachedQuery(accountSampleQuery, { id: account.id, amount });
  const sample = data?.receivingAccount?.sampleDestination;
  const formState = useFormState(['amount']);
  const submit = handleSubmit((form) => {
    const newAmount = formState.read(() => getAmount(form, 'amount', account.currency));
    if (newAmount === undefined) return;
    formState.clearErrors();
    setAmount(newAmount || null);
  });
  if (sample?.qrCode === null) {
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
            {account.isDemo ? (
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
      <form onSubmit={submit} ref={formState.formRef}>
        <Group align="flex-end" gap="xs">
          <TextInput
            label={`Amount (${account.currency})`}
            name="amount"
            inputMode="decimal"
            placeholder="Minimum"
            error={formState.fieldErrors.amount ?? (error && formatError(error))}
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
