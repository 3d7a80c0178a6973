import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename } from 'node:path';
import { type ImportResult, importStatement } from '../domain/statement/import-statement.ts';
import { DomainError } from '../kit/errors.ts';
import type { ServiceCommand } from './command.ts';

export const importStatementCommand: ServiceCommand = {
  async run(service, { positionals: [file = ''], options, say }) {
    const account = await service.prisma.receivingAccount.findUnique({
      where: { id: String(options.account) },
      include: { merchant: true },
    });
    if (!account)
      throw new DomainError(
        'receiving_account_not_found',
        `There is no receiving account ${options.account}`,
      );
    await access(file).catch(() => {
      throw new Error(`The file ${file} cannot be read`);
    });
    const { merchant, ...receivingAccount } = account;
    const result = await importStatement(service, {
      merchant,
      account: receivingAccount,
      open: () => createReadStream(file),
      fileName: basename(file),
      actor: 'operator:cli',
      now: new Date(),
      onProgress: (done, total) => say(`${done} of ${total} entries`),
    });
    return { json: toJson(result), text: toText(result) };
  },
};

function toJson({ statement, entries, counts, alreadyImported }: ImportResult) {
  return { statementId: statement.id, entries, ...counts, alreadyImported };
}

function toText({ statement, entries, counts, alreadyImported }: ImportResult): string {
  const parts = Object.entries(counts).map(([result, count]) => `${count} ${result}`);
  const note = alreadyImported ? ' (this file had been imported before: nothing was changed)' : '';
  return `${statement.fileName}: ${entries} entries, ${parts.join(', ')}${note}`;
}
