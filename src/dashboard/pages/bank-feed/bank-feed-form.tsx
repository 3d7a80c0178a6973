import { NumberInput, PasswordInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { CopyText } from '../../components/copy-text.tsx';
import { CreateDialog } from '../../components/create-dialog.tsx';
import { Form, getNumber, getText, SubmitButton } from '../../components/form.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { t } from '../../language/texts.ts';
import { AccountFields, type FeedAccountInput } from './account-fields.tsx';
import { type BankFeedDetails, type BankFeedKind, createBankFeedMutation } from './bank-feeds-query.ts';
import { feedKindTexts } from './feed-texts.ts';
import { isPolled, PullFields, pullFieldPaths, readPull, usePatterns } from './pull-fields.tsx';

export type CredentialName =
  | 'secret'
  | 'publicKey'
  | 'key'
  | 'username'
  | 'clientId'
  | 'clientSecret'
  | 'privateKey'
  | 'passphrase'
  | 'pgpPrivateKey'
  | 'pgpPassphrase'
  | 'pgpPublicKey';

type Authentication = { name: string; label: string; credentials: CredentialName[] };

const pgpCredentials: CredentialName[] = ['pgpPrivateKey', 'pgpPassphrase', 'pgpPublicKey'];

/** The authentications of each sender; the first is the default. */
const authentications: Record<BankFeedKind, Authentication[]> = {
  sepay: [
    { name: 'signature', label: t.bankFeed.hmacSha256Signature, credentials: ['secret'] },
    { name: 'key', label: t.bankFeed.apiKey, credentials: ['key'] },
  ],
  casso_v2: [{ name: 'signature', label: t.bankFeed.signature, credentials: ['secret'] }],
  casso_v1: [{ name: 'key', label: t.bankFeed.secureToken, credentials: ['key'] }],
  airwallex: [{ name: 'signature', label: t.bankFeed.signature, credentials: ['secret'] }],
  anz: [{ name: 'signature', label: t.bankFeed.signatureAndApiKey, credentials: ['key', 'publicKey'] }],
  monoova: [{ name: 'signature', label: t.bankFeed.signature, credentials: ['publicKey', 'key'] }],
  snap: [
    { name: 'symmetric', label: t.bankFeed.symmetricSignature, credentials: ['secret', 'publicKey'] },
    { name: 'asymmetric', label: t.bankFeed.asymmetricSignature, credentials: ['publicKey'] },
  ],
  scb: [
    {
      name: 'confirmation',
      label: t.bankFeed.confirmationByTheApi,
      credentials: ['clientId', 'clientSecret'],
    },
  ],
  wise: [
    { name: 'poll', label: t.bankFeed.poll, credentials: ['key'] },
    { name: 'webhook', label: t.bankFeed.webhookAndPoll, credentials: ['key', 'publicKey'] },
  ],
  akahu: [
    { name: 'poll', label: t.bankFeed.poll, credentials: ['key', 'clientId'] },
    { name: 'webhook', label: t.bankFeed.webhookAndPoll, credentials: ['key', 'clientId', 'publicKey'] },
  ],
  popbill: [{ name: 'poll', label: t.bankFeed.poll, credentials: ['clientId', 'clientSecret'] }],
  sftp: [
    {
      name: 'sftp',
      label: t.bankFeed.passwordOrPrivateKey,
      credentials: ['username', 'key', 'privateKey', 'passphrase', ...pgpCredentials],
    },
  ],
  folder: [{ name: 'folder', label: t.bankFeed.folderOfThisService, credentials: pgpCredentials }],
  custom: [
    {
      name: 'custom',
      label: t.bankFeed.asTheFormatDescribes,
      credentials: ['secret', 'publicKey', 'username', 'key'],
    },
  ],
};

const credentialTexts: Record<CredentialName, string> = {
  secret: t.bankFeed.signingSecret,
  publicKey: t.bankFeed.publicKeyOfThe,
  key: t.bankFeed.apiKeyPasswordOr,
  username: t.bankFeed.username,
  clientId: t.bankFeed.apiKeyOfThe,
  clientSecret: t.bankFeed.apiSecretOfThe,
  privateKey: t.bankFeed.privateKeyInsteadOf,
  passphrase: t.bankFeed.passphraseOfThePrivate,
  pgpPrivateKey: t.bankFeed.openpgpKeyThatDecrypts,
  pgpPassphrase: t.bankFeed.passphraseOfTheOpenpgp,
  pgpPublicKey: t.bankFeed.openpgpKeyOfThe,
};

export function listCredentials(kind: BankFeedKind, authentication: string): CredentialName[] {
  const found = authentications[kind].find(({ name }) => name === authentication);
  return (found ?? authentications[kind][0]!).credentials;
}

/** Returns the credentials that were entered; empty fields stay unchanged. */
export function readCredentials(form: FormData, names: readonly CredentialName[]) {
  const entries = names.map((name) => [name, String(form.get(name) ?? '')] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

export function CredentialFields(props: {
  kind: BankFeedKind;
  names: readonly CredentialName[];
  isUpdate?: boolean;
  getFieldError: (path: string) => string | undefined;
}) {
  const { kind, names, isUpdate = false, getFieldError } = props;
  return names.map((name) => {
    const common = {
      name,
      label: kind === 'sftp' && name === 'key' ? t.common.password : credentialTexts[name],
      error: getFieldError(`credentials/${name}`),
      autoComplete: 'off',
      ...(isUpdate && { placeholder: t.bankFeed.unchanged }),
    };
    if (name.endsWith('Key')) return <Textarea key={name} {...common} rows={4} />;
    return name === 'username' || name === 'clientId' ? (
      <TextInput key={name} {...common} />
    ) : (
      <PasswordInput key={name} {...common} autoComplete="new-password" />
    );
  });
}

/** The senders of these kinds of feeds sign a path. */
const kindsWithSignedPath: readonly BankFeedKind[] = ['snap', 'custom'];
const kindsWithApi: readonly BankFeedKind[] = ['scb', 'wise', 'akahu', 'popbill'];

export function readApiSettings(form: FormData, kind: BankFeedKind) {
  return {
    ...(kindsWithSignedPath.includes(kind) && { signedPath: getText(form, 'signedPath') || null }),
    ...(kindsWithApi.includes(kind) && { apiUrl: getText(form, 'apiUrl') || null }),
  };
}

export function ApiFields(props: {
  kind: BankFeedKind;
  feed?: Pick<BankFeedDetails, 'signedPath' | 'apiUrl'>;
  getFieldError: (path: string) => string | undefined;
}) {
  const { kind, feed, getFieldError } = props;
  return (
    <>
      {kindsWithSignedPath.includes(kind) && (
        <TextInput
          label={t.bankFeed.signedPath}
          description={t.bankFeed.requiredOnlyIfThe}
          name="signedPath"
          defaultValue={feed?.signedPath ?? ''}
          error={getFieldError('signedPath')}
        />
      )}
      {kindsWithApi.includes(kind) && (
        <TextInput
          label={t.bankFeed.urlOfTheBanks}
          description={t.bankFeed.leaveEmptyToUse}
          name="apiUrl"
          defaultValue={feed?.apiUrl ?? ''}
          error={getFieldError('apiUrl')}
        />
      )}
    </>
  );
}

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

const fieldPaths = [
  ...['kind', 'name', 'receivingAccounts', 'authentication', 'customFormat', 'silenceMinutes'],
  ...['signedPath', 'apiUrl', ...pullFieldPaths],
  ...Object.keys(credentialTexts).map((name) => `credentials/${name}`),
];

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
        ...(kind === 'custom' && { customFormat: getText(form, 'customFormat') }),
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
          name="customFormat"
          required
          withAsterisk={false}
          rows={8}
          error={getFieldError('customFormat')}
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
