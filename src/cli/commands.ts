import { checkCommand } from './check.ts';
import type { Command } from './command.ts';
import { demoCommand } from './demo.ts';
import { createMerchantCommand, grantMerchantCommand } from './merchant.ts';
import { migrateCommand } from './migrate.ts';
import { importRatesCommand } from './rates.ts';
import { importStatementCommand } from './statement.ts';
import { createOperatorCommand, createUserCommand, resetUserCommand } from './user.ts';

/** The command line, as documented. */
export const commands: readonly Command[] = [
  createMerchantCommand,
  grantMerchantCommand,
  createOperatorCommand,
  createUserCommand,
  resetUserCommand,
  importStatementCommand,
  importRatesCommand,
  checkCommand,
  migrateCommand,
  demoCommand,
];
