import type { MessageLanguage } from '../language.ts';
import { shortName } from './short-name.ts';

type CancellationTextFacts = { merchant: string; plan: string; url: string };

const templates: Record<MessageLanguage, (facts: CancellationTextFacts) => string> = {
  en: ({ merchant, plan, url }) =>
    `To cancel ${plan} from ${merchant}, open this link within an hour: ${url} If this was not you, ignore this message.`,
  zh: ({ merchant, plan, url }) =>
    `【${merchant}】如需取消“${plan}”，请在一小时内打开此链接：${url} 如非本人操作，请忽略本短信。`,
  th: ({ merchant, plan, url }) =>
    `หากต้องการยกเลิก ${plan} ที่ ${merchant} โปรดเปิดลิงก์นี้ภายใน 1 ชั่วโมง: ${url} หากคุณไม่ได้เป็นผู้ขอ โปรดเพิกเฉยต่อข้อความนี้`,
};

/** The text of an SMS with the link that confirms a cancellation. */
export function cancellationText(
  language: MessageLanguage,
  { merchant, plan, url }: CancellationTextFacts,
): string {
  return templates[language]({ merchant: shortName(merchant), plan: shortName(plan), url });
}
