import type { MerchantUser, UserRole } from '../../prisma/client/client.ts';
import { createUser, hashPassword, makePassword } from '../domain/accounts/user/create-user.ts';
import { givePassword } from '../domain/accounts/user/give-password.ts';
import { resetSecondFactor } from '../domain/accounts/user/reset-second-factor.ts';
import type { Service } from '../domain/platform/service.ts';
import { transact } from '../event/unit-of-work.ts';
import { invalidInput } from '../kit/errors.ts';
import { type CommandAnswer, type ServiceCommand, UsageError } from './command.ts';

const merchantRoles: readonly string[] = ['owner', 'developer', 'support'] satisfies UserRole[];

export const createOperatorCommand: ServiceCommand = {
  run: (service, { options }) =>
    makeUser(service, { merchantId: null, email: String(options.email), role: 'operator' }),
};

export const createUserCommand: ServiceCommand = {
  async run(service, { options }) {
    const { merchant = '', email = '', role = '' } = options as Record<string, string>;
    if (!merchantRoles.includes(role))
      throw new UsageError(`--role must be one of ${merchantRoles.join(', ')}`);
    const known = await service.prisma.merchant.findUnique({ where: { id: merchant } });
    if (!known) throw invalidInput('--merchant', `is not a known merchant: ${merchant}`);
    return makeUser(service, { merchantId: merchant, email, role: role as UserRole });
  },
};

export const resetUserCommand: ServiceCommand = {
  async run(service, { positionals: [email = ''] }) {
    const { user, password } = await givePassword(service, { email, actor: 'operator', now: new Date() });
    return answer(user, password);
  },
};

export const resetSecondFactorCommand: ServiceCommand = {
  async run(service, { positionals: [email = ''] }) {
    const { id } = await resetSecondFactor(service, { email, actor: 'operator', now: new Date() });
    return {
      json: { userId: id, email },
      text: `${email} no longer uses two-factor authentication and was signed out everywhere`,
    };
  },
};

async function makeUser(
  service: Service,
  input: { merchantId: string | null; email: string; role: UserRole },
): Promise<CommandAnswer> {
  const password = makePassword();
  const passwordHash = await hashPassword(password);
  const user = await transact(service, (uow) =>
    createUser(uow, { ...input, passwordHash, actor: 'operator', now: new Date() }),
  );
  return answer(user, password);
}

function answer(user: MerchantUser, password: string): CommandAnswer {
  const { id, email, role } = user;
  return { json: { userId: id, email, role, password }, text: `${role} ${email}  ${password}` };
}
