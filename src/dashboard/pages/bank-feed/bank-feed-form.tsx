import { PasswordInput, Textarea, TextInput } from '@mantine/core';
import { getText } from '../../components/form.tsx';
import { t } from '../../language/texts.ts';
import type { BankFeedDetails, BankFeedKind } from './bank-feeds-query.ts';
import { pullFieldPaths } from './pull-fields.tsx';

type CredentialName =
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
export const authentications: Record<BankFeedKind, Authentication[]> = {
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

/** The fields that the forms for new and for existing feeds share. */
export const feedFieldPaths = [
  ...['name', 'receivingAccounts', 'silenceMinutes', 'signedPath', 'apiUrl'],
  ...pullFieldPaths,
  ...Object.keys(credentialTexts).map((name) => `credentials/${name}`),
];

export function listCredentials(kind: BankFeedKind, authentication: string): CredentialName[] {
  const found = authentications[kind].find(({ name }) => name === authentication);
  return (found ?? authentications[kind][0]!).credentials;
}

/** Returns the credentials that were entered; empty fields stay unchanged. */
export function readCredentials(form: FormData, names: readonly CredentialName[]) {
  const entries = names.map((name) => [name, String(form.get(`credentials.${name}`) ?? '')] as const);
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
      name: `credentials.${name}`,
      label: kind === 'sftp' && name === 'key' ? t.common.password : credentialTexts[name],
      error: getFieldError(`credentials/${name}`),
      autoComplete: 'off',
      ...(isUpdate && { placeholder: t.bankFeed.unchanged }),
    };
    if (name.endsWith('Key')) return <Textarea key={name} {...common} rows={4} />;
    return name === 'username' || name === 'clientId' ? (
      <TextInput key={name} {...common} />
    ) : (
      // Mantine marks the inputs of invalid fields, but not of this one.
      <PasswordInput
        key={name}
        {...common}
        aria-invalid={common.error !== undefined}
        autoComplete="new-password"
      />
    );
  });
}

/** The kinds of feeds whose sender signs the path of the URL. */
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
