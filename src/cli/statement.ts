import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Statement } from '../../prisma/client/client.ts';
import { importNow } from '../domain/statement/import-now.ts';
import { countsOf } from '../domain/statement/statement-state.ts';
import { systemClock } from '../kit/clock.ts';
import { DomainError } from '../kit/errors.ts';
import type { ServiceCommand } from './command.ts';

export const importStatementCommand: ServiceCommand = {
  async run(service, { positionals: [file = ''], options, say }) {
    const account = await service.prisma.receivingAccount.findUnique({
      where: { id: String(options.account) },
    });
    if (!account)
      throw new DomainError(
        'receiving_account_not_found',
        `There is no receiving account ${options.account}`,
      );
    await access(file).catch(() => {
      throw new Error(`The file ${file} cannot be read`);
    });
    const { statement, alreadyImported } = await importNow(service, {
      merchantId: account.merchantId,
      mode: account.mode,
      receivingAccountId: account.id,
      source: createReadStream(file),
      fileName: basename(file),
      actor: 'operator:cli',
      clock: systemClock,
      onProgress: (moved) => say(progressOf(moved)),
    });
    const result = { ...toJson(statement), alreadyImported };
    return { json: result, text: toText(statement, alreadyImported) };
  },
};

function progressOf({ entries, recorded, bytesRead, size }: Statement): string {
  if (entries === null) return `reading: ${bytesRead} of ${size} bytes`;
  return `${recorded} of ${entries} entries`;
}

function toJson(statement: Statement) {
  const { id, status, format, entries } = statement;
  return { statementId: id, status, format, entries, ...countsOf(statement) };
}

function toText(statement: Statement, alreadyImported: boolean): string {
  const parts = Object.entries(countsOf(statement)).map(([result, count]) => `${count} ${result}`);
  const note = alreadyImported ? ' (this file had been imported before: nothing was changed)' : '';
  return `${statement.fileName}: ${statement.entries} entries, ${parts.join(', ')}${note}`;
}
