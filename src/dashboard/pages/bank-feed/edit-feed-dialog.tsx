import { NumberInput, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Dialog } from '../../components/dialog.tsx';
import { Form, getNumber, getText, SubmitButton } from '../../components/form.tsx';
import { useChanges } from '../../components/use-changes.ts';
import { useFormState } from '../../components/use-form-state.ts';
import { t } from '../../language/texts.ts';
import { AccountFields, type FeedAccountInput } from './account-fields.tsx';
import {
  ApiFields,
  CredentialFields,
  feedFieldPaths,
  listCredentials,
  readApiSettings,
  readCredentials,
} from './bank-feed-form.tsx';
import { type BankFeedDetails, updateBankFeedMutation } from './bank-feeds-query.ts';
import { PullFields, readPull, usePatterns } from './pull-fields.tsx';

type EditFeedProps = { feed: BankFeedDetails; onClose: () => void; onSaved: () => void };

export function EditFeedDialog({ opened, ...props }: EditFeedProps & { opened: boolean }) {
  return (
    <Dialog opened={opened} onClose={props.onClose} title={t.bankFeed.editBankFeed}>
      <EditFeedForm {...props} />
    </Dialog>
  );
}

const fieldPaths = [...feedFieldPaths, 'allowedAddresses'];

function EditFeedForm({ feed, onClose, onSaved }: EditFeedProps) {
  const { id, kind, authentication, pull } = feed;
  const [{ fetching }, update] = useMutation(updateBankFeedMutation);
  const [addresses, setAddresses] = useState([...feed.allowedAddresses]);
  const [accounts, setAccounts] = useState<FeedAccountInput[]>(
    feed.receivingAccounts.map(({ receivingAccount, bankAccount }) => ({
      receivingAccountId: receivingAccount.id,
      bankAccount,
    })),
  );
  const [patterns, setPatterns] = usePatterns(pull);
  const formState = useFormState(fieldPaths);
  const { getFieldError } = formState;
  const names = listCredentials(kind, authentication);
  const { getChanges } = useChanges(formState.formRef, (form) => ({
    name: getText(form, 'name'),
    receivingAccounts: accounts,
    ...readApiSettings(form, kind),
    credentials: readCredentials(form, names),
    allowedAddresses: addresses,
    silenceMinutes: getNumber(form, 'silenceMinutes'),
  }));
  const { getChanges: getPullChanges } = useChanges(
    formState.formRef,
    (form) => readPull(form, kind, patterns) ?? {},
  );
  const submit = async (form: FormData) => {
    const pullChanges = getPullChanges(form);
    const hasPullChanges = Object.keys(pullChanges).length > 0;
    const input = { id, ...getChanges(form), ...(hasPullChanges && { pull: pullChanges }) };
    const response = await update({ input });
    if (!formState.handleResult(response)) return;
    onSaved();
    onClose();
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <TextInput
        label={t.common.name}
        name="name"
        required
        withAsterisk={false}
        defaultValue={feed.name}
        error={getFieldError('name')}
        data-autofocus
      />
      <AccountFields accounts={accounts} onChange={setAccounts} error={getFieldError('receivingAccounts')} />
      <CredentialFields kind={kind} names={names} isUpdate getFieldError={getFieldError} />
      <ApiFields kind={kind} feed={feed} getFieldError={getFieldError} />
      <PullFields
        kind={kind}
        pull={pull}
        patterns={patterns}
        onPatterns={setPatterns}
        getFieldError={getFieldError}
      />
      <TagsInput
        label={t.bankFeed.allowedIpAddresses}
        description={t.bankFeed.addressesOrNetworksSuch}
        value={addresses}
        onChange={setAddresses}
        error={getFieldError('allowedAddresses')}
        comboboxProps={{ withinPortal: false }}
      />
      <NumberInput
        label={t.bankFeed.alertAfterSilenceMinutes}
        description={t.bankFeed.leaveEmptyToDetect}
        name="silenceMinutes"
        min={5}
        max={129_600}
        defaultValue={feed.silenceMinutes ?? ''}
        error={getFieldError('silenceMinutes')}
      />
      <SubmitButton isBusy={fetching}>{t.common.save}</SubmitButton>
    </Form>
  );
}
