import { isIP } from 'node:net';
import type { Mode } from '../../../../prisma/client/client.ts';
import {
  type FeedAuthentication,
  type FeedCredentials,
  listRequiredCredentials,
} from '../../../feed/authentication.ts';
import { type FeedKind, getAuthentications, getFeedDefinition } from '../../../feed/catalog.ts';
import type { FeedPull } from '../../../feed/feed-definition.ts';
import { FeedInputError } from '../../../feed/feed-input-error.ts';
import { readPublicKey } from '../../../feed/public-key.ts';
import type { Tx } from '../../../kit/db.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { checkInteger } from '../../../kit/integer.ts';
import { createIpRanges, isIpRange } from '../../../kit/ip-ranges.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { checkNonEmpty, checkText } from '../../../kit/text.ts';
import { parseTargetUrl } from '../../platform/target-url.ts';
import { type FeedPullInput, parseFeedPull } from './feed-pull-input.ts';
import { type FeedSettings, parseCustomFeed } from './feed-settings.ts';

export type BankFeedAccountInput = { receivingAccountId: string; bankAccount?: string | null | undefined };

export type BankFeedSettingsInput = {
  authentication?: string | null | undefined;
  signedPath?: string | null | undefined;
  apiUrl?: string | null | undefined;
  /** The format of a custom feed, as JSON. */
  customFormatJson?: string | null | undefined;
  /** Only for a feed that is polled. */
  pull?: FeedPullInput | null | undefined;
};

export type FeedCredentialsInput = {
  [Name in keyof Omit<FeedCredentials, 'simulatorKey'>]?: string | null | undefined;
};

const silenceMinutesMax = 60 * 24 * 90;
const accountsMax = 100;
const addressesMax = 50;
const credentialLengthMax = 10_000;

export function parseFeedName(name: string): string {
  return checkNonEmpty(name, '/name', { max: 100 });
}

export function parseSilenceMinutes(minutes: number | null): number | null {
  return minutes === null
    ? null
    : checkInteger(minutes, '/silenceMinutes', { min: 5, max: silenceMinutesMax });
}

/** Merges the given settings into the previous ones. */
export function parseFeedSettings(
  kind: FeedKind,
  input: BankFeedSettingsInput,
  options: { before?: FeedSettings; mode: Mode; allowPrivateTargets: boolean },
): FeedSettings {
  const { before } = options;
  const custom =
    input.customFormatJson == null
      ? before?.custom
      : parseCustomFeed(input.customFormatJson, '/customFormatJson');
  if (kind === 'custom' && !custom)
    throw invalidInputError('/customFormatJson', 'is required for a custom feed');
  if (kind !== 'custom' && custom) throw invalidInputError('/customFormatJson', 'is only for a custom feed');
  const names = Object.keys(getFeedDefinition(kind, custom).authentications);
  const authentication = input.authentication ?? before?.authentication ?? names[0]!;
  if (!names.includes(authentication))
    throw invalidInputError('/authentication', `must be one of: ${names.join(', ')}`);
  const signedPath = input.signedPath === undefined ? before?.signedPath : input.signedPath;
  if (signedPath != null && !/^\/[!-~]{0,500}$/.test(signedPath))
    throw invalidInputError('/signedPath', 'must be a path that begins with /');
  const apiUrl = input.apiUrl === undefined ? before?.apiUrl : input.apiUrl;
  const pull = parseFeedPull(kind, input.pull ?? {}, before?.pull);
  return {
    authentication,
    ...(pull && { pull }),
    ...(signedPath != null && { signedPath }),
    ...(apiUrl != null && { apiUrl: parseTargetUrl(apiUrl, '/apiUrl', options).replace(/\/$/, '') }),
    ...(custom && { custom }),
  };
}

/** Merges the given credentials into the previous ones; null removes one. */
export function parseFeedCredentials(
  input: FeedCredentialsInput,
  options: {
    before?: FeedCredentials;
    authentications: readonly FeedAuthentication[];
    pull?: FeedPull | undefined;
  },
): FeedCredentials {
  const { before = {}, authentications, pull } = options;
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const changes = given.map(([name, value]) => [
    name,
    value == null ? undefined : checkCredential(name, value),
  ]);
  const credentials: FeedCredentials = { ...before, ...Object.fromEntries(changes) };
  // The simulator's key signs only for the public key that was generated with it.
  if (input.publicKey != null) delete credentials.simulatorKey;
  const required = [...listRequiredCredentials(authentications), ...(pull?.requiredCredentials ?? [])];
  const missing = required.find((name) => !credentials[name]);
  if (missing) throw invalidInputError(`/credentials/${missing}`, 'is required for this authentication');
  if (pull?.requiredSettings.includes('host') && !credentials.key && !credentials.privateKey)
    throw invalidInputError('/credentials/key', 'is required if there is no private key');
  return credentials;
}

