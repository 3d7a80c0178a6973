import type { UserRole } from '../../../prisma/client/client.ts';
import { type MailContent, writeMail } from '../mail.ts';

type InvitationMailFacts = {
  merchant: string;
  /** The email address of the inviting user; null for an operator. */
  by: string | null;
  role: UserRole;
  days: number;
  url: string;
};

const roleNames: Record<UserRole, string> = {
  owner: 'Owner',
  developer: 'Developer',
  accountant: 'Accountant',
  support: 'Support',
  cashier: 'Cashier',
  read_only: 'Read-only',
  operator: 'Operator',
};

/** An email that invites a person to a merchant's dashboard. */
export function invitationMail({ merchant, by, role, days, url }: InvitationMailFacts): MailContent {
  return writeMail({
    language: 'en',
    sender: 'Causeway',
    subject: `You’ve been invited to ${merchant}`,
    blocks: [
      `${by ?? 'The operator of this service'} has invited you to the payments dashboard of ${merchant}.`,
      { facts: [['Your role', roleNames[role]]] },
      { button: 'Accept invitation', url },
      `The link works once and expires in ${days} days.`,
    ],
    note: 'If you weren’t expecting this invitation, you can ignore this email.',
  });
}
