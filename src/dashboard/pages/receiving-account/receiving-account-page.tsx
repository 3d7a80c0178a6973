import { Button, Grid, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { fillText } from '../../../language/fill-text.ts';
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
import { formatMethod } from '../../format/labels.ts';
import { formatError } from '../../graphql/errors.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';
import { methodsContext } from '../payment-methods.ts';
import classes from './account.module.css';
import { AccountFacts, ChargeSettingsFacts } from './account-facts.tsx';
import { DemoAccountsAlert } from './demo-accounts-alert.tsx';
import { EditAccountDialog } from './edit-account-dialog.tsx';
import {
  accountSampleQuery,
  type ReceivingAccountDetails,
  receivingAccountQuery,
  updateAccountMutation,
} from './receiving-accounts-query.ts';

export default function ReceivingAccountPage({ id }: { id: string }) {
  const query = useCachedQuery(receivingAccountQuery, { id });
  return (
    <Loaded query={query} lines={10}>
      {({ receivingAccount }) =>
        receivingAccount ? (
          <Details account={receivingAccount} onChanged={query.refresh} />
        ) : (
          <ObjectNotFound title={t.receivingAccount.notFound} />
        )
      }
    </Loaded>
  );
}

function Details({ account, onChanged }: { account: ReceivingAccountDetails; onChanged: () => void }) {
  const canManage = useHasPermission('manage');
  const isActive = account.status === 'active';
  return (
    <>
      <BackLink to="/receiving-accounts">{t.common.receivingAccounts}</BackLink>
      <PageHeader
        title={`${formatMethod(account.method)} ${account.account}`}
        objectType={t.common.account}
        badge={
          <>
            <StatusBadge status={account.status} />
            {account.isDemo && <DemoBadge />}
          </>
        }
        text={<CopyText text={account.id} label={t.components.copyId} />}
      >
        {canManage && <AccountActions account={account} onChanged={onChanged} />}
      </PageHeader>
      <DemoAccountsAlert key={account.updatedAt} onChanged={onChanged} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: isActive ? 7 : 12 }}>
          <Stack gap="lg">
            <Section title={t.receivingAccount.accountDetails}>
              <AccountFacts account={account} />
            </Section>
            <Section title={t.common.settings}>
              <ChargeSettingsFacts account={account} />
            </Section>
          </Stack>
        </Grid.Col>
        {isActive && (
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Section title={t.receivingAccount.customerQrCode}>
              <AccountPreview key={account.updatedAt} account={account} />
            </Section>
          </Grid.Col>
        )}
      </Grid>
    </>
  );
}

function AccountActions({ account, onChanged }: { account: ReceivingAccountDetails; onChanged: () => void }) {
  const { id } = account;
  const [isEditing, editDialog] = useDisclosure();
  const update = useMutationAction(updateAccountMutation, onChanged);
  const setStatus = (status: 'active' | 'retired') => update({ input: { id, status } }, methodsContext);
  if (account.status === 'retired') {
    return (
      <ConfirmButton
        label={t.receivingAccount.reactivate}
        title={t.receivingAccount.reactivateThisAccount}
        onConfirm={() => setStatus('active')}
      >
        <Text size="sm">{fillText(t.receivingAccount.newChargesCanAsk, { account: account.account })}</Text>
      </ConfirmButton>
    );
  }
  return (
    <>
      <Button variant="default" onClick={editDialog.open}>
        {t.common.edit}
      </Button>
      <ConfirmButton
        label={t.receivingAccount.deactivate}
        title={t.receivingAccount.deactivateThisAccount}
        confirmLabel={t.receivingAccount.deactivateAccount}
        variant="default"
        isDanger
        onConfirm={() => setStatus('retired')}
      >
        <Text size="sm">{t.receivingAccount.itWontBeUsed}</Text>
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

/** Merchants test their account with the code that customers would get for an amount. */
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
        {fillText(t.receivingAccount.thisMethodHasNo, {
          account: sample.account,
          accountName: sample.accountName,
          bank: sample.bank,
        })}
      </Text>
    );
  }
  return (
    <Stack>
      {sample && (
        <figure className={classes.preview}>
          <QrCode
            text={sample.qrCode}
            label={fillText(t.receivingAccount.sampleQrCodeFor, { account: account.account })}
          />
          <figcaption>
            {account.isDemo ? (
              <DemoBadge />
            ) : (
              <Text size="xs" c="var(--causeway-muted)">
                {t.receivingAccount.scanItWithYour}
              </Text>
            )}
          </figcaption>
        </figure>
      )}
      <form onSubmit={submit} ref={formState.formRef}>
        <Group align="flex-end" gap="xs">
          <TextInput
            label={fillText(t.receivingAccount.amount, { currency: account.currency })}
            name="amount"
            inputMode="decimal"
            placeholder={t.receivingAccount.minimum}
            error={formState.fieldErrors.amount ?? (error && formatError(error))}
            flex="1 1 8rem"
          />
          <Button type="submit" variant="default" loading={isLoading}>
            {t.receivingAccount.showQrCode}
          </Button>
        </Group>
      </form>
    </Stack>
  );
}