/** The credentials that a feed sends to its API or SFTP server. A private key for SFTP never leaves the service. */
const sentCredentials = ['key', 'clientId', 'clientSecret'] as const;

/** Checks that a user who changes where stored credentials are sent enters them again, and so must know them. */
export function checkFeedTarget(
  input: FeedCredentialsInput,
  change: { before: FeedSettings; after: FeedSettings; credentialsBefore: FeedCredentials },
): void {
  const { before, after, credentialsBefore } = change;
  if (toTarget(before) === toTarget(after)) return;
  const missing = sentCredentials.find((name) => credentialsBefore[name] && input[name] === undefined);
  if (missing)
    throw invalidInputError(`/credentials/${missing}`, 'is required when the scheme, host or port changes');
}

function toTarget({ apiUrl, pull }: FeedSettings): string {
  return `${apiUrl && new URL(apiUrl).origin} ${pull?.host} ${pull?.port ?? 22}`;
}

function checkCredential(name: string, value: string): string {
  const path = `/credentials/${name}`;
  const text = checkText(value, path, credentialLengthMax);
  if (text === '') throw invalidInputError(path, 'must not be empty');
  if (name === 'publicKey') checkPublicKey(text, path);
  return text;
}

function checkPublicKey(text: string, path: string): void {
  try {
    readPublicKey(text);
  } catch (error) {
    if (error instanceof FeedInputError) throw invalidInputError(path, error.message);
    throw error;
  }
}

export function findAuthentications(kind: FeedKind, settings: FeedSettings): readonly FeedAuthentication[] {
  return getAuthentications(getFeedDefinition(kind, settings.custom), settings.authentication);
}

export function parseAllowedAddresses(addresses: readonly string[]): string[] {
  if (addresses.length > addressesMax)
    throw invalidInputError('/allowedAddresses', `must have at most ${addressesMax} entries`);
  return addresses.map((text, i) => {
    if (!isIpRange(text.trim()))
      throw invalidInputError(
        `/allowedAddresses/${i}`,
        'must be an IP address or network, such as 203.0.113.0/24',
      );
    return text.trim();
  });
}

/** Returns whether the list is empty or contains the sender. */
export function isAllowedSender(allowedAddresses: readonly string[], ipAddress: string): boolean {
  if (allowedAddresses.length === 0) return true;
  const version = isIP(ipAddress);
  return version !== 0 && createIpRanges(allowedAddresses).check(ipAddress, version === 6 ? 'ipv6' : 'ipv4');
}

/** Checks that the accounts belong to the merchant and differ, and that they are named as the feed requires. */
export async function parseFeedAccounts(
  tx: Tx,
  { merchantId, mode, pull }: MerchantScope & { pull?: FeedPull | undefined },
  input: readonly BankFeedAccountInput[],
): Promise<{ receivingAccountId: string; bankAccount: string | null }[]> {
  if (input.length === 0) throw invalidInputError('/receivingAccounts', 'must have at least one account');
  if (input.length > accountsMax)
    throw invalidInputError('/receivingAccounts', `must have at most ${accountsMax} accounts`);
  const accounts = input.map(({ receivingAccountId, bankAccount }, i) => ({
    receivingAccountId,
    bankAccount:
      bankAccount == null
        ? null
        : checkNonEmpty(bankAccount, `/receivingAccounts/${i}/bankAccount`, {
            max: 200,
          }),
  }));
  const unnamed = accounts.findIndex(({ bankAccount }) => bankAccount === null || bankAccount === '*');
  if (pull?.kind === 'transactions' && unnamed >= 0)
    throw invalidInputError(
      `/receivingAccounts/${unnamed}/bankAccount`,
      'must be the ID or number of the account at the provider',
    );
  const ids = [...new Set(accounts.map(({ receivingAccountId }) => receivingAccountId))];
  if (ids.length < accounts.length)
    throw invalidInputError('/receivingAccounts', 'must not repeat an account');
  const found = await tx.receivingAccount.count({ where: { id: { in: ids }, merchantId, mode } });
  if (found < ids.length)
    throw invalidInputError('/receivingAccounts', 'must be IDs of your receiving accounts in this mode');
  if (accounts.length > 1 && accounts.some(({ bankAccount }) => bankAccount === '*'))
    throw invalidInputError('/receivingAccounts', 'can use * only if there is one account');
  return accounts;
}
