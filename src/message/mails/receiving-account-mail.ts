import { type MailContent, writeMail } from '../mail.ts';
import type { TeamLanguage } from '../team-language.ts';
import { formatUtcMinute } from '../utc-minute.ts';

export type ReceivingAccountChange = 'created' | 'updated' | 'retired' | 'reactivated';

type ReceivingAccountSetting =
  | 'bank'
  | 'holder'
  | 'minAmount'
  | 'maxAmount'
  | 'paymentWindowMinutes'
  | 'weight'
  | 'timeZone'
  | 'maxAmountOffset'
  | 'maxBankFee'
  | 'maxBankFeeRate'
  | 'reusesBankReferences';

/** A changed setting with its values as displayed; null means the default value. */
export type SettingChange = { name: ReceivingAccountSetting; from: string | null; to: string | null };

type ReceivingAccountMailFacts = {
  change: ReceivingAccountChange;
  merchant: string;
  method: string;
  account: string;
  holder: string;
  bank: string;
  /** The email address of a user, or the ID of an API key. */
  by: string;
  changes: readonly SettingChange[];
  at: Date;
  dashboardUrl: string;
};

type ReceivingAccountMailStrings = {
  subjects: Record<ReceivingAccountChange, string>;
  texts: Record<ReceivingAccountChange, string>;
  facts: Record<'method' | 'account' | 'holder' | 'bank' | 'by' | 'time', string>;
  settings: Record<ReceivingAccountSetting, string>;
  none: string;
  warning: string;
  button: string;
  note: (merchant: string) => string;
};

