import type { MessageLanguage } from '../language.ts';
import { shortName } from './short-name.ts';

type PhoneCodeTextFacts = { merchant: string; code: string; minutes: number };

const templates: Record<MessageLanguage, (facts: PhoneCodeTextFacts) => string> = {
  en: ({ merchant, code, minutes }) =>
    `${code} is your code for ${merchant}. It expires in ${minutes} minutes. Do not share it with anyone.`,
  zh: ({ merchant, code, minutes }) =>
    `【${merchant}】您的验证码是 ${code}，${minutes} 分钟内有效。请勿泄露给他人。`,
  th: ({ merchant, code, minutes }) =>
    `${code} คือรหัสยืนยันของคุณสำหรับ ${merchant} ใช้ได้ภายใน ${minutes} นาที ห้ามบอกรหัสนี้แก่ผู้อื่น`,
};

/** The text of an SMS with the code of a phone verification. */
export function phoneCodeText(language: MessageLanguage, facts: PhoneCodeTextFacts): string {
  return templates[language]({ ...facts, merchant: shortName(facts.merchant) });
}
