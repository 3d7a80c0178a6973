import type { FeedDefinition } from '../feed-definition.ts';
import { createSampleStatement } from '../pull/sample-statement.ts';

/** Statement files on an SFTP server of the bank. */
export const sftp = {
  name: 'SFTP',
  evidence: 'verified',
  source: 'https://www.iso20022.org/iso-20022-message-definitions',
  authentications: { sftp: [] },
  pull: {
    kind: 'files',
    intervalMinutes: 15,
    intervalMinutesMin: 1,
    requiredSettings: ['host'],
    requiredCredentials: ['username'],
  },
  mappings: [],
  accept: () => ({ status: 404, body: { error: 'not_found' } }),
  createSample: createSampleStatement,
} satisfies FeedDefinition;
