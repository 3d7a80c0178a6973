import type { Mode, Webhook } from '../../../prisma/client/client.ts';
import {
  type Message,
  messages,
  type NotificationVersion,
  notificationVersions,
  wantsMessage,
} from '../../event/catalogue.ts';
import { transact } from '../../kit/db.ts';
import { DomainError, invalidInput } from '../../kit/errors.ts';
import { newId } from '../../kit/id.ts';
import { isPrivateHost } from '../../kit/private-address.ts';
import { checkText } from '../../kit/text.ts';
import type { Service } from '../service.ts';
import { parseTargetUrl } from '../target-url.ts';

export type CreateWebhookInput = {
  url: string;
  username: string;
  password: string;
  /** Notification version; 0.9 unless said otherwise. */
  version?: string | null | undefined;
  /** The messages it wants; none: all of its version. */
  messages?: readonly string[] | null | undefined;
};

const defaultVersion: NotificationVersion = '0.9';
const credentialMax = 255;

/**
 * A webhook of one mode, told of everything from now on. The password is stored encrypted. Errors: `invalid_request`
 * naming the member, `target_refused` for a private or loopback address where those are not allowed.
 */
export async function createWebhook(
  service: Service,
  options: { merchantId: string; mode: Mode; input: CreateWebhookInput; actor: string; now: Date },
): Promise<Webhook> {
  const { merchantId, mode, input, now } = options;
  const version = parseVersion(input.version ?? defaultVersion);
  const data = {
    id: newId('webhook', now),
    merchantId,
    mode,
    url: parseWebhookUrl(input.url, { mode, ...service.settings }),
    username: parseUsername(input.username),
    passwordSealed: service.secrets.seal(parseCredential(input.password, '/password')),
    version,
    messages: parseMessages(input.messages ?? [], version),
    createdAt: now,
    updatedAt: now,
  };
  return transact(service, (tx) => tx.webhook.create({ data }));
}

/** The address is checked again at every attempt, as resolved then; what is written plainly is refused at once. */
function parseWebhookUrl(text: string, options: { mode: Mode; allowPrivateTargets: boolean }): string {
  const url = parseTargetUrl(text, '/url', options);
  if (!options.allowPrivateTargets && isPrivateHost(new URL(url).hostname)) {
    throw new DomainError('target_refused', 'The address is private or loopback', [
      { path: '/url', message: 'must not be a private or loopback address' },
    ]);
  }
  return url;
}

/** Basic authentication ends the user name at the first colon (RFC 7617). */
function parseUsername(text: string): string {
  if (text.includes(':')) throw invalidInput('/username', 'must not contain a colon');
  return parseCredential(text, '/username');
}

function parseCredential(text: string, path: string): string {
  if (text === '') throw invalidInput(path, 'must not be empty');
  if (/\p{Cc}/u.test(text)) throw invalidInput(path, 'must not contain control characters');
  return checkText(text, path, credentialMax);
}

function parseVersion(text: string): NotificationVersion {
  const version = notificationVersions.find((known) => known === text);
  if (!version) throw invalidInput('/version', `must be one of ${notificationVersions.join(', ')}`);
  return version;
}

/** Each message once, of those that the version delivers. */
function parseMessages(names: readonly string[], version: NotificationVersion): Message[] {
  const wanted = names.map((name, i) => {
    const path = `/messages/${i}`;
    if (!isMessage(name)) throw invalidInput(path, 'must be the name of a message');
    if (!wantsMessage({ version, messages: [] }, name)) {
      throw invalidInput(path, `must be a message of notification version ${version}`);
    }
    return name;
  });
  return [...new Set(wanted)];
}

function isMessage(name: string): name is Message {
  return Object.hasOwn(messages, name);
}
