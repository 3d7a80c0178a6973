import { NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { CopyText } from '../../components/copy-text.tsx';
import { CreateDialog } from '../../components/create-dialog.tsx';
import { Form, getNumber, getText, SubmitButton } from '../../components/form.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { t } from '../../language/texts.ts';
import { AccountFields, type FeedAccountInput } from './account-fields.tsx';
import {
  ApiFields,
  authentications,
  CredentialFields,
  feedFieldPaths,
  listCredentials,
  readApiSettings,
  readCredentials,
} from './bank-feed-form.tsx';
import { type BankFeedKind, createBankFeedMutation } from './bank-feeds-query.ts';
import { feedKindTexts } from './feed-texts.ts';
import { isPolled, PullFields, readPull, usePatterns } from './pull-fields.tsx';

type CreatedFeed = { kind: BankFeedKind; url: string };
type NewFeedDialogProps = {
  country: string | null;
  opened: boolean;
  onClose: () => void;
  onCreated: () => void;
};

/** Creates a bank feed, then shows the URL to enter at the sender. */
export function NewFeedDialog({ country, ...props }: NewFeedDialogProps) {
  return (
    <CreateDialog<CreatedFeed>
      {...props}
      title={t.bankFeed.newBankFeed}
      createdTitle={t.bankFeed.theBankFeedIs}
      form={(onCreated) => <NewFeedForm country={country} onCreated={onCreated} />}
    >
      {({ kind, url }) => (
        <Stack>
          {isPolled(kind) ? (
            <span>{t.bankFeed.theServiceFetchesTheTransfers}</span>
          ) : (
            <>
              <span>{t.bankFeed.enterThisUrlAt}</span>
              <CopyText text={url} label={t.components.copyUrl} />
            </>
          )}
        </Stack>
      )}
    </CreateDialog>
  );
}

const fieldPaths = [...feedFieldPaths, 'kind', 'authentication', 'customFormatJson'];

const kindChoices = Object.entries(feedKindTexts).map(([value, label]) => ({ value, label }));

/** The first choice by the country of the merchant. Statement files by SFTP suit banks of all other countries. */
const defaultKinds: Partial<Record<string, BankFeedKind>> = {
  AU: 'monoova',
  ID: 'snap',
  KR: 'popbill',
  NZ: 'akahu',
  TH: 'scb',
  VN: 'sepay',
};

function NewFeedForm(props: { country: string | null; onCreated: (created: CreatedFeed) => void }) {
  const { country, onCreated } = props;
  const defaultKind = defaultKinds[country ?? ''] ?? 'sftp';
  const [{ fetching }, create] = useMutation(createBankFeedMutation);
  const [kind, setKind] = useState<BankFeedKind>(defaultKind);
  const [authentication, setAuthentication] = useState(authentications[defaultKind][0]!.name);
  const [accounts, setAccounts] = useState<FeedAccountInput[]>([
    { receivingAccountId: '', bankAccount: null },
  ]);
  const [patterns, setPatterns] = usePatterns();
  const formState = useFormState(fieldPaths);
  const { getFieldError } = formState;
  const names = listCredentials(kind, authentication);
  const chooseKind = (value: string | null) => {
    const chosen = (value ?? defaultKind) as BankFeedKind;
    setKind(chosen);
    setAuthentication(authentications[chosen][0]!.name);
  };
  const submit = async (form: FormData) => {
    const pull = readPull(form, kind, patterns);
    const response = await create({
      input: {
        kind,
        name: getText(form, 'name') || null,
        receivingAccounts: accounts,
        authentication,
        credentials: readCredentials(form, names),
        ...readApiSettings(form, kind),
        ...(pull && { pull }),
        ...(kind === 'custom' && { customFormatJson: getText(form, 'customFormatJson') }),
        silenceMinutes: getNumber(form, 'silenceMinutes'),
      },
    });
    const result = response.data?.createBankFeed;
    if (formState.handleResult(response) && result?.__typename === 'CreateBankFeedSuccess')
      onCreated({ kind, url: result.bankFeed.url });
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <Select
        label={t.bankFeed.sender}
        allowDeselect={false}
        data={kindChoices}
        value={kind}
        onChange={chooseKind}
        error={getFieldError('kind')}
        comboboxProps={{ withinPortal: false }}
        data-autofocus
      />
      <TextInput
        label={t.common.name}
        name="name"
        placeholder={feedKindTexts[kind]}
        error={getFieldError('name')}
        maxLength={100}
      />
      <AccountFields accounts={accounts} onChange={setAccounts} error={getFieldError('receivingAccounts')} />
      {authentications[kind].length > 1 && (
        <Select
          label={t.bankFeed.authentication}
          allowDeselect={false}
          data={authentications[kind].map(({ name, label }) => ({ value: name, label }))}
          value={authentication}
          onChange={(value) => value && setAuthentication(value)}
          error={getFieldError('authentication')}
          comboboxProps={{ withinPortal: false }}
        />
      )}
      <CredentialFields kind={kind} names={names} getFieldError={getFieldError} />
      <ApiFields kind={kind} getFieldError={getFieldError} />
      <PullFields kind={kind} patterns={patterns} onPatterns={setPatterns} getFieldError={getFieldError} />
      {kind === 'custom' && (
        <Textarea
          label={t.bankFeed.formatAndSignatureJson}
          description={t.bankFeed.theGuideCustomFeeds}
          name="customFormatJson"
          required
          withAsterisk={false}
          rows={8}
          error={getFieldError('customFormatJson')}
        />
      )}
      <NumberInput
        label={t.bankFeed.alertAfterSilenceMinutes}
        description={t.bankFeed.leaveEmptyToDetect}
        name="silenceMinutes"
        min={5}
        max={129_600}
        error={getFieldError('silenceMinutes')}
      />
      <SubmitButton isBusy={fetching}>{t.bankFeed.createFeed}</SubmitButton>
    </Form>
  );
}
