import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';

/** Returns the PNG file of a logo. Anyone may see it. Error: `route_not_found`. */
export async function getLogo(db: Pick<Db, 'prisma'>, key: string): Promise<Buffer> {
  const logo = await db.prisma.merchantLogo.findUnique({ where: { key } });
  if (!logo) throw new DomainError('route_not_found', `Logo not found: ${key}`);
  return Buffer.from(logo.bytes);
}
