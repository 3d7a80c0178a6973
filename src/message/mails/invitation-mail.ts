import type { UserRole } from '../../../prisma/client/client.ts';
import { type MailContent, type MailTemplate, writeMail } from '../mail.ts';
import type { TeamLanguage } from '../team-language.ts';

type InvitationMailFacts = {
  merchant: string;
  /** The email address of the inviting user; null for an operator. */
  by: string | null;
  role: UserRole;
  days: number;
  url: string;
};

const roles: Record<TeamLanguage, Record<UserRole, string>> = {
  en: {
    owner: 'Owner',
    developer: 'Developer',
    accountant: 'Accountant',
    support: 'Support',
    cashier: 'Cashier',
    read_only: 'Read-only',
    operator: 'Operator',
  },
  zh: {
    owner: '所有者',
    developer: '开发者',
    accountant: '会计',
    support: '客服',
    cashier: '收银员',
    read_only: '只读',
    operator: '运营方',
  },
  th: {
    owner: 'เจ้าของ',
    developer: 'นักพัฒนา',
    accountant: 'นักบัญชี',
    support: 'ฝ่ายสนับสนุน',
    cashier: 'พนักงานเก็บเงิน',
    read_only: 'อ่านอย่างเดียว',
    operator: 'ผู้ดูแลบริการ',
  },
};

const templates: Record<TeamLanguage, (facts: InvitationMailFacts) => MailTemplate> = {
  en: ({ merchant, by, role, days, url }) => ({
    subject: `You’ve been invited to ${merchant}`,
    blocks: [
      `${by ?? 'The operator of this service'} has invited you to the payments dashboard of ${merchant}.`,
      { facts: [['Your role', roles.en[role]]] },
      { button: 'Accept invitation', url },
      `The link works once and expires in ${days} days.`,
    ],
    note: 'If you weren’t expecting this invitation, you can ignore this email.',
  }),
  zh: ({ merchant, by, role, days, url }) => ({
    subject: `邀请您加入 ${merchant}`,
    blocks: [
      `${by ?? '服务的运营方'} 邀请您使用 ${merchant} 的收款管理后台。`,
      { facts: [['您的角色', roles.zh[role]]] },
      { button: '接受邀请', url },
      `此链接仅可使用一次，${days} 天内有效。`,
    ],
    note: '如果您并未预期收到此邀请，请忽略本邮件。',
  }),
  th: ({ merchant, by, role, days, url }) => ({
    subject: `คุณได้รับเชิญเข้าร่วม ${merchant}`,
    blocks: [
      `${by ?? 'ผู้ดูแลบริการ'} เชิญคุณเข้าใช้แดชบอร์ดรับชำระเงินของ ${merchant}`,
      { facts: [['บทบาทของคุณ', roles.th[role]]] },
      { button: 'ตอบรับคำเชิญ', url },
      `ลิงก์นี้ใช้ได้ครั้งเดียวและหมดอายุใน ${days} วัน`,
    ],
    note: 'หากคุณไม่ได้คาดว่าจะได้รับคำเชิญนี้ โปรดเพิกเฉยต่ออีเมลนี้',
  }),
};

/** An email that invites a person to a merchant's dashboard. */
export function invitationMail(language: TeamLanguage, facts: InvitationMailFacts): MailContent {
  return writeMail({ language, sender: 'Causeway', ...templates[language](facts) });
}
