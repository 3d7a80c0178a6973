import type { UserRole } from '../../../prisma/client/client.ts';
import type { MessageLanguage } from '../language.ts';
import { type MailContent, type MailWords, writeMail } from '../mail.ts';

type Facts = {
  merchant: string;
  /** E-mail address of who invites; null: an operator. */
  by: string | null;
  role: UserRole;
  days: number;
  url: string;
};

const roles: Record<MessageLanguage, Record<UserRole, string>> = {
  en: { owner: 'Owner', developer: 'Developer', support: 'Support', operator: 'Operator' },
  zh: { owner: '所有者', developer: '开发者', support: '客服', operator: '运营方' },
  th: { owner: 'เจ้าของ', developer: 'นักพัฒนา', support: 'ฝ่ายสนับสนุน', operator: 'ผู้ดูแลบริการ' },
};

const words: Record<MessageLanguage, (facts: Facts) => MailWords> = {
  en: ({ merchant, by, role, days, url }) => ({
    subject: `You are invited to ${merchant}`,
    blocks: [
      `${by ?? 'The operator of the service'} invites you to the dashboard of ${merchant}, where its payments are collected.`,
      { facts: [['Your role', roles.en[role]]] },
      { button: 'Accept the invitation', url },
      `The link works once, for ${days} days.`,
    ],
    note: 'If you do not know what this is about, there is nothing to do.',
  }),
  zh: ({ merchant, by, role, days, url }) => ({
    subject: `邀请您加入 ${merchant}`,
    blocks: [
      `${by ?? '服务的运营方'} 邀请您使用 ${merchant} 的收款管理后台。`,
      { facts: [['您的角色', roles.zh[role]]] },
      { button: '接受邀请', url },
      `此链接仅可使用一次，${days} 天内有效。`,
    ],
    note: '如果您不清楚此邮件的来由，无需处理。',
  }),
  th: ({ merchant, by, role, days, url }) => ({
    subject: `คุณได้รับเชิญเข้าร่วม ${merchant}`,
    blocks: [
      `${by ?? 'ผู้ดูแลบริการ'} เชิญคุณเข้าใช้แดชบอร์ดรับชำระเงินของ ${merchant}`,
      { facts: [['บทบาทของคุณ', roles.th[role]]] },
      { button: 'ตอบรับคำเชิญ', url },
      `ลิงก์นี้ใช้ได้ครั้งเดียวภายใน ${days} วัน`,
    ],
    note: 'หากคุณไม่ทราบที่มาของอีเมลนี้ ไม่ต้องดำเนินการใด ๆ',
  }),
};

/** To somebody who is to use a merchant's dashboard. */
export function invitationMail(language: MessageLanguage, facts: Facts): MailContent {
  return writeMail({ language, sender: 'Causeway', ...words[language](facts) });
}
