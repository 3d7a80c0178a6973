import type { FeedDefinition } from '../feed-definition.ts';
import { createSampleStatement } from '../pull/sample-statement.ts';

/** Statement files that the operator's tools place in a folder of the service. */
export const folder = {
  name: 'Watched folder',
  evidence: 'verified',
  source: 'https://www.iso20022.org/iso-20022-message-definitions',
  authentications: { folder: [] },
  pull: {
    kind: 'files',
    intervalMinutes: 1,
    intervalMinutesMin: 1,
    requiredSettings: [],
    requiredCredentials: [],
  },
  mappings: [],
  accept: () => ({ status: 404, body: { error: 'not_found' } }),
  createSample: createSampleStatement,
} satisfies FeedDefinition;
