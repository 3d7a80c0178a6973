import type { MessageLanguage } from '../language.ts';
import { type MailContent, type MailWords, writeMail } from '../mail.ts';

type Facts = {
  url: string;
  minutes: number;
  /** Network address it was asked for from. */
  address: string;
};

const words: Record<MessageLanguage, (facts: Facts) => MailWords> = {
  en: ({ url, minutes, address }) => ({
    subject: 'Set a new password',
    blocks: [
      `Somebody, most likely you, asked for a new password for the dashboard. The link works once, for ${minutes} minutes.`,
      { button: 'Set a new password', url },
      { facts: [['Asked for from', address]] },
    ],
    note: 'If it was not you, there is nothing to do: your password stays as it is.',
  }),
  zh: ({ url, minutes, address }) => ({
    subject: '设置新密码',
    blocks: [
      `有人（很可能是您本人）请求为管理后台设置新密码。此链接仅可使用一次，${minutes} 分钟内有效。`,
      { button: '设置新密码', url },
      { facts: [['请求来源', address]] },
    ],
    note: '如非本人操作，无需处理，您的密码保持不变。',
  }),
  th: ({ url, minutes, address }) => ({
    subject: 'ตั้งรหัสผ่านใหม่',
    blocks: [
      `มีผู้ขอตั้งรหัสผ่านใหม่สำหรับแดชบอร์ด ซึ่งน่าจะเป็นคุณ ลิงก์นี้ใช้ได้ครั้งเดียวภายใน ${minutes} นาที`,
      { button: 'ตั้งรหัสผ่านใหม่', url },
      { facts: [['ขอจาก', address]] },
    ],
    note: 'หากคุณไม่ได้เป็นผู้ขอ ไม่ต้องดำเนินการใด ๆ รหัสผ่านของคุณยังเหมือนเดิม',
  }),
};

/** To a user of the dashboard who asked for a new password. */
export function passwordResetMail(language: MessageLanguage, facts: Facts): MailContent {
  return writeMail({ language, sender: 'Causeway', ...words[language](facts) });
}
