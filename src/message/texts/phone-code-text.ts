import type { MessageLanguage } from '../language.ts';

type Facts = { merchant: string; code: string; minutes: number };

/** A name longer than this would make two messages of one. */
const nameMax = 24;

const words: Record<MessageLanguage, (facts: Facts) => string> = {
  en: ({ merchant, code, minutes }) =>
    `${code} is your code for ${merchant}. It is valid for ${minutes} minutes. Do not give it to anybody else.`,
  zh: ({ merchant, code, minutes }) =>
    `【${merchant}】您的验证码是 ${code}，${minutes} 分钟内有效。请勿告诉他人。`,
  th: ({ merchant, code, minutes }) =>
    `${code} คือรหัสของคุณสำหรับ ${merchant} ใช้ได้ภายใน ${minutes} นาที อย่าบอกรหัสนี้กับผู้อื่น`,
};

/** The SMS that brings the code of a phone verification. */
export function phoneCodeText(language: MessageLanguage, facts: Facts): string {
  return words[language]({ ...facts, merchant: shortName(facts.merchant) });
}

/** On one line, and without what phones make a link of: the name is the merchant's own choice. */
function shortName(name: string): string {
  const plain = name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[./:]+(?=\S)/g, ' ')
    .trim();
  return plain.length > nameMax
    ? `${plain
        .slice(0, nameMax - 1)
        .toWellFormed()
        .trimEnd()}…`
    : plain;
}
