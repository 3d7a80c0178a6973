import { afterAll } from 'vitest';
import { endFile } from './at-end.ts';
import { refuseLoggedSecrets } from './logged-secrets.ts';

afterAll(async () => {
  await endFile();
  refuseLoggedSecrets();
}, 120_000);
