import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OnCleanup } from './cleanup.ts';
import { createTempDir } from './temp-dir.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const parts = [
  'src',
  'schema',
  'prisma',
  'scripts',
  'bench',
  'examples',
  'packages',
  'test',
  'package.json',
  'package-lock.json',
  'prisma.config.ts',
  'tsconfig.json',
];

/** A checkout after `npm ci`, without generated or built files. */
export async function copyCheckout(onCleanup: OnCleanup): Promise<string> {
  const folder = await createTempDir(onCleanup);
  const filter = (path: string) => path !== join(root, 'prisma/client');
  await Promise.all(
    parts.map((part) => cp(join(root, part), join(folder, part), { recursive: true, filter })),
  );
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
