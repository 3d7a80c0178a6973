import type { GraphqlApp } from './graphql.ts';

/** What remains of a move from another installation, and the code of a move that has not begun. */
export async function seedMoveRows({ context: { service }, merchant }: GraphqlApp, now: Date): Promise<void> {
  const { prisma, secrets } = service;
  const { id: merchantId } = merchant.merchant;
  const id = 'olddatakey00';
  const keysEncrypted = secrets.encrypt('{}', 'imported_signing_key.keys_encrypted', [merchantId, id]);
  await prisma.importedSigningKey.create({ data: { id, merchantId, keysEncrypted, createdAt: now } });
  const moveCodeEncrypted = secrets.encrypt('the code', 'merchant.move_code_encrypted', merchantId);
  await prisma.merchant.update({ where: { id: merchantId }, data: { moveCodeEncrypted } });
}
