import { afterAll } from 'vitest';
import { failOnLoggedSecrets } from './logged-secrets.ts';

afterAll(failOnLoggedSecrets);
