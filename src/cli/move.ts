import { resolve } from 'node:path';
import { activateMerchant } from '../domain/operations/move/activate-merchant.ts';
import { completeMove } from '../domain/operations/move/complete-move.ts';
import { discardImport } from '../domain/operations/move/discard-import.ts';
import { exportMerchant } from '../domain/operations/move/export-merchant.ts';
import { importMerchant } from '../domain/operations/move/import-merchant.ts';
import type { TableSummary } from '../domain/operations/move/merchant-rows.ts';
import { pauseMerchant } from '../domain/operations/move/pause-merchant.ts';
import { resumeMerchant } from '../domain/operations/move/resume-merchant.ts';
import { systemClock } from '../kit/clock.ts';
import type { ServiceCommand } from './command.ts';
import { readText, requireFile } from './files.ts';

const actor = 'operator';

export const pauseMerchantCommand: ServiceCommand = {
  async run(service, { positionals: [merchantId = ''], onProgress }) {
    const { name } = await pauseMerchant(service, { merchantId, actor, clock: systemClock, onProgress });
    return {
      json: { merchantId, status: 'paused' },
      text: `${name} (${merchantId}) is paused: export it, or run \`merchant resume\``,
    };
  },
};

export const resumeMerchantCommand: ServiceCommand = {
  async run(service, { positionals: [merchantId = ''] }) {
    const { name } = await resumeMerchant(service, { merchantId, actor, now: systemClock.now() });
    return {
      json: { merchantId, status: 'running' },
      text: `${name} (${merchantId}) runs again. Its exported files can no longer be activated`,
    };
  },
};

export const completeMoveCommand: ServiceCommand = {
  async run(service, { positionals: [merchantId = ''], options: { to } }) {
    const options = { merchantId, movedTo: String(to), actor, now: systemClock.now() };
    const { code, movedTo } = await completeMove(service, options);
    return {
      json: { merchantId, status: 'moved', movedTo, code },
      text: `The merchant has moved. Activate it at ${movedTo}:\n  causeway merchant activate ${merchantId} --code ${code}`,
    };
  },
};

export const activateMerchantCommand: ServiceCommand = {
  async run(service, { positionals: [merchantId = ''], options: { code } }) {
    const options = { merchantId, code: String(code), actor, now: systemClock.now() };
    const { name } = await activateMerchant(service, options);
    return {
      json: { merchantId, status: 'running' },
      text: `${name} (${merchantId}) runs in this installation`,
    };
  },
};

export const exportMerchantCommand: ServiceCommand = {
  async run(service, { positionals: [merchantId = '', file = ''], options, ...call }) {
    const { config: sources, connectionString, onProgress } = call;
    const key = await readKey(options['key-file']);
    const now = systemClock.now();
    const exportOptions = { merchantId, file, key, connectionString, sources, onProgress, actor, now };
    const tables = await exportMerchant(service, exportOptions);
    return {
      json: { merchantId, file: resolve(file), tables },
      text: `${countRows(tables)} rows in ${resolve(file)}\nImport it with the same key file, then run \`merchant complete-move\` here.`,
    };
  },
};

export const importMerchantCommand: ServiceCommand = {
  async run(service, { positionals: [file = ''], options, connectionString, onProgress }) {
    await requireFile(file);
    const key = await readKey(options['key-file']);
    const now = systemClock.now();
    const importOptions = { file, key, connectionString, onProgress, actor, now };
    const { merchantId, name, publicUrl, tables } = await importMerchant(service, importOptions);
    return {
      json: { merchantId, from: publicUrl, tables },
      text: `${name} (${merchantId}) was imported: ${countRows(tables)} rows, each equal to that of ${publicUrl}.\nIt does not run yet: run \`merchant complete-move\` there, then \`merchant activate\` here.`,
    };
  },
};

export const discardImportCommand: ServiceCommand = {
  async run(_service, { positionals: [merchantId = ''], connectionString, onProgress }) {
    const now = systemClock.now();
    const rows = await discardImport({ merchantId, connectionString, onProgress, actor, now });
    return {
      json: { merchantId, rows },
      text: `The import of ${merchantId} was discarded: ${rows} rows deleted`,
    };
  },
};

const keyLengthMin = 20;

async function readKey(file: string | boolean | undefined): Promise<string> {
  const key = (await readText(String(file))).trim();
  if (key.length < keyLengthMin)
    throw new Error(`The key file must contain at least ${keyLengthMin} characters`);
  return key;
}

function countRows(tables: Record<string, TableSummary>): number {
  return Object.values(tables).reduce((total, { rows }) => total + rows, 0);
}
