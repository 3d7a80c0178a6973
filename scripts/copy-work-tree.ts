import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Copies the work tree into an empty folder, with links to its packages. */
export function copyWorkTree(root: string, folder: string): void {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  // Git also lists deleted files while the deletion is not committed.
  for (const file of files.split('\0').filter((file) => file !== '' && existsSync(join(root, file))))
    cpSync(join(root, file), join(folder, file));
  cpSync(join(root, 'prisma/client'), join(folder, 'prisma/client'), { recursive: true });
  // node_modules is a separate folder, because its cache holds the template database, and the work tree may have
  // other migrations.
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')).filter((name) => name !== '.cache'))
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
}
