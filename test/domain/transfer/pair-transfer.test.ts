import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import type { TransferInput } from '../../../src/domain/money-in/transfer/draft-transfer.ts';
import { pairTransfer } from '../../../src/domain/money-in/transfer/pair-transfer.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { concurrently } from '../../setup/concurrently.ts';
import { getErrorCode } from '../../setup/errors.ts';
import { importFile } from '../../setup/import-file.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import { csvMapping } from '../../setup/statement-files.ts';
import { recordOne, transferInput } from '../../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

/** Exceptions that a person says to be the same as what another source told of. */

const service = await setupService(onCleanup);
const now = minutesAfter(noon, 60);
let merchant: NewMerchant;
let receivingAccountId: string;

beforeEach(async () => {
  merchant = await seedMerchant(service);
  ({ receivingAccountId } = await seedCharge(service, merchant));
});

afterEach(() => expectInvariants(service));

const tell = (source: 'feed' | 'statement') =>
  recordOne(service, merchant, {
    receivingAccountId,
    input: transferInput({ source, money: { minor: 500n, currency: 'HKD' } }),
  });

/** What became of it, or why not. */
const pair = (transferId: string, duplicateOfId: string): Promise<string> =>
  pairTransfer(service, {
    merchantId: merchant.merchant.id,
    mode: 'live',
    input: { transferId, duplicateOfId },
    audit: { actor: 'user:usr_1', now },
    now,
  }).then((transfer) => `${transfer.status} of ${transfer.duplicateOfId}`, getErrorCode);

test('the source that told of it tells of each payment once', async () => {
  const [first, second, third] = [await tell('feed'), await tell('statement'), await tell('statement')];
  expect([second.reason, third.reason]).toEqual(['possible_duplicate', 'possible_duplicate']);
  const told = first.transferId;
  expect(await pair(second.transferId, told)).toBe(`duplicate of ${told}`);
  const entry = await service.prisma.auditEntry.findFirstOrThrow({ where: { objectId: second.transferId } });
  expect(entry).toMatchObject({ action: 'transfer.marked_as_duplicate', actor: 'user:usr_1' });
  expect(await pair(third.transferId, told)).toBe('transfer_already_allocated');
  expect(await pair(told, told)).toBe('transfer_already_allocated');
});

test('what is recorded at the same moment is paired first', async () => {
  const money = { minor: 500n, currency: 'HKD' };
  const record = (own: Service, input: Partial<TransferInput>) =>
    recordOne(own, merchant, { receivingAccountId, input: transferInput({ money, ...input }) });
  const told = await record(service, { source: 'feed', reference: 'ZEBRA2345' });
  const waiting = await record(service, {});
  const [paired] = await concurrently(
    service,
    async (uow) => {
      const line = await record(uow, { reference: 'ZEBRA2345' });
      expect(line.status).toBe('duplicate');
    },
    () => pair(waiting.transferId, told.transferId),
  );
  expect(paired).toBe('transfer_already_allocated');
});

test('lines that were read by two mappings of CSV are told of by each', async () => {
  const { transferId: told } = await tell('feed');
  const content = 'Date,Amount,Text,Payer\n2026-11-17,5,hello,CHAN\n2026-11-17,5,hello,CHAN\n';
  for (const references of [['Text'], ['Text', 'Payer']]) {
    const mapping = csvMapping({ referenceColumns: references });
    await importFile(service, merchant, { content, receivingAccountId, mapping, now });
  }
  const lines = await service.prisma.transfer.findMany({
    where: { receivingAccountId, source: 'statement' },
  });
  const outcomes: string[] = [];
  for (const { id } of lines) outcomes.push(await pair(id, told));
  const refused = 'transfer_already_allocated';
  const paired = `duplicate of ${told}`;
  expect(outcomes.toSorted()).toEqual([paired, paired, refused, refused]);
});