const translations: Record<TeamLanguage, ReceivingAccountMailStrings> = {
  en: {
    subjects: {
      created: 'A receiving account was added',
      updated: 'A receiving account was changed',
      retired: 'A receiving account was deactivated',
      reactivated: 'A receiving account was reactivated',
    },
    texts: {
      created: 'From now on, customers can be asked to pay to this account.',
      updated: 'The changes apply to new payments to this account.',
      retired:
        'Customers are no longer asked to pay to this account. Payments that are already open can still be completed.',
      reactivated: 'Customers can be asked to pay to this account again.',
    },
    facts: {
      method: 'Payment method',
      account: 'Account',
      holder: 'Holder',
      bank: 'Bank',
      by: 'Changed by',
      time: 'Time (UTC)',
    },
    settings: {
      bank: 'Bank',
      holder: 'Holder',
      minAmount: 'Minimum amount',
      maxAmount: 'Maximum amount',
      paymentWindowMinutes: 'Payment window (minutes)',
      weight: 'Traffic weight',
      timeZone: 'Time zone',
      maxAmountOffset: 'Maximum added for unique amounts',
      maxBankFee: 'Maximum bank fee',
      maxBankFeeRate: 'Maximum bank fee rate',
      reusesBankReferences: 'Bank reuses its references',
    },
    none: 'none',
    warning:
      'If your team did not do this, deactivate the account now, then revoke the API key or reset the password that was used.',
    button: 'Open account',
    note: (merchant) => `You’re receiving this email because you are an owner of ${merchant}.`,
  },
  zh: {
    subjects: {
      created: '已添加收款账户',
      updated: '收款账户已更改',
      retired: '收款账户已停用',
      reactivated: '收款账户已重新启用',
    },
    texts: {
      created: '从现在起，客户可能会被要求付款至此账户。',
      updated: '更改将应用于此账户的新付款。',
      retired: '系统不再让客户付款至此账户。已发起的付款仍可完成。',
      reactivated: '客户可能会再次被要求付款至此账户。',
    },
    facts: {
      method: '付款方式',
      account: '账户',
      holder: '户名',
      bank: '银行',
      by: '操作人',
      time: '时间（UTC）',
    },
    settings: {
      bank: '银行',
      holder: '户名',
      minAmount: '最小金额',
      maxAmount: '最大金额',
      paymentWindowMinutes: '付款时限（分钟）',
      weight: '流量权重',
      timeZone: '时区',
      maxAmountOffset: '唯一金额最多附加的单位数',
      maxBankFee: '银行手续费上限',
      maxBankFeeRate: '银行手续费率上限',
      reusesBankReferences: '银行重复使用参考号',
    },
    none: '无',
    warning: '如果这不是贵团队的操作，请立即停用该账户，并撤销所用的 API 密钥或重置相关密码。',
    button: '打开账户',
    note: (merchant) => `您是 ${merchant} 的所有者，因此收到此邮件。`,
  },
  th: {
    subjects: {
      created: 'เพิ่มบัญชีรับเงินแล้ว',
      updated: 'บัญชีรับเงินมีการเปลี่ยนแปลง',
      retired: 'ปิดใช้งานบัญชีรับเงินแล้ว',
      reactivated: 'เปิดใช้งานบัญชีรับเงินอีกครั้งแล้ว',
    },
    texts: {
      created: 'จากนี้ไประบบอาจให้ลูกค้าชำระเงินเข้าบัญชีนี้',
      updated: 'การเปลี่ยนแปลงมีผลกับรายการชำระเงินใหม่ที่เข้าบัญชีนี้',
      retired: 'ระบบจะไม่ให้ลูกค้าชำระเงินเข้าบัญชีนี้อีก รายการที่รอชำระอยู่ยังดำเนินการจนเสร็จสิ้นได้',
      reactivated: 'ระบบอาจให้ลูกค้าชำระเงินเข้าบัญชีนี้อีกครั้ง',
    },
    facts: {
      method: 'วิธีชำระเงิน',
      account: 'บัญชี',
      holder: 'ชื่อบัญชี',
      bank: 'ธนาคาร',
      by: 'เปลี่ยนโดย',
      time: 'เวลา (UTC)',
    },
    settings: {
      bank: 'ธนาคาร',
      holder: 'ชื่อบัญชี',
      minAmount: 'ยอดต่ำสุด',
      maxAmount: 'ยอดสูงสุด',
      paymentWindowMinutes: 'เวลาชำระเงิน (นาที)',
      weight: 'น้ำหนักการกระจายรายการ',
      timeZone: 'เขตเวลา',
      maxAmountOffset: 'จำนวนหน่วยสูงสุดที่เพิ่มเพื่อให้ยอดไม่ซ้ำ',
      maxBankFee: 'ค่าธรรมเนียมธนาคารสูงสุด',
      maxBankFeeRate: 'อัตราค่าธรรมเนียมธนาคารสูงสุด',
      reusesBankReferences: 'ธนาคารใช้เลขอ้างอิงซ้ำ',
    },
    none: 'ไม่มี',
    warning: 'หากไม่มีใครในทีมเป็นผู้ดำเนินการ โปรดปิดใช้งานบัญชีทันที และเพิกถอนคีย์ API หรือรีเซ็ตรหัสผ่านที่ถูกใช้',
    button: 'เปิดดูบัญชี',
    note: (merchant) => `คุณได้รับอีเมลนี้ในฐานะเจ้าของ ${merchant}`,
  },
};

/**
 * An email to owners that reports a change to a live receiving account, and says what to do if the change is
 * unexpected.
 */
export function receivingAccountMail(language: TeamLanguage, facts: ReceivingAccountMailFacts): MailContent {
  const strings = translations[language];
  const { change, method, account, holder, bank, by, at } = facts;
  const changes = facts.changes.map(({ name, from, to }): [string, string] => [
    strings.settings[name],
    `${from ?? strings.none} → ${to ?? strings.none}`,
  ]);
  return writeMail({
    language,
    sender: 'Causeway',
    subject: `${strings.subjects[change]}: ${facts.merchant}`,
    blocks: [
      strings.texts[change],
      {
        facts: [
          [strings.facts.method, method],
          [strings.facts.account, account],
          [strings.facts.holder, holder],
          [strings.facts.bank, bank],
          [strings.facts.by, by],
          [strings.facts.time, formatUtcMinute(at)],
        ],
      },
      ...(changes.length > 0 ? [{ facts: changes }] : []),
      strings.warning,
      { button: strings.button, url: facts.dashboardUrl },
    ],
    note: strings.note(facts.merchant),
  });
}
