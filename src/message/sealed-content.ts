import type { Secrets } from '../kit/secrets.ts';
import type { MailContent } from './mail.ts';

/** What is encrypted for storage: all but an e-mail's subject. */
export type MessageContent = Omit<MailContent, 'subject' | 'html'> & { html?: string };

export function sealContent(secrets: Secrets, content: MessageContent): string {
  return secrets.seal(JSON.stringify(content));
}

export function unsealContent(secrets: Secrets, sealed: string): MessageContent {
  return JSON.parse(secrets.unseal(sealed));
}
