import type { MessageLanguage } from '../language.ts';
import { type MailContent, writeMail } from '../mail.ts';
import { utcMinute } from '../utc-minute.ts';

/** What happened to the way somebody signs in. */
export const accountNotices = [
  'password_changed',
  'second_factor_on',
  'second_factor_off',
  'recovery_code_used',
  'recovery_codes_renewed',
] as const;
export type AccountNotice = (typeof accountNotices)[number];

type Facts = {
  notice: AccountNotice;
  at: Date;
  /** Network address it was asked from; null at the command line. */
  address: string | null;
  url: string;
};

type Words = {
  subjects: Record<AccountNotice, string>;
  texts: Record<AccountNotice, string>;
  time: string;
  from: string;
  commandLine: string;
  warning: string;
  button: string;
};

const words: Record<MessageLanguage, Words> = {
  en: {
    subjects: {
      password_changed: 'Your password was changed',
      second_factor_on: 'Two-step sign-in was turned on',
      second_factor_off: 'Two-step sign-in was turned off',
      recovery_code_used: 'A recovery code was used',
      recovery_codes_renewed: 'Your recovery codes were replaced',
    },
    texts: {
      password_changed:
        'The password with which you sign in was changed. Everywhere else you are signed out.',
      second_factor_on: 'From now on signing in takes a code of your authenticator app besides the password.',
      second_factor_off: 'From now on your password is enough to sign in.',
      recovery_code_used: 'One of your recovery codes was used in place of a code. It does not work again.',
      recovery_codes_renewed: 'There are new recovery codes. The earlier ones no longer work.',
    },
    time: 'Time (UTC)',
    from: 'From',
    commandLine: 'the operator of the service',
    warning:
      'If this was not you, set a new password at once (“Forgot your password?” on the sign-in page), and tell the owner of your account.',
    button: 'Look at your sign-in',
  },
  zh: {
    subjects: {
      password_changed: '您的密码已更改',
      second_factor_on: '两步验证已启用',
      second_factor_off: '两步验证已关闭',
      recovery_code_used: '一个恢复码已被使用',
      recovery_codes_renewed: '您的恢复码已更换',
    },
    texts: {
      password_changed: '您的登录密码已更改。其他所有设备均已退出登录。',
      second_factor_on: '从现在起，登录除密码外还需要身份验证器应用的验证码。',
      second_factor_off: '从现在起，仅凭密码即可登录。',
      recovery_code_used: '您的一个恢复码已代替验证码使用，不能再次使用。',
      recovery_codes_renewed: '已生成新的恢复码，旧的恢复码不再有效。',
    },
    time: '时间（UTC）',
    from: '来源',
    commandLine: '服务的运营方',
    warning: '如非本人操作，请立即设置新密码（登录页面的 “Forgot your password?”），并告知账户所有者。',
    button: '查看您的登录设置',
  },
  th: {
    subjects: {
      password_changed: 'รหัสผ่านของคุณถูกเปลี่ยนแล้ว',
      second_factor_on: 'เปิดใช้การยืนยันตัวตนสองขั้นตอนแล้ว',
      second_factor_off: 'ปิดการยืนยันตัวตนสองขั้นตอนแล้ว',
      recovery_code_used: 'มีการใช้รหัสกู้คืนหนึ่งรหัส',
      recovery_codes_renewed: 'รหัสกู้คืนของคุณถูกเปลี่ยนแล้ว',
    },
    texts: {
      password_changed: 'รหัสผ่านสำหรับเข้าสู่ระบบของคุณถูกเปลี่ยน และคุณออกจากระบบในอุปกรณ์อื่นทั้งหมดแล้ว',
      second_factor_on: 'จากนี้ไปการเข้าสู่ระบบต้องใช้รหัสจากแอปยืนยันตัวตนนอกเหนือจากรหัสผ่าน',
      second_factor_off: 'จากนี้ไปใช้เพียงรหัสผ่านก็เข้าสู่ระบบได้',
      recovery_code_used: 'รหัสกู้คืนหนึ่งรหัสถูกใช้แทนรหัสยืนยัน และใช้ซ้ำไม่ได้อีก',
      recovery_codes_renewed: 'มีรหัสกู้คืนชุดใหม่แล้ว รหัสชุดเดิมใช้ไม่ได้อีก',
    },
    time: 'เวลา (UTC)',
    from: 'จาก',
    commandLine: 'ผู้ดูแลบริการ',
    warning:
      'หากคุณไม่ได้เป็นผู้ดำเนินการ โปรดตั้งรหัสผ่านใหม่ทันที (“Forgot your password?” ที่หน้าเข้าสู่ระบบ) และแจ้งเจ้าของบัญชี',
    button: 'ดูการเข้าสู่ระบบของคุณ',
  },
};

/** To a user of the dashboard: the way they sign in has changed, and what to do if it was not they. */
export function accountNoticeMail(language: MessageLanguage, facts: Facts): MailContent {
  const said = words[language];
  const { notice, at, address, url } = facts;
  return writeMail({
    language,
    sender: 'Causeway',
    subject: said.subjects[notice],
    blocks: [
      said.texts[notice],
      {
        facts: [
          [said.time, utcMinute(at)],
          [said.from, address ?? said.commandLine],
        ],
      },
      said.warning,
      { button: said.button, url },
    ],
  });
}
