import type { Secrets } from '../kit/secrets.ts';
import type { MailContent } from './mail.ts';

/** The encrypted part of a message: all but an email's subject. `chatUrl` is the address of a chat message. */
export type MessageContent = Omit<MailContent, 'subject' | 'html'> & { html?: string; chatUrl?: string };

export function encryptContent(secrets: Secrets, messageId: string, content: MessageContent): string {
  return secrets.encrypt(JSON.stringify(content), 'message.content_encrypted', messageId);
}

export async function decryptContent(
  secrets: Secrets,
  { id, contentEncrypted }: { id: string; contentEncrypted: string },
): Promise<MessageContent> {
  return JSON.parse(await secrets.decrypt(contentEncrypted, 'message.content_encrypted', id));
}
