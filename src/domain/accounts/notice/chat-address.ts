import type { MerchantUser } from '../../../../prisma/client/client.ts';
import type { Secrets } from '../../../kit/secrets.ts';

/** Returns the URL of the user's chat, which is a secret; null if there is none. */
export async function decryptChatUrl(
  { secrets }: { secrets: Secrets },
  { id, chatUrlEncrypted }: MerchantUser,
): Promise<string | null> {
  if (chatUrlEncrypted === null) return null;
  return secrets.decrypt(chatUrlEncrypted, 'merchant_user.chat_url_encrypted', id);
}

/** Returns the host of the user's chat, which is shown instead of the secret URL. */
export async function getChatHost(service: { secrets: Secrets }, user: MerchantUser): Promise<string | null> {
  const url = await decryptChatUrl(service, user);
  return url === null ? null : new URL(url).host;
}
