import { afterAll } from 'vitest';
import { endFile } from './at-end.ts';

afterAll(endFile, 120_000);
