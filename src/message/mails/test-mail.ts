import { type MailContent, type MailTemplate, writeMail } from '../mail.ts';
import type { TeamLanguage } from '../team-language.ts';

type TestMailFacts = { publicUrl: string };

const templates: Record<TeamLanguage, (facts: TestMailFacts) => MailTemplate> = {
  en: ({ publicUrl }) => ({
    subject: 'Test email from Causeway',
    blocks: [
      'This email was sent to test the mail server. It has arrived, so emails to customers and users can be delivered.',
      { facts: [['Service', publicUrl]] },
      { button: 'Open the dashboard', url: `${publicUrl}/dashboard` },
    ],
    note: 'An operator of this service sent this email. No action is needed.',
  }),
  zh: ({ publicUrl }) => ({
    subject: '来自 Causeway 的测试邮件',
    blocks: [
      '这封邮件用于测试邮件服务器。您已收到此邮件，说明发给客户和用户的邮件也可以送达。',
      { facts: [['服务', publicUrl]] },
      { button: '打开管理后台', url: `${publicUrl}/dashboard` },
    ],
    note: '本邮件由此服务的运营方发送，您无需任何操作。',
  }),
  th: ({ publicUrl }) => ({
    subject: 'อีเมลทดสอบจาก Causeway',
    blocks: [
      'อีเมลนี้ส่งเพื่อทดสอบเซิร์ฟเวอร์อีเมล เมื่อคุณได้รับแล้ว แสดงว่าอีเมลถึงลูกค้าและผู้ใช้ก็ส่งได้เช่นกัน',
      { facts: [['บริการ', publicUrl]] },
      { button: 'เปิดแดชบอร์ด', url: `${publicUrl}/dashboard` },
    ],
    note: 'ผู้ดูแลบริการนี้เป็นผู้ส่งอีเมลนี้ คุณไม่ต้องดำเนินการใด ๆ',
  }),
};

export function testMail(language: TeamLanguage, facts: TestMailFacts): MailContent {
  return writeMail({ language, sender: 'Causeway', ...templates[language](facts) });
}
