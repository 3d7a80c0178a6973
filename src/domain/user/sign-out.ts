import type { Db } from '../../kit/db.ts';
import { sha256 } from '../../kit/secrets.ts';

/** Ends the session of a cookie; one that has ended already is fine. */
export async function signOut(db: Db, options: { token: string }): Promise<void> {
  await db.prisma.userSession.deleteMany({ where: { tokenHash: sha256(options.token) } });
}
