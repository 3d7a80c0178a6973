import { type MailContent, type MailTemplate, writeMail } from '../mail.ts';
import type { TeamLanguage } from '../team-language.ts';

type PasswordResetMailFacts = {
  url: string;
  minutes: number;
  /** The IP address of the request. */
  ipAddress: string;
};

const templates: Record<TeamLanguage, (facts: PasswordResetMailFacts) => MailTemplate> = {
  en: ({ url, minutes, ipAddress }) => ({
    subject: 'Reset your password',
    blocks: [
      `We received a request to reset your dashboard password. The link works once and expires in ${minutes} minutes.`,
      { button: 'Reset your password', url },
      { facts: [['Requested from', ipAddress]] },
    ],
    note: 'If this was not you, you can ignore this email. Your password will not change.',
  }),
  zh: ({ url, minutes, ipAddress }) => ({
    subject: '重置密码',
    blocks: [
      `我们收到了重置您管理后台密码的请求。此链接仅可使用一次，${minutes} 分钟内有效。`,
      { button: '重置密码', url },
      { facts: [['请求来源', ipAddress]] },
    ],
    note: '如非本人操作，请忽略本邮件，您的密码不会更改。',
  }),
  th: ({ url, minutes, ipAddress }) => ({
    subject: 'รีเซ็ตรหัสผ่าน',
    blocks: [
      `เราได้รับคำขอรีเซ็ตรหัสผ่านแดชบอร์ดของคุณ ลิงก์นี้ใช้ได้ครั้งเดียวและหมดอายุใน ${minutes} นาที`,
      { button: 'รีเซ็ตรหัสผ่าน', url },
      { facts: [['ขอจาก', ipAddress]] },
    ],
    note: 'หากคุณไม่ได้เป็นผู้ขอ โปรดเพิกเฉยต่ออีเมลนี้ รหัสผ่านของคุณจะไม่เปลี่ยนแปลง',
  }),
};

/** An email with the link to set a new password. */
export function passwordResetMail(language: TeamLanguage, facts: PasswordResetMailFacts): MailContent {
  return writeMail({ language, sender: 'Causeway', ...templates[language](facts) });
}
