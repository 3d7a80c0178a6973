import { expect, test } from 'vitest';
import { openMongoJobStore } from '../../src/jobs/mongo-job-store.ts';

test('an address that MongoDB’s driver cannot read is refused by its variable, and its password not repeated', async () => {
  for (const address of ['mongodb://ada:letmein@', 'mongodb://ada:letmein@a.example:27017:1/causeway']) {
    const error = await openMongoJobStore({ mongodbUrl: address, processName: 'test' }, console.error).catch(
      (reason: Error) => reason,
    );
    expect((error as Error).message).toMatch(/^MONGODB_URL: /);
    expect((error as Error).message).not.toContain('letmein');
  }
});
