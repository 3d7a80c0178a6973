import type { MessageLanguage } from '../language.ts';
import { type MailContent, type MailWords, writeMail } from '../mail.ts';

type Facts = { publicUrl: string };

const words: Record<MessageLanguage, (facts: Facts) => MailWords> = {
  en: ({ publicUrl }) => ({
    subject: 'Mail from Causeway arrives',
    blocks: [
      'This mail was sent to try the mail server. It has arrived, so everything that customers and users are sent will too.',
      { facts: [['Service', publicUrl]] },
      { button: 'Open the dashboard', url: `${publicUrl}/dashboard` },
    ],
    note: 'Somebody who runs this service asked for this mail. There is nothing to do.',
  }),
  zh: ({ publicUrl }) => ({
    subject: 'Causeway 的邮件已送达',
    blocks: [
      '这封邮件用于测试邮件服务器。既然已经送达，发给客户和用户的其他邮件也会送达。',
      { facts: [['服务', publicUrl]] },
      { button: '打开管理后台', url: `${publicUrl}/dashboard` },
    ],
    note: '本邮件由此服务的管理人员发送，您无需任何操作。',
  }),
  th: ({ publicUrl }) => ({
    subject: 'อีเมลจาก Causeway ส่งถึงแล้ว',
    blocks: [
      'อีเมลนี้ส่งเพื่อทดสอบเซิร์ฟเวอร์อีเมล เมื่อมาถึงแล้ว อีเมลอื่นที่ส่งถึงลูกค้าและผู้ใช้ก็จะมาถึงเช่นกัน',
      { facts: [['บริการ', publicUrl]] },
      { button: 'เปิดแดชบอร์ด', url: `${publicUrl}/dashboard` },
    ],
    note: 'ผู้ดูแลบริการนี้เป็นผู้ขอให้ส่งอีเมลนี้ คุณไม่ต้องดำเนินการใด ๆ',
  }),
};

/** What `causeway message test` sends. */
export function testMail(language: MessageLanguage, facts: Facts): MailContent {
  return writeMail({ language, sender: 'Causeway', ...words[language](facts) });
}
