import type { MerchantUser, UserRole } from '../../prisma/client/client.ts';
import { createUser, generatePassword, hashPassword } from '../domain/accounts/user/create-user.ts';
import { disableTwoFactorAsOperator } from '../domain/accounts/user/disable-two-factor.ts';
import { merchantRoles } from '../domain/accounts/user/roles.ts';
import { resetPasswordAsOperator } from '../domain/accounts/user/set-password.ts';
import type { Service } from '../domain/platform/service.ts';
import { transact } from '../event/unit-of-work.ts';
import { invalidInputError } from '../kit/errors.ts';
import { type CommandResult, type ServiceCommand, UsageError } from './command.ts';

export const createOperatorCommand: ServiceCommand = {
  run: (service, { options }) =>
    createUserWithPassword(service, { merchantId: null, email: String(options.email), role: 'operator' }),
};

export const createUserCommand: ServiceCommand = {
  async run(service, { options }) {
    const { merchant = '', email = '', role = '' } = options as Record<string, string>;
    if (!merchantRoles.some((merchantRole) => merchantRole === role))
      throw new UsageError(`--role must be one of ${merchantRoles.join(', ')}`);
    const existingMerchant = await service.prisma.merchant.findUnique({ where: { id: merchant } });
    if (!existingMerchant) throw invalidInputError('--merchant', `is not a known merchant: ${merchant}`);
    return createUserWithPassword(service, { merchantId: merchant, email, role: role as UserRole });
  },
};

export const resetUserCommand: ServiceCommand = {
  async run(service, { positionals: [email = ''] }) {
    const { user, password } = await resetPasswordAsOperator(service, {
      email,
      actor: 'operator',
      now: new Date(),
    });
    return toUserResult(user, password);
  },
};

export const disableTwoFactorCommand: ServiceCommand = {
  async run(service, { positionals: [email = ''] }) {
    const { id } = await disableTwoFactorAsOperator(service, {
      email,
      actor: 'operator',
      now: new Date(),
    });
    return {
      json: { userId: id, email },
      text: `${email} no longer uses two-factor authentication and was signed out everywhere`,
    };
  },
};

async function createUserWithPassword(
  service: Service,
  input: { merchantId: string | null; email: string; role: UserRole },
): Promise<CommandResult> {
  const password = generatePassword();
  const passwordHash = await hashPassword(password);
  const user = await transact(service, (uow) =>
    createUser(uow, { ...input, passwordHash, actor: 'operator', now: new Date() }),
  );
  return toUserResult(user, password);
}

function toUserResult(user: MerchantUser, password: string): CommandResult {
  const { id, email, role } = user;
  return { json: { userId: id, email, role, password }, text: `${role} ${email}  ${password}` };
}
